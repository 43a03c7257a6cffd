// Tries proposals of an iteration: chooses which, has them judged, asks who has to be asked, and lets lie in the sandbox what is proven.
import type { CycleEvent, CycleFix, Strategy } from '../model/cycle.ts';
import { ownFailures, type Fix, type Verdict } from '../model/fix.ts';
import type { TestResult } from '../model/testResult.ts';
import type { Standing } from '../verification/progress.ts';
import type { EndsWithSuite } from '../verification/verification.ts';
import { readOnce } from '../workspace/readText.ts';
import type { Advances } from './advances.ts';
import type { Attempts } from './attempts.ts';
import type { CycleBench } from './cycleBench.ts';
import type { CycleRequest } from './cycleRequest.ts';
import type { CycleState } from './cycleState.ts';
import type { Proposals } from './gatherProposals.ts';
import { joinFixes } from './groupFixes.ts';
import type { Batch } from './rollBack.ts';
import type { Tally } from './tally.ts';

type Events<T = void> = AsyncGenerator<CycleEvent, T>;

interface TrialParts {
  readonly request: CycleRequest;
  readonly bench: CycleBench;
  readonly state: CycleState;
  readonly ahead: Advances;
  readonly tally: Tally;
}

/** Milliseconds. */
const quickSuite = 60_000;

interface TrialParameters {
  readonly stateOf: (fix: Fix) => CycleFix['state'];
  readonly standing: Standing | undefined;
  /** The full suite is due once these fixes are kept. */
  readonly endsWithSuite?: EndsWithSuite;
}

export class Trials {
  readonly #request: CycleRequest;
  readonly #bench: CycleBench;
  readonly #state: CycleState;
  readonly #ahead: Advances;
  readonly #tally: Tally;

  constructor({ request, bench, state, ahead, tally }: TrialParts) {
    this.#request = request;
    this.#bench = bench;
    this.#state = state;
    this.#ahead = ahead;
    this.#tally = tally;
  }

  /** Proves the next fixes of this trust and lets the verified ones lie in the sandbox. */
  async *attempt(
    iteration: number,
    { fixes, newTests }: Proposals,
    strategy: Strategy,
    trust: 'mechanical' | 'oracle',
  ): Events<Batch | undefined> {
    const { attempts, stuck } = this.#state;
    const failing = this.#tally.failing().filter(({ id }) => !stuck.isStuck(id));
    const { join } = this.#ahead;
    const all = [...fixes, ...attempts.joined(fixes)];
    const chosen = attempts.next(all, failing, strategy, trust, (group) => join(group, joinFixes));
    if (chosen.length === 0) return undefined;
    const { standing } = this.#ahead;
    await this.#ahead.lift();
    const judged = yield* this.judge(iteration, chosen, {
      stateOf: (fix) => this.#stateOf(fix, newTests),
      standing,
      endsWithSuite: hasOthers(chosen, fixes, failing, attempts) ? undefined : this.#endsWithSuite,
    });
    const kept: CycleFix[] = [];
    for (const { fix } of judged) {
      const decided = await this.#decide(fix);
      if (decided !== fix) yield { type: 'fixJudged', iteration, fix: decided };
      if (decided.state !== 'declined') kept.push(decided);
    }
    const undo = kept.length === 0 ? undefined : await this.#bench.keep(kept);
    if (undo?.isSuite) this.#tally.suiteRan();
    else if (undo !== undefined) this.#tally.isCurrent = false;
    await this.#ahead.settle(
      kept,
      judged.flatMap(({ fix, advances }) => (advances ? [fix] : [])),
    );
    await this.#ahead.lay();
    return undo && { fixes: kept, undo };
  }

  async *judge(
    iteration: number,
    fixes: readonly Fix[],
    { stateOf, standing, endsWithSuite }: TrialParameters,
  ): Events<readonly { readonly fix: CycleFix; readonly advances: boolean }[]> {
    const diffs = new Map<Fix, string>();
    const read = readOnce((file) => this.#bench.readText(file));
    for (const fix of fixes) {
      diffs.set(fix, await this.#bench.diffOf(fix, read));
      yield { type: 'fixProposed', iteration, fix, diff: diffs.get(fix) ?? '' };
    }
    const { progress, attempts } = this.#state;
    if (fixes.length > 0) progress.begin('proving', provingText(fixes), fixes.length);
    let done = 0;
    const onVerdict = (asked: Fix, verdict: Verdict, fix: Fix): void => {
      const state = verdict.verdict === 'verified' ? stateOf(fix) : 'declined';
      const diff = diffs.get(asked) ?? '';
      progress.tell({ type: 'fixJudged', iteration, fix: { ...fix, verdict, diff, state } });
      progress.advance(++done);
    };
    const judged = await this.#bench.judge(fixes, { onVerdict, ahead: standing, endsWithSuite });
    yield* progress.drain();
    return judged.map(({ fix, verdict, advances }, index) => {
      const asked = fixes[index] ?? fix;
      const state = verdict.verdict === 'verified' ? stateOf(fix) : 'declined';
      return { fix: attempts.note(fix, verdict, diffs.get(asked) ?? '', state, asked), advances };
    });
  }

  /** A verdict, and a question that waits for it, is not to take as long as a large suite. */
  get #endsWithSuite(): EndsWithSuite {
    const { firstRun, ended } = this.#state;
    if (firstRun === undefined || ended === 'timeout') return undefined;
    if (firstRun.durationMs * this.#tally.timesFirst > quickSuite) return undefined;
    return this.#tally.knowsSuite ? 'known' : 'new';
  }

  /** Who has agreed already: nobody needs to, the user did beforehand, or the preset does for tests without a history (F10). */
  #stateOf(fix: Fix, newTests: ReadonlySet<string>): CycleFix['state'] {
    // The trial showed that only a person may apply it.
    if (fix.trust === 'propose') return 'declined';
    const { assume, preset } = this.#request;
    const isNew = fix.failures.every((id) => newTests.has(id));
    // By itself it mends nothing where its file only loads thanks to a change that still is a question.
    if (assume === 'ask' && this.#state.attempts.isHeldUp(fix)) return 'unreviewed';
    const agreed = fix.trust === 'mechanical' || assume === 'source-is-right' || (preset === 'qa' && isNew);
    return agreed ? 'accepted' : 'unreviewed';
  }

  /** What the person says about a proven change, when there is one to ask. */
  async #decide(fix: CycleFix): Promise<CycleFix> {
    if (fix.state !== 'unreviewed') return fix;
    const { attempts, takenUp } = this.#state;
    const decision = takenUp?.saidOf(fix) ?? (await this.#request.accept?.(fix));
    if (decision === undefined) return fix;
    if (decision === 'skip') attempts.skip(fix.failures);
    if (decision === 'bug') for (const id of fix.failures) attempts.bugs.add(id);
    return attempts.settle(fix.id, decision === 'accept' ? 'accepted' : 'declined') ?? fix;
  }
}

/** Is there another test that a proposal is left for? Then the full suite is not due yet. */
function hasOthers(
  chosen: readonly Fix[],
  fixes: readonly Fix[],
  failing: readonly TestResult[],
  attempts: Attempts,
): boolean {
  const ids = new Set(chosen.flatMap(({ failures }) => failures));
  const left = new Set(failing.map(({ id }) => id).filter((id) => attempts.isOpen(id) && !ids.has(id)));
  return fixes.some(
    (fix) =>
      fix.trust !== 'propose' && !attempts.wasTried(fix) && ownFailures(fix).some((id) => left.has(id)),
  );
}

function provingText([first, ...more]: readonly Fix[]): string {
  if (first?.trust === 'propose') return 'trying what only you may apply';
  return more.length === 0 ? `proving: ${first?.title ?? ''}` : `proving ${more.length + 1} fixes`;
}
