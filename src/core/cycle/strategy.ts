// How far the next iteration may reach, decided from what the last ones brought (CONTRACTS T4).
import type { Strategy } from '../model/cycle.ts';

/** What the choice looks at; the first entry is the run before any fix. */
export interface IterationOutcome {
  /** Percent, unrounded; null when no test counted. Measured with the iteration's fixes in place, before any rollback. */
  readonly passRate: number | null;
  readonly scope: 'affected' | 'suite';
  /** Ids of the tests that failed. */
  readonly failed: readonly string[];
}

interface ChosenStrategy {
  readonly strategy: Strategy;
  /** One sentence for people. */
  readonly reason: string;
}

/** Strategy of iteration `history.length`; rates are compared within one scope only. */
export function chooseStrategy(
  history: readonly IterationOutcome[],
  wanted: 'auto' | Strategy = 'auto',
): ChosenStrategy {
  const iteration = Math.max(1, history.length);
  if (wanted !== 'auto') return { strategy: wanted, reason: `You asked for the ${wanted} strategy.` };
  const fall = fallOf(history);
  if (fall > regressionPoints) {
    const reason = `The pass rate fell by ${points(fall)}: smallest edit for the most critical failure, with rollback.`;
    return { strategy: 'surgical', reason };
  }
  if (iteration <= 2) {
    const reason = `Iteration ${iteration} treats one failure at a time.`;
    return { strategy: 'conservative', reason };
  }
  const rate = history.at(-1)?.passRate ?? null;
  const lastTwo = history.slice(-2).flatMap(({ failed }) => failed);
  const distinct = new Set(lastTwo).size;
  const similar = lastTwo.length > 0 && distinct <= similarShare * lastTwo.length;
  if (rate !== null && rate > highRate && similar) {
    const reason = `Over ${highRate} % pass and the same failures come again (${distinct} in ${lastTwo.length} occurrences): whole groups at once.`;
    return { strategy: 'aggressive', reason };
  }
  const why =
    rate === null || rate <= highRate
      ? `at most ${highRate} % pass`
      : `the failures differ too much for groups (${distinct} in ${lastTwo.length} occurrences)`;
  return { strategy: 'conservative', reason: `One failure at a time, as ${why}.` };
}

/** Points the pass rate may fall before an iteration counts as a regression. */
const regressionPoints = 10;
/** Percent of passing tests above which groups are tried. */
const highRate = 80;
/** Share of distinct failures among all at which they count as similar. */
const similarShare = 0.6;

function fallOf(history: readonly IterationOutcome[]): number {
  const [before, now] = [history.at(-2), history.at(-1)];
  if (before === undefined || now === undefined || before.scope !== now.scope) return 0;
  return before.passRate === null || now.passRate === null ? 0 : before.passRate - now.passRate;
}

const points = (fall: number): string => `${Math.round(fall * 10) / 10} points`;
