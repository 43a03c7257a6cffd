// What the gate cannot judge: languages that it does not read, of Go all but changed expectations, of Python names that follow the source besides. Nothing is verified through ignorance.
import path from 'node:path';
import type { FileChange } from './fileFacts.ts';
import { checkGo } from './go/checkGo.ts';
import { checkPython, type Followed } from './python/checkPython.ts';
import type { ReadSource } from './repointedImports.ts';
import { whyUndeclared, type Weighs } from './undeclared.ts';

const languages: readonly (readonly [RegExp, string])[] = [
  [/\.(?:py[iwx]|ipynb|ambr)$/i, 'Python of this kind'],
  // Flows of Maestro: without a step they pass as well.
  [/\.ya?ml$/i, 'YAML'],
];

interface UnjudgedOptions {
  readonly readSource?: ReadSource;
  /** Of Python files (`followedMoves`). */
  readonly followed?: ReadonlyMap<string, readonly Followed[]>;
  /** Nobody says what kind of change it is: JavaScript, too, is proven only as far as its meaning can be read. */
  readonly undeclaredFor?: (file: string) => boolean;
  /** Default nothing. */
  readonly weighs?: Weighs;
}

/** Why no verdict on a change of these files (relative to the root) can be a proof; undefined when the gate reads all of it. */
export function whyUnjudged(
  changes: readonly (FileChange & { readonly from?: string | undefined })[],
  { readSource, followed, undeclaredFor: isTestFile, weighs }: UnjudgedOptions = {},
): string | undefined {
  for (const change of changes) {
    const { file, from = file } = change;
    for (const name of [from, file]) {
      const language = languages.find(([pattern]) => pattern.test(path.posix.basename(name)))?.[1];
      if (language !== undefined)
        return `The fix policy does not read ${language}: it cannot judge whether the change of ${name} weakens a test.`;
    }
    const language =
      isPython(file) || isPython(from) ? 'Python' : isGo(file) || isGo(from) ? 'Go' : undefined;
    if (language === undefined) {
      const reason = isTestFile && whyUndeclared(change, isTestFile, readSource ?? (() => undefined), weighs);
      if (reason !== undefined) return reason;
      continue;
    }
    if (from !== file)
      return `The fix policy does not support renamed ${language} files: ${from} became ${file}.`;
    const { unjudged } =
      language === 'Go' ? checkGo(change, readSource) : checkPython(change, readSource, followed?.get(file));
    if (unjudged !== undefined) return unjudged;
  }
  return undefined;
}

const isPython = (file: string): boolean => /\.py$/i.test(file);

const isGo = (file: string): boolean => /\.go$/i.test(file);
