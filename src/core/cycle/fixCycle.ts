// The fix cycle: run, understand, propose, prove in the sandbox, keep what is proven, again (CONTRACTS T3–T10, F5).
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { toRelativePosix } from '../base/paths.ts';
import { cycleEventSchema, type CycleEvent, type CycleReport } from '../model/cycle.ts';
import { affectedTests } from '../run/affectedTests.ts';
import { openBench, type CycleBench } from './cycleBench.ts';
import { lockCycle } from './cycleLock.ts';
import { emptyReport, reportOf } from './cycleReport.ts';
import type { CyclePlan, CycleRequest } from './cycleRequest.ts';
import { CycleState } from './cycleState.ts';
import { runIterations } from './iterations.ts';
import { toldEvent, toldReport } from './toldEvent.ts';

/**
 * Mends failing tests in one sandbox; the workspace is never written. Yields what happens and returns the report, also when it is
 * cancelled. Throws a `busy` HumanError while another cycle of this root runs, other HumanErrors when no sandbox can be made.
 */
export async function* runFixCycle(request: CycleRequest): AsyncGenerator<CycleEvent, CycleReport> {
  const { workspace, preset, maxIterations, targetPassRate } = request;
  const lock = await lockCycle(workspace.root, workspace.cacheFolder);
  const state = new CycleState(request);
  let bench: CycleBench | undefined;
  try {
    yield checked({ type: 'cycleStarted', root: workspace.root, preset, maxIterations, targetPassRate });
    try {
      yield progress('looking for tests');
      const plan = await planOf(request);
      for (const note of plan.notes) state.note(note);
      if (plan.testFiles.length === 0) state.end('no-tests');
      else {
        yield progress(`running ${countOf(plan.startFiles ?? plan.testFiles)} before any fix`);
        bench = await openBench({
          ...request,
          ...plan,
          start: state.costs.start,
          onNote: (note) => state.note(note),
        });
        for await (const event of runIterations(request, plan, bench, state))
          yield checked(toldEvent(event, bench));
      }
    } catch (error) {
      if (isCancelled(error, request.signal)) state.end('cancelled');
      else if (bench === undefined) throw error;
      else state.fail(error);
    }
    const report =
      bench === undefined
        ? emptyReport(request, state)
        : toldReport(await reportOf(request, state, bench), bench);
    yield checked({ type: 'cycleEnded', report });
    return report;
  } finally {
    await bench?.dispose();
    await lock.release();
  }
}

/** T2, T6: the affected tests first; none affected means the full suite. */
async function planOf(request: CycleRequest): Promise<CyclePlan> {
  const { workspace, projects, frameworks, signal } = request;
  const { root } = workspace;
  const listed = new Set<string>();
  for (const project of projects)
    for (const { file } of await frameworks(project.framework).listTestFiles(project, signal))
      listed.add(toRelativePosix(root, file));
  const testFiles = [...listed];
  const asked = [...(request.files ?? []), ...(request.tests ?? []).map(({ file }) => file)];
  if (asked.length > 0)
    return {
      testFiles,
      startFiles: [...new Set(asked.map((file) => toRelativePosix(root, file)))],
      notes: [],
    };
  const affected = await affectedTests({ root, testFiles, ...(signal === undefined ? {} : { signal }) });
  const isPart = affected.files.length > 0 && affected.files.length < testFiles.length;
  const notes = affected.unavailable === undefined ? [] : [affected.unavailable];
  return { testFiles, startFiles: isPart ? affected.files : undefined, notes };
}

function isCancelled(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || (error instanceof HumanError && error.code === 'cancelled');
}

const progress = (text: string): CycleEvent => ({ type: 'progress', text });
const countOf = (files: readonly string[]): string =>
  files.length === 1 ? path.posix.basename(files[0] ?? '') : `${files.length} test files`;

/** What leaves here crosses processes: an event that does not fit its schema is a bug of ours, said at once. */
function checked(event: CycleEvent): CycleEvent {
  return cycleEventSchema.parse(event);
}
