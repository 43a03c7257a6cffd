// What is said of a cycle that was cut off and is gone on with, alike in every report.
import { clockTime } from '../base/clockTime.ts';
import type { FormerWork, TakenUpWork } from './cycle.ts';

/** Fixes that fell away are named up to here. */
const mostNamed = 5;

/** "Goes on with the cycle of 14:02, which was cut off after 3 iterations with 5 proven fixes." */
export function goesOnText({ startedAt, iterations, fixes }: FormerWork, now?: number): string {
  return `Resumes the cycle of ${clockTime(Date.parse(startedAt), now)}, which was cut off ${doneText(iterations, fixes)}.`;
}

/** "after 3 iterations with 5 proven fixes" */
export function doneText(iterations: number, fixes: number): string {
  const done =
    iterations === 0
      ? 'in its first iteration'
      : `after ${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}`;
  return `${done} with ${fixes} proven ${fixes === 1 ? 'fix' : 'fixes'}`;
}

/** "Resumed: 4 of 5 fixes proven again." */
export function provenAgainText({ proven, fixes }: TakenUpWork): string {
  return `Resumed: ${proven} of ${fixes} ${fixes === 1 ? 'fix' : 'fixes'} proven again.`;
}

/** The same, with a sentence for each fix that fell away; none where there was nothing to prove again. */
export function resumedNotes(takenUp: TakenUpWork): readonly string[] {
  const { fixes, dropped } = takenUp;
  if (fixes === 0) return [];
  const more = dropped.length - mostNamed;
  return [
    provenAgainText(takenUp),
    ...dropped.slice(0, mostNamed).map(({ title, reason }) => `Not resumed: "${title}": ${reason}`),
    ...(more > 0 ? [`Not resumed: ${more} more.`] : []),
  ];
}
