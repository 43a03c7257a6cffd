// Decides whether the likeliest candidate is the element, or whether nobody can tell.
import type { RankedCandidate } from './rankCandidates.ts';

interface HealingBar {
  /** The lowest score, 0..1. */
  readonly score: number;
  /** The lowest distance to the runner-up, 0..1. */
  readonly margin: number;
}

/** The lowest that is taken, where nothing else on the page comes near. */
export const actionBar: HealingBar = { score: 0.65, margin: 0.2 };
/** An assertion on a wrong element would pass where the page is wrong. */
export const assertBar: HealingBar = { score: 0.79, margin: 0.25 };

/** Of an element with the same name or text, with another one, and with none by which it could be known. One of the bars is enough. */
type Identity = 'same' | 'other' | 'none';
/** Tuned on the training half of the pages in docs/benchmarks.md. */
const bars: Readonly<Record<'action' | 'assertion', Readonly<Record<Identity, readonly HealingBar[]>>>> = {
  action: {
    same: [{ score: 0.82, margin: 0.04 }, actionBar],
    other: [
      { score: 0.85, margin: 0.06 },
      { score: 0.7, margin: 0.2 },
      { score: 0.65, margin: 0.3 },
    ],
    none: [{ score: 0.92, margin: 0.06 }],
  },
  assertion: {
    same: [{ score: 0.88, margin: 0.06 }, assertBar],
    other: [{ score: 0.92, margin: 0.1 }],
    none: [{ score: 0.95, margin: 0.1 }],
  },
};
/** From here on a name is taken for the same. */
const sameName = 0.9;

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
  options: { readonly assert?: boolean } = {},
): HealingDecision {
  const [best, second] = ranked;
  if (best === undefined) return { verdict: 'abstain', reason: 'nothing there', score: 0, margin: 0 };
  const identity = best.identity === undefined ? 'none' : best.identity >= sameName ? 'same' : 'other';
  const enough = bars[options.assert === true ? 'assertion' : 'action'][identity];
  const found = { score: best.score, margin: best.score - (second?.score ?? 0) };
  if (enough.some((bar) => found.score >= bar.score && found.margin >= bar.margin))
    return { verdict: 'heal', index: best.index, ...found };
  const isLike = enough.some((bar) => found.score >= bar.score);
  return { verdict: 'abstain', reason: isLike ? 'two alike' : 'too unlike', ...found };
}
