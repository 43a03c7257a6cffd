// Heals in the page: takes its elements' fingerprints, ranks them against the remembered one, and lets score and margin decide.
import type { Locator as PageLocator } from 'playwright-core';
import { elementAtPath, oneElementScript, visibleElements } from '../healing/collectElements.ts';
import { healingConfidence } from '../healing/confidence.ts';
import { actionBar, assertBar, decideHealing } from '../healing/decideHealing.ts';
import { fingerprintSchema, type ElementFingerprint } from '../healing/fingerprint.ts';
import { locatorsFor } from '../healing/locatorsFor.ts';
import { rankCandidates, type RankedCandidate } from '../healing/rankCandidates.ts';
import { orderedStrategies, strategyText, type Strategy } from '../locatorSchema.ts';
import type { Healer, HealOutcome, SoughtElement } from './healer.ts';
import type { Healed, Proposal } from './result.ts';

type ByElement = Record<string, Record<string, ElementFingerprint>>;

interface PageHealerOptions {
  /** Of the last green run. */
  readonly remembered: Readonly<Record<string, Readonly<Record<string, ElementFingerprint>>>>;
  readonly testIdAttribute: string;
  /** Off: elements are remembered, and none is healed. */
  readonly heals: boolean;
  /** Somebody said before that this is not the element. */
  readonly isRejected: (
    stepId: string,
    healing: { readonly displayName: string; readonly original: Strategy; readonly used: Strategy },
  ) => Promise<boolean>;
}

const proposalsShown = 3;

export class PageHealer implements Healer {
  readonly #options: PageHealerOptions;
  readonly #seen: ByElement = {};

  constructor(options: PageHealerOptions) {
    this.#options = options;
  }

  /** What was seen in the steps, for the file when the scenario is green. */
  get seen(): Readonly<ByElement> {
    return this.#seen;
  }

  /** A step that failed saw nothing worth to be kept. */
  forget(stepId: string): void {
    delete this.#seen[stepId];
  }

  async see(
    { stepId, locator }: Pick<SoughtElement, 'stepId' | 'locator'>,
    target: PageLocator,
  ): Promise<void> {
    const found = await fingerprintOf(target);
    if (found) (this.#seen[stepId] ??= {})[locator.displayName] = found;
  }

  async judge(
    sought: SoughtElement,
    { original, used }: { readonly original: Strategy; readonly used: Strategy },
    target: PageLocator,
  ): Promise<{ readonly confidence: number } | { readonly doubt: string }> {
    if (await this.#isRejected(sought, original, used)) return { doubt: 'this healing was rejected' };
    const old = this.#rememberedOf(sought);
    const now = await fingerprintOf(target);
    const confidence = confidenceOf(original.type, used.type, old, now);
    if (old === undefined || now === undefined) {
      // Nothing is known of it but the strategy: enough to act, and for an assertion only where that is as good.
      const isEnough =
        sought.purpose === 'action' || confidence >= sought.locator.healing.confidenceThreshold;
      return isEnough ? { confidence } : { doubt: 'no fingerprint tells whether it is the asserted element' };
    }
    const score = rankCandidates(old, [now])[0]?.score ?? 0;
    const bar = sought.purpose === 'assertion' ? assertBar : actionBar;
    if (score >= bar.score) return { confidence };
    return { doubt: `it does not look like the recorded element (${shown(score)} of ${shown(bar.score)})` };
  }

  async heal(sought: SoughtElement, trigger: Healed['trigger']): Promise<HealOutcome> {
    const decline = (reason: string, proposals: readonly Proposal[] = []): HealOutcome => ({
      verdict: 'declined',
      reason,
      proposals,
    });
    if (!this.#options.heals) return decline('healing is off');
    const old = this.#rememberedOf(sought);
    if (old === undefined) return decline('none was recorded: it is after the first green run');
    const frame = await sought.frame();
    const candidates = await visibleElements(frame);
    const ranked = rankCandidates(old, candidates);
    const proposals = ranked.slice(0, proposalsShown).flatMap((one) => this.#proposal(one, candidates));
    const decision = decideHealing(ranked, { assert: sought.purpose === 'assertion' });
    if (decision.verdict === 'abstain') {
      const found = `best score ${shown(decision.score)}, ${shown(decision.margin)} before the next`;
      return decline(`${decision.reason} (${found})`, proposals);
    }
    const { index, score, margin } = decision;
    const element = candidates[index];
    const [original] = orderedStrategies(sought.locator);
    if (element === undefined || original === undefined) return decline('nothing there', proposals);
    const used = await this.#strategyFor(sought, element, candidates);
    if (used === undefined) return decline('no strategy finds the likeliest element alone', proposals);
    if (await this.#isRejected(sought, original, used))
      return decline('this healing was rejected', proposals);
    const reasons = ranked[0]?.reasons.slice(0, 4) ?? [];
    return {
      verdict: 'healed',
      target: sought.matches(used),
      healed: {
        displayName: sought.locator.displayName,
        originalStrategy: original,
        usedStrategy: used,
        confidence: confidenceOf(original.type, used.type, old, element),
        score,
        margin,
        trigger,
        evidence: reasons.map(({ property, similarity }) => `${property} ${shown(similarity)}`),
      },
    };
  }

  #isRejected({ stepId, locator }: SoughtElement, original: Strategy, used: Strategy): Promise<boolean> {
    const { displayName } = locator;
    return this.#options.isRejected(stepId, { displayName, original, used });
  }

  #rememberedOf({ stepId, locator }: SoughtElement): ElementFingerprint | undefined {
    return this.#options.remembered[stepId]?.[locator.displayName];
  }

  /** The most robust strategy that finds this very element in the browser, and nothing else. */
  async #strategyFor(
    sought: SoughtElement,
    element: ElementFingerprint,
    candidates: readonly ElementFingerprint[],
  ): Promise<Strategy | undefined> {
    const { testIdAttribute } = this.#options;
    const written: Strategy[] = [...locatorsFor(element, candidates, { testIdAttribute, most: 4 })];
    if (element.path !== undefined && !element.path.includes('#shadow'))
      written.push({ type: 'xpath', expression: `/${element.path}` });
    const frame = await sought.frame();
    const wanted = await frame.evaluateHandle(elementAtPath, element.path ?? '');
    try {
      for (const strategy of written) {
        const matches = sought.matches(strategy);
        if ((await matches.count().catch(() => 0)) !== 1) continue;
        if (await matches.evaluate((one, other) => one === other, wanted)) return strategy;
      }
      return undefined;
    } finally {
      await wanted.dispose();
    }
  }

  #proposal(
    { index, score, reasons }: RankedCandidate,
    candidates: readonly ElementFingerprint[],
  ): readonly Proposal[] {
    const element = candidates[index];
    if (element === undefined) return [];
    const { testIdAttribute } = this.#options;
    const [strategy] = locatorsFor(element, candidates, { testIdAttribute, most: 1 });
    const named = element.accessibleName ?? element.text ?? '';
    const description = `<${element.tag}>${named === '' ? '' : ` "${named.slice(0, 60)}"`}`;
    const told = reasons.slice(0, 4).map(({ property, similarity }) => `${property} ${shown(similarity)}`);
    return [{ ...(strategy && { strategy }), description, score, reasons: told }];
  }
}

/** One line for a person: `<button> "Pay" by role=button "Pay", 0.58`. */
export function proposalText({ strategy, description, score }: Proposal): string {
  return `${description}${strategy === undefined ? '' : ` by ${strategyText(strategy)}`}, ${shown(score)}`;
}

async function fingerprintOf(target: PageLocator): Promise<ElementFingerprint | undefined> {
  try {
    const read: unknown = await target.evaluate(oneElementScript, undefined, { timeout: 1000 });
    return fingerprintSchema.safeParse(read).data;
  } catch {
    // It is gone meanwhile: whoever uses it will say so.
    return undefined;
  }
}

/** S4, with what both fingerprints tell. Without them nothing counts as changed or alike. */
function confidenceOf(
  original: Strategy['type'],
  used: Strategy['type'],
  old: ElementFingerprint | undefined,
  now: ElementFingerprint | undefined,
): number {
  const reasons = old && now ? (rankCandidates(old, [now])[0]?.reasons ?? []) : [];
  const alike = (property: string): number =>
    reasons.find((one) => one.property === property)?.similarity ?? 0;
  const above = (path = ''): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
  const isKnown = old !== undefined && now !== undefined;
  return healingConfidence({
    original,
    used,
    matches: 1,
    positionChanged: isKnown && old.path !== now.path,
    parentChanged: isKnown && above(old.path) !== above(now.path),
    attributeSimilarity: alike('attributes'),
    textSimilarity: Math.max(alike('text'), alike('accessibleName')),
  });
}

const shown = (share: number): string => share.toFixed(2);
