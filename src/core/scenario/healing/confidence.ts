// The confidence numbers of CONTRACTS S4: stored and shown beside the evidence, which decides.

export type StrategyType = 'testId' | 'role' | 'text' | 'label' | 'css' | 'xpath';

/**
 * How sure a match of a locator is, 0..1: `matches` elements were found (0: none, and no confidence), `named` whether a role was asked for
 * with a name.
 */
export function matchConfidence(type: StrategyType, matches: number, named = false): number {
  if (matches < 1) return 0;
  const several = matches > 1;
  switch (type) {
    case 'testId':
      return several ? 0.7 : 1;
    case 'role':
      return several ? 0.5 : named ? 0.9 : 0.7;
    case 'text':
      return several ? 0.4 : 0.8;
    case 'label':
      return 0.9;
    case 'css':
      return 0.8;
    case 'xpath':
      return 0.7;
  }
}

export interface HealedElement {
  readonly original: StrategyType;
  readonly used: StrategyType;
  /** How many elements the used strategy found, at least 1. */
  readonly matches: number;
  readonly positionChanged: boolean;
  readonly parentChanged: boolean;
  /** 0..1, as the next. */
  readonly attributeSimilarity: number;
  readonly textSimilarity: number;
}

const switchPenalties: Readonly<Record<string, number>> = {
  'testId role': 0.1,
  'testId text': 0.15,
  'testId label': 0.15,
  'testId css': 0.3,
  'testId xpath': 0.35,
  'role text': 0.1,
  'role css': 0.25,
  'text css': 0.2,
};
const otherSwitch = 0.2;

/** 0..1, in hundredths. A strategy of the same type is no switch and costs nothing. */
export function healingConfidence(healed: HealedElement): number {
  const { original, used } = healed;
  const penalty = original === used ? 0 : (switchPenalties[`${original} ${used}`] ?? otherSwitch);
  const others = Math.min(Math.max(healed.matches, 1) - 1, 5);
  const confidence =
    1 -
    penalty -
    0.1 * others -
    (healed.positionChanged ? 0.1 : 0) -
    (healed.parentChanged ? 0.15 : 0) +
    (healed.attributeSimilarity > 0.8 ? 0.1 : 0) +
    (healed.textSimilarity > 0.9 ? 0.1 : 0);
  return Math.round(100 * Math.min(1, Math.max(0, confidence))) / 100;
}
