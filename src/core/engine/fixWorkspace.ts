// A fix cycle as one generator of events, and its fixes applied by their ids, also by a process that did not find them.
import { HumanError } from '../base/humanError.ts';
import type { CycleEvent, CycleReport } from '../model/cycle.ts';
import type { TestResult } from '../model/testResult.ts';
import { bugDecisionsOf } from './acceptedFixes.ts';
import { applyAndJudge, type AppliedFixes } from './applyAndJudge.ts';
import { cycleRequestFrom, runCycle, type AskedCycle } from './cycleRequest.ts';
import { eventsOf } from './eventsOf.ts';
import { keepCycle, keptCycle } from './keptCycle.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';
import { withSandbox } from './withSandbox.ts';

interface InWorkspace {
  readonly opened: OpenedWorkspace;
  readonly signal: AbortSignal;
  /** What the user has to know at once, one sentence at a time. */
  readonly onNote: (note: string) => void;
}

export interface WorkspaceFix extends InWorkspace {
  readonly asked: AskedCycle;
  readonly inPlace?: boolean;
}

/**
 * Changes nothing in the workspace; what it proved is kept in the cache of the root, in place of what an earlier cycle proved. Throws
 * what `cycleRequestFrom` and `withSandbox` throw.
 */
export async function* fixWorkspace(request: WorkspaceFix): AsyncGenerator<CycleEvent, CycleReport> {
  const { opened, signal, asked, inPlace = false, onNote } = request;
  const { root } = opened.workspace;
  const bugs = await bugDecisionsOf(root).current();
  let before: readonly TestResult[] = [];
  const host = { bugs, onResults: (tests: readonly TestResult[]) => void (before = tests) };
  const cycleRequest = await cycleRequestFrom(asked, opened, host, signal);
  const report = yield* eventsOf<CycleEvent, CycleReport>((onEvent) =>
    withSandbox({ root, inPlace, signal, onNote }, async (chosen) => {
      const cycle = runCycle({ ...cycleRequest, ...chosen });
      for (;;) {
        const step = await cycle.next();
        if (step.done === true) return step.value;
        onEvent(step.value);
      }
    }),
  );
  await keepCycle(opened.workspace, { report, before });
  return report;
}

export interface FixesToApply extends InWorkspace {
  /** Of fixes of the last cycle. */
  readonly ids: readonly string[];
}

/**
 * Writes all of the fixes or none, and judges the workspace as it then is. Throws a `stale` HumanError for a fix that the last cycle of
 * the root did not prove.
 */
export async function applyToDisk({ ids, ...rest }: FixesToApply): Promise<AppliedFixes> {
  const { opened, signal, onNote } = rest;
  const kept = await keptCycle(opened.workspace);
  const verified = (kept?.report.fixes ?? []).filter(({ verdict }) => verdict.verdict === 'verified');
  const accepted = verified.filter(({ id }) => ids.includes(id));
  const unknown = ids.find((id) => !accepted.some((fix) => fix.id === id));
  if (kept === undefined || unknown !== undefined)
    throw new HumanError('stale', 'The last fix cycle of this folder proved no such fix.', {
      ...(unknown !== undefined && { value: unknown }),
      remedy: 'Run a fix cycle again, and name fixes from its report.',
    });
  const { report: cycle, before } = kept;
  return applyAndJudge({ cycle, accepted, before, opened, signal }, onNote);
}
