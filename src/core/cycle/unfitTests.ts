// Failing tests of which nothing can be learnt as things are: a merge is not resolved, what they run was not built, or they lie elsewhere.
import path from 'node:path';
import { leadsOutside } from '../base/paths.ts';
import { conflictLine, unmergedFiles } from '../diagnosis/conflictMarks.ts';
import { changesReaching } from '../diagnosis/stops.ts';
import type { Diagnosis } from '../model/fix.ts';
import type { TestResult } from '../model/testResult.ts';
import type { CycleBench } from './cycleBench.ts';
import type { BenchRequest } from './cycleRequest.ts';

/** Why no fix is sought for a test and what to do first, by its id. */
export async function unfitTests(
  failing: readonly TestResult[],
  bench: CycleBench,
  { workspace }: BenchRequest,
): Promise<ReadonlyMap<string, Diagnosis>> {
  const [changes, unmerged] = await Promise.all([
    bench.changes(),
    unmergedFiles(workspace.root, bench.signal),
  ]);
  const notCurrent = await bench.builtCode.notCurrent(
    failing.map(({ file }) => file),
    changes,
  );
  const unfit = new Map<string, Diagnosis>();
  const conflicts = new Map<string, Promise<Conflict | undefined>>();
  for (const result of failing) {
    if (leadsOutside(workspace.root, result.file)) {
      const reason = `${result.file} is a link that leads outside the workspace: Testmend edits files inside only.`;
      unfit.set(result.id, { fault: 'unknown', reason });
      continue;
    }
    const { failure } = result;
    if (failure?.kind === 'config')
      unfit.set(result.id, { fault: 'environment', reason: `Mend that first: ${failure.message}` });
    const built = notCurrent.get(result.file);
    if (built !== undefined && (!built.isMissing || result.failure?.kind === 'load'))
      unfit.set(result.id, { fault: 'environment', reason: built.reason });
    const isUnread =
      (failure?.kind === 'load' || failure?.kind === 'config') &&
      /syntax|unexpected|<<|conflict/i.test(failure.message);
    if (unmerged.size === 0 && !isUnread) continue;
    const key = `${String(isUnread)} ${result.file}`;
    const known = conflicts.get(key) ?? findConflict(result.file, isUnread, bench, unmerged);
    conflicts.set(key, known);
    const conflict = await known;
    if (conflict === undefined) continue;
    const reason = `${conflict.file}:${conflict.line} has the marks of a conflict: resolve it first.`;
    unfit.set(result.id, { fault: conflict.file === result.file ? 'test' : 'source', reason });
  }
  return unfit;
}

interface Conflict {
  readonly file: string;
  readonly line: number;
}

/** Marks in the test, in its snapshots or in a changed source that reaches it. Texts may hold such marks for good: git or the parser must object, too. */
async function findConflict(
  testFile: string,
  isUnread: boolean,
  bench: CycleBench,
  unmerged: ReadonlySet<string>,
): Promise<Conflict | undefined> {
  const { reaching } = await changesReaching(testFile, await bench.changes());
  const { dir, base } = path.posix.parse(testFile);
  const snapshots = path.posix.join(dir, '__snapshots__', `${base}.snap`);
  for (const file of [testFile, snapshots, ...reaching.map((change) => change.file)]) {
    if (!isUnread && !unmerged.has(file)) continue;
    const line = conflictLine((await bench.readText(file)) ?? '');
    if (line !== undefined) return { file, line };
  }
  return undefined;
}
