// A proven fix that was written, did not help in the workspace itself, and is out of the files again.
import type { CycleEvent, CycleFix, CycleReport } from './cycle.ts';

const head = 'Taken back: ';

export function takenBack(fix: CycleFix, why: string): CycleFix {
  return {
    ...fix,
    state: 'declined',
    verdict: { ...fix.verdict, verdict: 'rejected', reason: `${head}${why}` },
  };
}

export const isTakenBack = ({ verdict }: Pick<CycleFix, 'verdict'>): boolean =>
  verdict.verdict === 'rejected' && (verdict.reason ?? '').startsWith(head);

/** What follows the end of the cycle in a recording of it. */
export const takenBackEvents = ({ fixes, iterations }: CycleReport): CycleEvent[] =>
  fixes.filter(isTakenBack).map(({ id, verdict }) => ({
    type: 'fixRolledBack',
    iteration: iterations.at(-1)?.iteration ?? 1,
    fixId: id,
    reason: verdict.reason ?? '',
  }));
