// Finds the element that a step works on: waiting first, healing second, and never one of several by chance (CONTRACTS S3, S5).
import type { FrameLocator, Locator as PageLocator, Page } from 'playwright-core';
import { setTimeout as pause } from 'node:timers/promises';
import { matchesOf, scopeOf } from '../browser/strategyLocator.ts';
import { SettleWatch } from '../browser/settled.ts';
import type { Session } from '../browser/session.ts';
import { healingConfidence, matchConfidence } from '../healing/confidence.ts';
import { orderedStrategies, strategyText, type Locator, type Strategy } from '../locatorSchema.ts';
import type { Healer, Purpose, SoughtElement } from './healer.ts';
import type { Attempt, Healed, Proposal } from './result.ts';
import { StepError } from './stepError.ts';

interface Search {
  readonly session: Session;
  readonly locator: Locator;
  readonly stepId: string;
  readonly purpose: Purpose;
  /** What the step needs: an element that can be seen, or one that is there. */
  readonly needs: 'visible' | 'attached';
  /** `performance.now()` at which the step is over. */
  readonly deadline: number;
  readonly testIdAttribute: string;
  /** Absent: elements are not healed, and not remembered. */
  readonly healer?: Healer | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface FoundElement {
  readonly target: PageLocator;
  readonly attempts: readonly Attempt[];
  /** Another strategy than the first one found it, or its fingerprint did. */
  readonly healed?: Healed;
}

/** How long a strategy waits unless it says so, ms; a third of the step where that has less time. */
const defaultWait = 10_000;
/** Between two looks, ms. */
const interval = 100;

/**
 * The element by its first strategy as soon as that finds exactly one. A lower strategy counts only when each one above it has had its
 * wait and the page has settled; healing only when none finds it then. Without either the strategies go on until the deadline. Throws a
 * `StepError` with every attempt.
 */
export async function findElement(search: Search): Promise<FoundElement> {
  const { session, locator, deadline, healer, signal } = search;
  const strategies = orderedStrategies(locator);
  const started = performance.now();
  const waits = strategies.map(({ timeout }) => timeout ?? Math.min(defaultWait, (deadline - started) / 3));
  const settle = new SettleWatch(session);
  const doubts = new Map<Strategy, string>();
  let declined: { readonly reason: string; readonly proposals: readonly Proposal[] } | undefined;
  try {
    for (let round = 0; ; round++) {
      signal?.throwIfAborted();
      const scope = scopeOf(session.page, locator);
      const attempts: Attempt[] = [];
      const waited = performance.now() - started;
      let found: { readonly at: number; readonly target: PageLocator } | undefined;
      for (const [at, strategy] of strategies.entries()) {
        const tried = await tryStrategy(scope, strategy, search);
        const doubt = doubts.get(strategy);
        attempts.push(doubt === undefined || !tried.target ? tried.attempt : doubted(tried.attempt, doubt));
        if (tried.target && doubt === undefined) {
          found = { at, target: tried.target };
          break;
        }
      }
      if (found?.at === 0) {
        await healer?.see(search, found.target);
        return { target: found.target, attempts };
      }
      const above = found === undefined ? waits : waits.slice(0, found.at);
      const isTime = waited >= Math.max(...above);
      if ((isTime || round > 0) && (await settle.isSettled()) && isTime) {
        const sought = soughtIn(search, scope);
        const trigger = attempts[0]?.outcome === 'ambiguous' ? 'multiple_matches' : 'element_not_found';
        if (found) {
          const [original, used] = [strategies[0], strategies[found.at]];
          if (original === undefined || used === undefined) throw new Error('a strategy is gone');
          const judged = (await healer?.judge(sought, { original, used }, found.target)) ?? {
            confidence: plainConfidence(original, used),
          };
          if ('confidence' in judged) {
            await healer?.see(search, found.target);
            const healed = {
              displayName: locator.displayName,
              originalStrategy: original,
              usedStrategy: used,
              confidence: judged.confidence,
              trigger,
              evidence: [`${strategyText(used)} finds exactly one element`],
            } as const;
            return { target: found.target, attempts, healed };
          }
          doubts.set(used, judged.doubt);
          continue;
        }
        if (declined === undefined && healer && locator.healing.enabled) {
          const outcome = await healer.heal(sought, trigger);
          if (outcome.verdict === 'healed') {
            const { healed, target } = outcome;
            const { usedStrategy: strategy, confidence } = healed;
            attempts.push({ strategy, outcome: 'healed', matches: 1, confidence });
            return { target, attempts, healed };
          }
          declined = outcome;
        }
      }
      if (performance.now() >= deadline)
        throw new StepError(missText(locator, attempts, declined?.reason), {
          attempts,
          ...(declined && { proposals: declined.proposals }),
        });
      await pause(Math.max(0, Math.min(round < 3 ? 25 : interval, deadline - performance.now())));
    }
  } finally {
    void settle.dispose();
  }
}

interface Tried {
  readonly attempt: Attempt;
  readonly target?: PageLocator;
}

/** One look, without a wait. Of several matches the only one that can be seen is meant, else the one that `nth` says. */
async function tryStrategy(
  scope: Page | FrameLocator,
  strategy: Strategy,
  { needs, testIdAttribute }: Pick<Search, 'needs' | 'testIdAttribute'>,
): Promise<Tried> {
  const all = matchesOf(scope, strategy, testIdAttribute);
  let matches: number;
  try {
    matches = await all.count();
  } catch (error) {
    if (isGone(error)) return missing(strategy, 0, 'its frame is not there');
    const reason = firstLine(error);
    return { attempt: { strategy, outcome: 'invalid', matches: 0, reason } };
  }
  if (matches === 0) return missing(strategy, 0, 'nothing matches');
  if (strategy.nth !== undefined) {
    const at = strategy.nth < 0 ? matches + strategy.nth : strategy.nth;
    if (at < 0 || at >= matches)
      return missing(strategy, matches, `${matches} elements match, none at ${strategy.nth}`);
    return seen(strategy, all.nth(at), 1, needs);
  }
  if (matches === 1) return seen(strategy, all, 1, needs);
  const visible = all.filter({ visible: true });
  const shown = await visible.count();
  if (shown === 1) return seen(strategy, visible, matches, needs);
  const reason = `${matches} elements match${shown === matches ? '' : `, ${shown} of them visible`}`;
  const confidence = confidenceOf(strategy, matches);
  return { attempt: { strategy, outcome: 'ambiguous', matches, reason, confidence } };
}

async function seen(
  strategy: Strategy,
  target: PageLocator,
  matches: number,
  needs: Search['needs'],
): Promise<Tried> {
  if (needs === 'visible' && !(await target.isVisible().catch(() => false)))
    return missing(strategy, matches, 'it is there but cannot be seen');
  const confidence = confidenceOf(strategy, matches);
  return { attempt: { strategy, outcome: 'found', matches, confidence }, target };
}

function missing(strategy: Strategy, matches: number, reason: string): Tried {
  return { attempt: { strategy, outcome: 'missing', matches, reason } };
}

const confidenceOf = (strategy: Strategy, matches: number): number =>
  matchConfidence(strategy.type, matches, strategy.type === 'role' && strategy.name !== undefined);

/** Where nothing is known of the element but the strategies (S4). */
function plainConfidence(original: Strategy, used: Strategy): number {
  return healingConfidence({
    original: original.type,
    used: used.type,
    matches: 1,
    positionChanged: false,
    parentChanged: false,
    attributeSimilarity: 0,
    textSimilarity: 0,
  });
}

const doubted = ({ strategy, matches }: Attempt, reason: string): Attempt => ({
  strategy,
  outcome: 'missing',
  matches,
  reason,
});

function soughtIn(search: Search, scope: Page | FrameLocator): SoughtElement {
  const { session, stepId, locator, purpose, testIdAttribute } = search;
  return {
    stepId,
    locator,
    purpose,
    frame: async () => {
      if (locator.frame === undefined) return session.page.mainFrame();
      const handle = await scope.locator(':root').elementHandle();
      const frame = await handle?.ownerFrame();
      if (!frame) throw new Error('The frame of the element is not there.');
      return frame;
    },
    matches: (strategy) => matchesOf(scope, strategy, testIdAttribute),
  };
}

function missText(
  { displayName }: Locator,
  attempts: readonly Attempt[],
  declined: string | undefined,
): string {
  const tried = attempts.map(
    ({ strategy, reason = '' }) =>
      `  ${strategy.type === 'jsonPath' ? strategy.path : strategyText(strategy)}: ${reason}`,
  );
  return [
    `"${displayName}" was not found.`,
    ...tried,
    ...(declined === undefined ? [] : [`  by its fingerprint: ${declined}`]),
  ].join('\n');
}

/** A frame or document that is just being replaced. */
const isGone = (error: unknown): boolean =>
  /frame was detached|Execution context was destroyed|Failed to find frame|Target .*closed/i.test(
    String(error),
  );

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return (text.split('\n')[0] ?? '').replace(/^locator\.count: (?:Error: )?/, '').slice(0, 200);
}
