// What the search for an element asks when none of its strategies finds it: the seam between running and healing.
import type { Frame, Locator as PageLocator } from 'playwright-core';
import type { Locator, Strategy } from '../locatorSchema.ts';
import type { Healed, Proposal } from './result.ts';

/** `assertion`: a wrong element would pass where the page is wrong, so the bar is higher. */
export type Purpose = 'action' | 'assertion';

/** One element of one step. */
export interface SoughtElement {
  readonly stepId: string;
  readonly locator: Locator;
  readonly purpose: Purpose;
  /** The document that holds the element. */
  readonly frame: () => Promise<Frame>;
  /** Matches of a strategy there, to count and to use. */
  readonly matches: (strategy: Strategy) => PageLocator;
}

export type HealOutcome =
  | { readonly verdict: 'healed'; readonly target: PageLocator; readonly healed: Healed }
  | { readonly verdict: 'declined'; readonly reason: string; readonly proposals: readonly Proposal[] };

export interface Healer {
  /** Called once for an element, and only when the page has settled and it is still missing. */
  heal(sought: SoughtElement, trigger: Healed['trigger']): Promise<HealOutcome>;
  /** Is the one match of a lower strategy the element? Its confidence (S4), or why it may not be used. */
  judge(
    sought: SoughtElement,
    strategies: { readonly original: Strategy; readonly used: Strategy },
    target: PageLocator,
  ): Promise<{ readonly confidence: number } | { readonly doubt: string }>;
  /** Remembers what the element looks like; kept when the step turns out green. */
  see(sought: Pick<SoughtElement, 'stepId' | 'locator'>, target: PageLocator): Promise<void>;
}
