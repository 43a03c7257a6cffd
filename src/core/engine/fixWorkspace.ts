// A fix cycle as one generator of events.
import type { CycleEvent, CycleReport } from '../model/cycle.ts';
import { bugDecisionsOf } from './acceptedFixes.ts';
import { cycleRequestFrom, runCycle, type AskedCycle } from './cycleRequest.ts';
import { eventsOf } from './eventsOf.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';
import { withSandbox } from './withSandbox.ts';

export interface InWorkspace {
  readonly opened: OpenedWorkspace;
  readonly signal: AbortSignal;
  /** What the user has to know at once, one sentence at a time. */
  readonly onNote: (note: string) => void;
}

interface WorkspaceFix extends InWorkspace {
  readonly asked: AskedCycle;
  readonly inPlace?: boolean;
}

/**
 * Changes nothing in the workspace; what it proved is kept, so that `applyFixes` writes it in any later process. Throws what
 * `cycleRequestFrom` and `withSandbox` throw.
 */
export async function* fixWorkspace(request: WorkspaceFix): AsyncGenerator<CycleEvent, CycleReport> {
  const { opened, signal, asked, inPlace = false, onNote } = request;
  const { root } = opened.workspace;
  const bugs = await bugDecisionsOf(root).current();
  const cycleRequest = await cycleRequestFrom(asked, opened, { bugs }, signal);
  return yield* eventsOf<CycleEvent, CycleReport>((onEvent) =>
    withSandbox({ root, inPlace, signal, onNote }, async (chosen) => {
      const cycle = runCycle({ ...cycleRequest, ...chosen });
      for (;;) {
        const step = await cycle.next();
        if (step.done === true) return step.value;
        onEvent(step.value);
      }
    }),
  );
}
