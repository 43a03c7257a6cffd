// Decides whether the likeliest candidate is the element, or whether nobody can tell.
import type { RankedCandidate } from './rankCandidates.ts';

interface HealingBar {
  /** The lowest score, 0..1. */
  readonly score: number;
  /** The lowest distance to the runner-up, 0..1. */
  readonly margin: number;
}

/** Tuned on the training half of the pages in docs/benchmarks.md. */
export const actionBar: HealingBar = { score: 0.6, margin: 0.05 };
/** An assertion on a wrong element would pass where the page is wrong. */
export const assertBar: HealingBar = { score: 0.75, margin: 0.1 };

type HealingDecision =
  | {
      readonly verdict: 'heal';
      /** Of the candidate in the list that was ranked. */
      readonly index: number;
      readonly score: number;
      readonly margin: number;
    }
  | {
      readonly verdict: 'abstain';
      readonly reason: 'nothing there' | 'too unlike' | 'two alike';
      readonly score: number;
      readonly margin: number;
    };

/** `ranked` as `rankCandidates` gives it; `assert` for the element of an assertion. */
export function decideHealing(
  ranked: readonly RankedCandidate[],
  options: { readonly assert?: boolean; readonly bar?: HealingBar } = {},
): HealingDecision {
  const bar = options.bar ?? (options.assert === true ? assertBar : actionBar);
  const [best, second] = ranked;
  if (best === undefined) return { verdict: 'abstain', reason: 'nothing there', score: 0, margin: 0 };
  const found = { score: best.score, margin: best.score - (second?.score ?? 0) };
  if (best.score < bar.score) return { verdict: 'abstain', reason: 'too unlike', ...found };
  if (found.margin < bar.margin) return { verdict: 'abstain', reason: 'two alike', ...found };
  return { verdict: 'heal', index: best.index, ...found };
}
