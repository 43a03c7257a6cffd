// Takes back fixes that an editor applied, where they do not help in the workspace itself: their tests run again as they are on disk.
import { fileIdOf, fileOfId } from '../model/testId.ts';
import { ownFailures, type Fix } from '../model/fix.ts';
import type { RunSummary } from '../model/testResult.ts';
import type { RootEngine } from './rootEngine.ts';
import { takeBack } from './takeBack.ts';
import { WrittenFixes } from './writtenFixes.ts';

interface AppliedByEditor {
  /** All verified fixes of the cycle, in the order they were proven. */
  readonly kept: readonly Fix[];
  /** Fixes that are in the files. */
  readonly applied: readonly Fix[];
  /** Ids of those that are in question. */
  readonly judged: readonly string[];
  /** Texts of files before the first fix. */
  readonly bases: Readonly<Record<string, string>>;
}

/** Reasons by fix id, and what the user has to know. Only the tests of the fixes in question are run. */
export async function takeBackApplied(
  engine: Pick<RootEngine, 'run' | 'workspace'>,
  { kept, applied, judged, bases }: AppliedByEditor,
  signal: AbortSignal,
): Promise<{ reasons: Record<string, string>; notes: string[] }> {
  const inQuestion = new Set(judged);
  const fileIds = new Set(
    applied.filter(({ id }) => inQuestion.has(id)).flatMap((fix) => ownFailures(fix).map(fileIdOf)),
  );
  const runOnDisk = (files?: readonly string[]): Promise<RunSummary> => {
    const wanted = [...fileIds].filter((id) => files?.includes(fileOfId(id) ?? '') ?? true);
    return engine.run({ targets: wanted.map((fileId) => ({ fileId })) }, () => undefined, signal);
  };
  const written = await WrittenFixes.found(applied, kept, engine.workspace, bases);
  const run = await runOnDisk();
  const { reasons, notes } = await takeBack({ written, before: [], judged: inQuestion, run, runOnDisk });
  return { reasons: Object.fromEntries(reasons), notes: [...notes] };
}
