// `shared-memory.json` of a session: what others wrote there limits the tests (CONTRACTS F10), and results are put beside it (F8).
import path from 'node:path';
import { z } from 'zod';
import { HumanError } from '../base/humanError.ts';
import { isInside, realPathOr } from '../base/paths.ts';
import type { Layer } from '../model/settings.ts';
import { frameworkIds, type FrameworkId } from '../model/testNode.ts';
import { setInJson } from './jsonEdit.ts';
import type { LayerResults } from './layerResults.ts';
import { exclusively, readJsonFile, replaceFile } from './sessionFiles.ts';

interface SessionInputs {
  /** `test_strategy.test_framework`, where it is one of ours. */
  readonly framework?: FrameworkId;
  /** `generated_tests[layer].files` as they are written, unchecked; absent where there are none. */
  readonly files?: readonly unknown[];
  /** What of it cannot be used, as sentences. */
  readonly notes: readonly string[];
}

const fileOf = (session: string): string => path.join(session, 'shared-memory.json');

const inputSchema = z.object({
  test_strategy: z.object({ test_framework: z.unknown() }).optional().catch(undefined),
  generated_tests: z.record(z.string(), z.unknown()).optional().catch(undefined),
});
const generatedSchema = z.object({ files: z.array(z.unknown()) });

/** What the session limits the tests to; nothing where there is no file. Never throws for what the file holds. */
export async function sessionInputs(session: string, layer: Layer | undefined): Promise<SessionInputs> {
  const notes: string[] = [];
  const found = await readJsonFile(fileOf(session)).catch((error: unknown) => {
    if (error instanceof HumanError) notes.push(`${error.message} It limits nothing.`);
    else throw error;
  });
  if (!found) return { notes };
  const memory = inputSchema.safeParse(found.value).data;
  if (memory === undefined) return { notes: [`${fileOf(session)} is no JSON object. It limits nothing.`] };
  const named = memory.test_strategy?.test_framework ?? undefined;
  const framework = frameworkNamed(named);
  if (named !== undefined && framework === undefined && named !== 'unknown')
    notes.push(
      `shared-memory.json names the framework ${shown(named)}, which is none of ${frameworkIds.join(', ')}: it limits nothing.`,
    );
  const generated = layer === undefined ? undefined : (memory.generated_tests?.[layer] ?? undefined);
  const files = generatedSchema.safeParse(generated).data?.files;
  if (generated !== undefined && files === undefined)
    notes.push(
      `generated_tests.${layer ?? ''} in shared-memory.json has no list of files: it limits nothing.`,
    );
  return {
    ...(framework !== undefined && { framework }),
    ...(files !== undefined && files.length > 0 && { files }),
    notes,
  };
}

/** Also as others write it: `node:test`, `go`. */
function frameworkNamed(value: unknown): FrameworkId | undefined {
  if (typeof value !== 'string') return undefined;
  const plain = value.toLowerCase().replace(/[^a-z]/g, '');
  const meant = plain === 'go' ? 'gotest' : plain;
  return frameworkIds.find((id) => id.toLowerCase() === meant);
}

/** Cut, on one line. */
const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 60);
/** So many are named. */
const mostNamed = 5;
const longest = 200;

/**
 * The absolute test files among names that others wrote; `notes` tells the names that are none. A name is relative to the root, of at
 * most 200 characters, and leads nowhere outside (CONTRACTS Q4). Throws a `bad-input` HumanError when none is left.
 */
export function generatedFiles(
  names: readonly unknown[],
  root: string,
  testFiles: readonly string[],
): { readonly files: readonly string[]; readonly notes: readonly string[] } {
  const known = new Set(testFiles);
  const files = new Set<string>();
  const wrong: string[] = [];
  for (const name of new Set(names)) {
    const found = guarded(name, root);
    const file = [found.file, realPathOr(found.file ?? root)].find(
      (one) => one !== undefined && known.has(one),
    );
    if (file !== undefined) files.add(file);
    else wrong.push(`${shown(name)} ${found.wrong ?? 'is not a test file'}`);
  }
  const more = wrong.length > mostNamed ? `; and ${wrong.length - mostNamed} more` : '';
  const told = `Among the generated tests of shared-memory.json: ${wrong.slice(0, mostNamed).join('; ')}${more}.`;
  if (files.size > 0) return { files: [...files], notes: wrong.length > 0 ? [told] : [] };
  throw new HumanError('bad-input', `None of the generated tests can be run. ${told}`, {
    file: 'shared-memory.json',
    remedy: 'Name test files relative to the workspace, or leave the list empty for the whole layer.',
  });
}

function guarded(name: unknown, root: string): { readonly file?: string; readonly wrong?: string } {
  if (typeof name !== 'string' || name === '') return { wrong: 'is no name of a file' };
  if (name.length > longest) return { wrong: `is longer than ${longest} characters` };
  if (/[\u0000-\u001f\u007f]/.test(name)) return { wrong: 'holds control characters' };
  const file = path.resolve(root, name);
  if (path.isAbsolute(name) || !isInside(root, file) || !isInside(root, realPathOr(file)))
    return { wrong: 'is no path inside the workspace' };
  return { file };
}

/**
 * Puts results under `execution_results`; everything else in the file stays as it is. Throws a `bad-input` HumanError when the file
 * cannot hold them, and leaves it alone then.
 */
export function shareResults(session: string, results: LayerResults): Promise<void> {
  const file = fileOf(session);
  return exclusively(session, async () => {
    const found = await readJsonFile(file);
    let text: string | undefined = found?.text ?? '{}\n';
    const values = [
      [results.layer, results],
      ['pass_rate', results.pass_rate],
      ['coverage', results.coverage],
    ] as const;
    for (const [key, value] of values)
      text = text === undefined ? undefined : setInJson(text, ['execution_results', key], value);
    if (text === undefined)
      throw new HumanError('bad-input', `${file} can hold no execution_results.`, {
        file,
        remedy: 'Make it, and execution_results in it, a JSON object; it was left as it is.',
      });
    await replaceFile(file, text);
  });
}
