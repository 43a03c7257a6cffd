// Writes locators for an element: the most robust ones that find nothing else on its page.
import { testIdAttributes, type ElementFingerprint } from './fingerprint.ts';

/** As a scenario writes them (CONTRACTS S3). */
type WrittenStrategy =
  | { readonly type: 'testId'; readonly value: string }
  | { readonly type: 'role'; readonly role: string; readonly name?: string; readonly exact?: boolean }
  | { readonly type: 'text'; readonly value: string; readonly exact?: boolean }
  | { readonly type: 'label'; readonly value: string; readonly exact?: boolean }
  | { readonly type: 'css'; readonly selector: string }
  | { readonly type: 'xpath'; readonly expression: string };

interface LocatorStyle {
  /** The only attribute that `testId` looks at; `data-testid` unless the configuration says otherwise. */
  readonly testIdAttribute?: string;
  /** How many to write, at least 1. */
  readonly most?: number;
}

/**
 * Strategies that each find `element` alone among the visible `candidates` (which hold it), the most robust first: testId, role with name,
 * label, text, css. Css is written only where nothing else is unique, or a second way is asked for. Empty when nothing tells the element
 * apart. Hidden elements are not looked at: ask the browser before acting.
 */
export function locatorsFor(
  element: ElementFingerprint,
  candidates: readonly ElementFingerprint[],
  style: LocatorStyle = {},
): readonly WrittenStrategy[] {
  const most = Math.max(1, style.most ?? 2);
  const found: WrittenStrategy[] = [];
  for (const write of [byTestId, byRole, byLabel, byText, byCss]) {
    if (found.length >= most) break;
    const strategy = write(element, candidates, style);
    if (strategy !== undefined) found.push(strategy);
  }
  return found;
}

type Writer = (
  element: ElementFingerprint,
  candidates: readonly ElementFingerprint[],
  style: LocatorStyle,
) => WrittenStrategy | undefined;

const byTestId: Writer = (element, candidates, { testIdAttribute = testIdAttributes[0] }) => {
  const value = element.attributes?.[testIdAttribute];
  if (!value || !isAlone(candidates, (one) => one.attributes?.[testIdAttribute] === value)) return undefined;
  return { type: 'testId', value };
};

const byRole: Writer = (element, candidates) => {
  const { role, accessibleName: name } = element;
  if (role === undefined || !isSpoken(name)) return undefined;
  const peers = candidates.filter((one) => one.role === role);
  const exact = exactNeeded(peers, (one) => one.accessibleName, name);
  return exact === undefined ? undefined : { type: 'role', role, name, ...(exact ? { exact } : {}) };
};

const fields = /^(?:textbox|searchbox|combobox|listbox|checkbox|radio|spinbutton|slider|switch)$/;

const byLabel: Writer = (element, candidates) => {
  const { accessibleName: name, attributes } = element;
  const isField = fields.test(element.role ?? '') || /^(?:input|select|textarea)$/.test(element.tag);
  // A placeholder or a title is a name too, but no label.
  if (!isField || !isSpoken(name) || name === attributes?.['placeholder'] || name === attributes?.['title'])
    return undefined;
  const labelled = candidates.filter(
    (one) =>
      /^(?:input|select|textarea)$/.test(one.tag) ||
      fields.test(one.role ?? '') ||
      one.attributes?.['aria-label'],
  );
  const exact = exactNeeded(labelled, (one) => one.accessibleName, name);
  return exact === undefined ? undefined : { type: 'label', value: name, ...(exact ? { exact } : {}) };
};

const byText: Writer = (element, candidates) => {
  const { text } = element;
  if (!isSpoken(text) || fields.test(element.role ?? '')) return undefined;
  const holders = innermost(candidates, text);
  const exact = exactNeeded(holders, (one) => one.text, text);
  if (exact === undefined || !holders.includes(element)) return undefined;
  return { type: 'text', value: text, ...(exact ? { exact } : {}) };
};

/** Of elements in one another that hold the text, the innermost: the one that Playwright takes. */
function innermost(candidates: readonly ElementFingerprint[], text: string): readonly ElementFingerprint[] {
  const holders = candidates.filter((one) => holds(one.text, text));
  return holders.filter(
    ({ path }) => path === undefined || !holders.some((other) => other.path?.startsWith(`${path}/`)),
  );
}

/** False where a part in any case finds one element alone, true where only the whole does, undefined where neither. */
function exactNeeded(
  candidates: readonly ElementFingerprint[],
  read: (one: ElementFingerprint) => string | undefined,
  wanted: string,
): boolean | undefined {
  if (isAlone(candidates, (one) => holds(read(one), wanted))) return false;
  return isAlone(candidates, (one) => read(one) === wanted) ? true : undefined;
}

const byCss: Writer = (element, candidates) => {
  const { tag, id, name, classes = [], attributes = {} } = element;
  if (id !== undefined && isWritten(id) && isAlone(candidates, (one) => one.id === id))
    return { type: 'css', selector: isIdentifier(id) ? `#${id}` : `[id=${JSON.stringify(id)}]` };
  const same = candidates.filter((one) => one.tag === tag);
  if (name !== undefined && isAlone(same, (one) => one.name === name))
    return { type: 'css', selector: `${tag}[name=${JSON.stringify(name)}]` };
  for (const key of [
    'href',
    'placeholder',
    'alt',
    'title',
    'aria-label',
    'data-action',
    'data-target',
    'src',
  ]) {
    const value = attributes[key];
    if (value && value.length < 80 && isAlone(same, (one) => one.attributes?.[key] === value))
      return { type: 'css', selector: `${tag}[${key}=${JSON.stringify(value)}]` };
  }
  if (element.type !== undefined && tag === 'input' && isAlone(same, (one) => one.type === element.type))
    return { type: 'css', selector: `input[type=${JSON.stringify(element.type)}]` };
  for (const one of classes)
    if (
      isWritten(one) &&
      isIdentifier(one) &&
      isAlone(same, (other) => other.classes?.includes(one) === true)
    )
      return { type: 'css', selector: `${tag}.${one}` };
  return byPath(element, candidates);
};

/** The way down from the nearest ancestor that has an id of its own; without one nothing: a path from the top lasts for no version. */
const byPath = (
  element: ElementFingerprint,
  candidates: readonly ElementFingerprint[],
): WrittenStrategy | undefined => {
  if (element.path === undefined || element.path.includes('#shadow')) return undefined;
  const above = candidates
    .filter(
      (one) => one.id !== undefined && one.path !== undefined && element.path?.startsWith(`${one.path}/`),
    )
    .filter(({ id = '' }) => isWritten(id) && isIdentifier(id) && isAlone(candidates, (one) => one.id === id))
    .sort((one, other) => (other.path ?? '').length - (one.path ?? '').length)[0];
  if (above?.path === undefined) return undefined;
  const steps = element.path.slice(above.path.length + 1).split('/');
  if (steps.length > 4) return undefined;
  const down = steps.map((step) => step.replace(/\[(\d+)\]$/, ':nth-of-type($1)'));
  return { type: 'css', selector: [`#${above.id}`, ...down].join(' > ') };
};

const isAlone = (
  candidates: readonly ElementFingerprint[],
  fits: (one: ElementFingerprint) => boolean,
): boolean => {
  let count = 0;
  for (const one of candidates) if (fits(one) && ++count > 1) return false;
  return count === 1;
};
const holds = (text: string | undefined, part: string): boolean =>
  text !== undefined && text.toLowerCase().includes(part.toLowerCase());
/** A cut or very long text is none that people would write; numbers alone change. */
const isSpoken = (text: string | undefined): text is string =>
  text !== undefined && text.length <= 80 && /\p{L}/u.test(text);
/** Not made by a program: no run of digits or mixed letters as build tools and frameworks append. */
const isWritten = (name: string): boolean =>
  !/\d{3,}|^:|^(?:ember|ui-id|mui|react|radix|headlessui)[-\d:]|-(?=\w*\d)[\da-f]{6,}$|__[A-Za-z\d]{5,}$|^(?:css|sc|jss)-/.test(
    name,
  );
const isIdentifier = (name: string): boolean => /^-?[A-Za-z_][\w-]*$/.test(name);
