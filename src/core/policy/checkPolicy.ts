// The one gate for every edit (CONTRACTS F4): what a fix may do to a test file, decided on its syntax tree.
import type { Violation } from '../model/fix.ts';
import { syntaxError } from './parseSource.ts';

export interface FileChange {
  /** Relative to the root, POSIX separators. */
  readonly file: string;
  /** Text before the fix; undefined when the fix creates the file. */
  readonly before: string | undefined;
  /** Text after the fix; undefined when the fix deletes the file. */
  readonly after: string | undefined;
}

/** Violations that lower a fix to *propose* instead of forbidding it: a person may apply it, nothing else may. */
export const proposeOnlyRules: ReadonlySet<string> = new Set(['inverted', 'widened']);

/** Everything the change of one test file does that no fix may do; empty means the gate holds. Pure. */
export function checkPolicy(change: FileChange): readonly Violation[] {
  const { file, after } = change;
  if (after === undefined)
    return [{ rule: 'removed-file', file, line: 1, text: 'The fix deletes a test file.' }];
  const broken = syntaxError(file, after);
  if (broken !== undefined)
    return [
      { rule: 'syntax-error', file, line: broken.line, text: `The file no longer parses: ${broken.message}` },
    ];
  return [];
}

/** The gate over all files of a fix; `isTestFile` decides by path what a fix may touch. */
export function checkPolicyOfEdits(
  files: readonly FileChange[],
  isTestFile: (file: string) => boolean,
): readonly Violation[] {
  return files.flatMap((change) =>
    isTestFile(change.file)
      ? checkPolicy(change)
      : [{ rule: 'only-test-files', file: change.file, line: 1, text: 'A fix may change test files only.' }],
  );
}
