// Tests that a patched file ran before the sources changed and does not run with the patch, in which it loads again.
import path from 'node:path';
import { isFileId } from '../model/testId.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { runOnBase } from './baseRuns.ts';
import { lostTests } from './lostTests.ts';
import type { VerificationContext } from './verification.ts';

interface FewerTestsRequest {
  /** Root of the original, whose history tells what changed. */
  readonly root: string;
  /** Files as they are without the patch. */
  readonly files: readonly string[];
  /** The tests with the patch in place, under the names that they have without it. */
  readonly after: readonly TestResult[];
  readonly signal?: AbortSignal | undefined;
}

/** Why a person must look; undefined where no test is missing, or nothing is known of before. Leaves the sandbox as it was. */
export async function whyFewerTests(
  { root, files, after, signal }: FewerTestsRequest,
  context: Pick<VerificationContext, 'sandbox' | 'run' | 'baseline' | 'isTestFile' | 'signal'>,
): Promise<string | undefined> {
  const unloaded = [...context.baseline.values()].filter(
    ({ id, file, outcome }) => isFileId(id) && outcome !== 'passed' && files.includes(file),
  );
  if (unloaded.length === 0) return undefined;
  const { readSourceChanges } = await import('../diagnosis/sourceChanges.ts');
  const { createImportGraph } = await import('../modules/importGraph.ts');
  const cancel = signal === undefined ? {} : { signal };
  const graph = createImportGraph({ root, ...cancel });
  const { sandbox, isTestFile } = context;
  const changes = await readSourceChanges({ root, isTestFile: (file) => isTestFile(file), graph, ...cancel });
  const run = (tests: readonly string[]): Promise<RunSummary> =>
    context.run({ files: tests.map((file) => path.join(sandbox.root, file)) }, context.signal);
  try {
    const { ran } = await runOnBase(unloaded, {
      changes,
      readText: (file) => sandbox.readText(file),
      write: (contents) => sandbox.write(contents),
      run,
    });
    return lostTests([...ran.values()].flat(), after);
  } finally {
    await sandbox.restoreStrays();
  }
}
