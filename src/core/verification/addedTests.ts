// Tests that an edit nobody vouches for turns green must do so without those that it adds, too: what these do may reach them.
import path from 'node:path';
import type { Selection } from '../model/frameworkProject.ts';
import type { FileChange } from '../policy/fileFacts.ts';
import type { VerificationContext } from './verification.ts';

type ChangedFile = FileChange & { readonly from?: string | undefined };

interface AddedTestsOptions {
  /** What was run with the edit. */
  readonly selection: Selection;
  /** What adds the tests, for people. */
  readonly author: string;
}

/** Runs the edit without the tests that it adds. Of `turned`, one that does not pass then is the reason; undefined when all do. */
export async function whyUnexplained(
  turned: readonly { readonly id: string; readonly title: string }[],
  files: readonly ChangedFile[],
  context: Pick<VerificationContext, 'sandbox' | 'run' | 'signal'>,
  { selection, author }: AddedTestsOptions,
): Promise<string | undefined> {
  const { sandbox, signal } = context;
  const stripped = turned.length === 0 ? undefined : await withoutAddedTests(files, sandbox.root);
  if (stripped === undefined) return undefined;
  const gone = new Set(
    stripped.filter(({ after }) => after === undefined).map(({ file }) => path.join(sandbox.root, file)),
  );
  const undo = await sandbox.write(
    contentsOf(stripped.filter(({ before, after }) => before !== undefined || after !== undefined)),
  );
  try {
    const left = selection.files?.filter((file) => !gone.has(file));
    const { tests } = await context.run(
      { ...selection, ...(left === undefined ? {} : { files: left }) },
      signal,
    );
    const passing = new Set(tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
    const found = turned.find(({ id }) => !passing.has(id));
    return (
      found &&
      `"${found.title}" passes only together with the tests that ${author} adds, so these tests affect it.`
    );
  } finally {
    await undo.undo();
    await sandbox.restoreStrays();
  }
}

/** The edit without the tests that it adds; undefined when it adds none. */
async function withoutAddedTests(
  files: readonly ChangedFile[],
  root: string,
): Promise<readonly ChangedFile[] | undefined> {
  const { withoutAddedTests: strip } = await import('../policy/undeclared.ts');
  const { readSourceIn } = await import('../policy/readSourceIn.ts');
  const readSource = readSourceIn(root);
  const stripped = files.map((change) => ({ ...change, after: strip(change, readSource) }));
  return stripped.some(({ after }, index) => after !== files[index]?.after) ? stripped : undefined;
}

/** Texts by file, undefined where there is none. */
export function contentsOf(files: readonly ChangedFile[]): ReadonlyMap<string, string | undefined> {
  const contents = new Map<string, string | undefined>();
  for (const { from } of files) if (from !== undefined) contents.set(from, undefined);
  for (const { file, after } of files) contents.set(file, after);
  return contents;
}
