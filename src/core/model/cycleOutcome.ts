// What came of a fix cycle, in one sentence that is the same wherever it is told.
import type { CycleReport } from './cycle.ts';

/** `3 of 5 failing tests have a proven fix, 1 looks like a bug in the source`; no full stop at the end. */
export function cycleOutcome({ ended, status, fixes, remaining }: CycleReport): string {
  if (ended === 'no-tests') return 'No test ran';
  if (status === 'nothing-to-do') return 'Nothing to do: no test fails';
  const left = new Set(remaining.map(({ id }) => id));
  const kept = fixes.filter(({ verdict, state }) => verdict.verdict === 'verified' && state !== 'declined');
  const mended = new Set(kept.flatMap(({ failures }) => failures.filter((id) => !left.has(id))));
  const total = mended.size + left.size;
  const bugs = remaining.filter(({ fault }) => fault === 'source').length;
  const parts = [
    ended === 'cancelled' ? 'Stopped' : '',
    total === 0
      ? ''
      : `${mended.size} of ${total} failing ${total === 1 ? 'test' : 'tests'} ${mended.size === 1 || total === 1 ? 'has' : 'have'} a proven fix`,
    bugs === 0 ? '' : `${bugs} ${bugs === 1 ? 'looks' : 'look'} like a bug in the source`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'Ended' : parts.join(', ');
}
