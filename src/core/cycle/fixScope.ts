// Which test files fixes can change anything in: those of the failures, the edited ones, and all that import an edited one.
import { snapshotOwner } from '../frameworks/testFiles.ts';
import type { Fix } from '../model/fix.ts';
import type { TestResult } from '../model/testResult.ts';
import type { VerificationScope } from '../verification/verification.ts';
import type { ImportGraph } from '../modules/importGraph.ts';

interface ScopeFacts {
  readonly results: ReadonlyMap<string, TestResult>;
  /** Test files of the workspace, relative to the root. */
  readonly testFiles: readonly string[];
  readonly graph: ImportGraph;
}

/** The suite where an edited file is no test file and no test is known to import it. */
export async function fixScope(
  fixes: readonly Fix[],
  { results, testFiles, graph }: ScopeFacts,
): Promise<VerificationScope> {
  const listed = new Set(testFiles);
  const failing = fixes.flatMap(({ failures }) => failures.flatMap((id) => results.get(id)?.file ?? []));
  const own = new Set(failing);
  const further = new Set<string>();
  for (const file of new Set(fixes.flatMap(({ edits }) => edits.map((edit) => edit.file)))) {
    const edited = snapshotOwner(file) ?? file;
    const reached = await graph.testsReaching([edited], testFiles);
    if (reached.length === 0 && !listed.has(edited)) return { scope: 'suite', files: [] };
    if (listed.has(edited)) own.add(edited);
    for (const test of reached) further.add(test);
  }
  const files = [...new Set([...own, ...further])];
  return { scope: files.length === own.size ? 'file' : 'affected', files };
}
