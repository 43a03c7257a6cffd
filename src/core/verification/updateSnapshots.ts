// Runs the framework's own snapshot update in the sandbox and gives what it wrote; nothing of it stays there.
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import type { SnapshotUpdate } from '../fixes/fixProvider.ts';
import type { TestResult } from '../model/testResult.ts';
import type { VerificationContext } from './verification.ts';

/** Limited to the files and names of the tests; tests of the same names in these files are updated along. Throws when cancelled. */
export async function updateSnapshots(
  tests: readonly TestResult[],
  times: number,
  context: VerificationContext,
): Promise<readonly SnapshotUpdate[]> {
  const updates: SnapshotUpdate[] = [];
  for (let time = 0; time < times; time++) updates.push(await updateOnce(tests, context));
  return updates;
}

async function updateOnce(
  tests: readonly TestResult[],
  context: VerificationContext,
): Promise<SnapshotUpdate> {
  const { sandbox, drift, signal } = context;
  const wanted = tests.map(({ file, suites, title }) => ({
    file: path.join(sandbox.root, file),
    names: [...suites, title],
  }));
  const results = new Map<string, TestResult>();
  const written = await sandbox.writtenBy(async () => {
    const summary = await context.run({ tests: wanted, updateSnapshots: true }, signal);
    for (const result of summary.tests) results.set(result.id, result);
  });
  throwIfCancelled(signal);
  // What the tests write in every run is no snapshot; vitest writes stored ones anew, with the same content, in runs that fail.
  const changed = new Map(
    [...written.changed].filter(([file]) => file.endsWith('.snap') || drift?.has(file) !== true),
  );
  return { changed, added: written.added, results };
}
