// How an element of a page is remembered, so that it can be found again when no locator finds it.
import { z } from 'zod';

/**
 * What was seen of an element, on a green run (`old`) or just now (a candidate). Everything but the tag may be missing. Texts have their
 * white space collapsed and are cut; lengths are CSS pixels of the page, not of the window.
 */
export interface ElementFingerprint {
  /** In small letters. */
  readonly tag: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  /** ARIA role, written or implied by the tag. */
  readonly role?: string | undefined;
  readonly accessibleName?: string | undefined;
  /** At most 160 signs of all text in it. */
  readonly text?: string | undefined;
  readonly classes?: readonly string[] | undefined;
  /** All others but `style` and event handlers: test ids, `href`, `placeholder`, `aria-*`. */
  readonly attributes?: Readonly<Record<string, string>> | undefined;
  /** Texts of what stands beside it, nearest first: its siblings, or those of the first ancestor that has any with text. */
  readonly neighbours?: readonly string[] | undefined;
  /** The last heading, legend or caption above it. */
  readonly heading?: string | undefined;
  /** `html[1]/body[1]/form[1]/#shadow/input[2]`: places among siblings of the same tag. */
  readonly path?: string | undefined;
  readonly position?: { readonly x: number; readonly y: number } | undefined;
  readonly size?: { readonly width: number; readonly height: number } | undefined;
}

const text = z.string().nullish().catch(undefined);
const number = z.number().catch(0);

/** Reads what a file or a page gave. Unknown fields are dropped, those of a wrong type count as missing; without a tag it fails. */
export const fingerprintSchema: z.ZodType<ElementFingerprint> = z
  .object({
    tag: z.string().min(1),
    id: text,
    name: text,
    type: text,
    role: text,
    accessibleName: text,
    text,
    classes: z.array(z.string()).nullish().catch(undefined),
    attributes: z.record(z.string(), z.string()).nullish().catch(undefined),
    neighbours: z.array(z.string()).nullish().catch(undefined),
    heading: text,
    path: text,
    position: z.object({ x: number, y: number }).nullish().catch(undefined),
    size: z.object({ width: number, height: number }).nullish().catch(undefined),
  })
  .transform((read) => {
    const present = Object.entries(read).filter(([, value]) => value !== undefined && value !== null);
    return { ...Object.fromEntries(present), tag: read.tag.toLowerCase() };
  });

/** Attributes that people write for tests alone, as Playwright, Cypress and Testing Library know them. */
export const testIdAttributes = [
  'data-testid',
  'data-test-id',
  'data-test',
  'data-qa',
  'data-cy',
  'data-automation-id',
] as const;

/** The test id and the attribute that carries it. */
export function testIdOf(
  element: ElementFingerprint,
): { readonly attribute: string; readonly value: string } | undefined {
  for (const attribute of testIdAttributes) {
    const value = element.attributes?.[attribute];
    if (value) return { attribute, value };
  }
  return undefined;
}
