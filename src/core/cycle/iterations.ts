// The iterations of a cycle: choose a reach, try one fix for each failure, keep what is proven, take back what made things worse.
import type { CycleEvent, IterationCounts, IterationRecord, Strategy } from '../model/cycle.ts';
import type { Fix } from '../model/fix.ts';
import { suitesOf } from '../model/testName.ts';
import type { TestResult } from '../model/testResult.ts';
import { Advances } from './advances.ts';
import type { CycleBench } from './cycleBench.ts';
import type { CyclePlan, CycleRequest } from './cycleRequest.ts';
import type { CycleState } from './cycleState.ts';
import { gatherProposals, type Proposals } from './gatherProposals.ts';
import { noteReached } from './noteReached.ts';
import { rollBack, type Batch } from './rollBack.ts';
import { chooseStrategy } from './strategy.ts';
import { failureSignature } from './stuck.ts';
import { Tally } from './tally.ts';
import { Trials } from './trials.ts';

type Events<T = void> = AsyncGenerator<CycleEvent, T>;

/** Leaves in `state` how the cycle ended. */
export async function* runIterations(
  request: CycleRequest,
  plan: CyclePlan,
  bench: CycleBench,
  state: CycleState,
): Events {
  const cycle = new Iterations(request, plan, bench, state);
  yield* cycle.run();
}

class Iterations {
  readonly #request: CycleRequest;
  readonly #bench: CycleBench;
  readonly #state: CycleState;
  readonly #tally: Tally;
  readonly #trials: Trials;
  /** Failures as they were when fixes were last sought, by test id. */
  readonly #known = new Map<string, string>();
  #isTakenUp = false;
  readonly #ahead: Advances;

  constructor(request: CycleRequest, plan: CyclePlan, bench: CycleBench, state: CycleState) {
    this.#request = request;
    this.#bench = bench;
    this.#state = state;
    this.#ahead = new Advances(bench, state.attempts);
    this.#tally = new Tally(plan, bench, state, request.targetPassRate);
    this.#trials = new Trials({ request, bench, state, ahead: this.#ahead, tally: this.#tally });
  }

  /** Whatever ends it, nothing lies in the sandbox afterwards but what is proven. */
  async *run(): Events {
    try {
      yield* this.#run();
    } finally {
      noteReached(this.#ahead, this.#bench, this.#state);
      await this.#ahead.lift();
    }
  }

  async *#run(): Events {
    if (this.#tally.failing().length === 0) yield* this.#tally.widen();
    if (this.#tally.total() === 0) return this.#state.end('no-tests');
    this.#state.wasGreen = this.#state.suiteIsKnown && this.#bench.failing().length === 0;
    this.#state.history.push(this.#tally.outcome());
    if (this.#tally.failing().length === 0) return this.#state.end('target');
    const { maxIterations } = this.#request;
    // What was done before a kill counts, but one is left.
    const done = Math.min(this.#state.takenUp?.iterations ?? 0, maxIterations - 1);
    for (let iteration = done + 1; iteration <= maxIterations; iteration++) {
      if (this.#endsAtBudget()) return;
      const goesOn = yield* this.#iterate(iteration, iteration === maxIterations);
      if (goesOn && iteration < maxIterations) continue;
      if (goesOn) this.#state.end(this.#tally.isOnTarget() ? 'target' : 'max-iterations');
      if (this.#state.ended === 'budget') return;
      await this.#ahead.lift();
      // The report speaks of the full suite, whatever made the cycle end.
      if (!this.#tally.isCurrent && this.#state.ended !== 'timeout') yield* this.#tally.widen();
      return yield* this.#judgeProposals(iteration);
    }
  }

  /** False when there is no reason for another iteration. */
  async *#iterate(iteration: number, isLast: boolean): Events<boolean> {
    const { strategy, reason } = chooseStrategy(this.#state.history, this.#request.strategy);
    yield {
      type: 'iterationStarted',
      iteration,
      strategy,
      reason,
      scope: isLast ? 'suite' : this.#tally.scope,
    };
    const started = this.#tally.counts();
    const before = new Map(this.#bench.settled);
    const batches: Batch[] = [];
    batches.push(...(yield* this.#takeUp(iteration)));
    await this.#ahead.lay();
    const proposals = await this.#gather(strategy);
    yield this.#testsFailing(iteration);
    const ahead = this.#ahead.state;
    let moved = yield* this.#trials.attempt(iteration, proposals, strategy, 'mechanical');
    // What nobody needs to be asked about comes first, as far as it leads: a question is not to hold what others need as well.
    const triesOn = strategy !== 'surgical';
    const isIdle = (): boolean => triesOn && moved === undefined && this.#ahead.state === ahead;
    while (this.#ahead.standing && isIdle() && this.#hasUntried(proposals))
      moved = yield* this.#trials.attempt(iteration, proposals, strategy, 'mechanical');
    let current = proposals;
    if (moved !== undefined) {
      batches.push(moved);
      if (strategy !== 'surgical') current = await this.#gather(strategy);
    }
    const isFurther = this.#ahead.state !== ahead;
    if (!isFurther && (moved === undefined || strategy !== 'surgical') && !this.#endsAtBudget()) {
      const changed = yield* this.#trials.attempt(iteration, current, strategy, 'oracle');
      if (changed !== undefined) batches.push(changed);
    }
    const hasMore = this.#hasMore(current);
    await this.#ahead.lift();
    const isOver = this.#state.ended === 'budget';
    const measured = isOver ? this.#tally.rates().rate : yield* this.#tally.measure(isLast || !hasMore);
    const given = {
      iteration,
      before,
      batches,
      scope: this.#tally.scope,
      bench: this.#bench,
      state: this.#state,
    };
    const rolledBack = yield* rollBack(given);
    if (rolledBack) this.#tally.isCurrent = false;
    const record = this.#record(iteration, strategy, reason, started);
    this.#state.records.push(record);
    this.#state.history.push({ ...this.#tally.outcome(), ...(rolledBack && { passRate: measured }) });
    await this.#ahead.lay();
    const asksAgain = batches.length > 0 && !rolledBack && this.#canAskOthers();
    // What waits for its turn, as in surgical iterations or for another question, is not stuck.
    const treated = asksAgain ? [] : this.#bench.failing();
    this.#state.stuck.note(
      treated.filter(({ id }) => this.#state.attempts.wasTreated(id)),
      this.#stepsOf,
    );
    yield { type: 'iterationEnded', record };
    return this.#goesOn(iteration, rolledBack || asksAgain || this.#hasMore(current));
  }

  /** What the killed cycle had proven is judged anew, before anything else is sought; nobody outside is asked for it. */
  async *#takeUp(iteration: number): Events<readonly Batch[]> {
    const { takenUp, attempts } = this.#state;
    const batches: Batch[] = [];
    if (takenUp === undefined || this.#isTakenUp) return batches;
    this.#isTakenUp = true;
    const providers = this.#request.providers?.filter((one) => one.spent === undefined);
    while (takenUp.hasLeft(attempts.fixes) && this.#state.costs.exceeded() === undefined) {
      const proposals = await this.#gather('conservative', providers);
      const own = { ...proposals, fixes: proposals.fixes.filter((fix) => takenUp.has(fix)) };
      let kept: Batch | undefined;
      for (const trust of ['mechanical', 'oracle'] as const)
        kept ??= yield* this.#trials.attempt(iteration, own, 'conservative', trust);
      if (kept === undefined) break;
      batches.push(kept);
    }
    return batches;
  }

  /** `isSettled`: for which fixes nothing more needs to be found out. */
  async #gather(
    strategy: Strategy,
    providers = this.#request.providers,
    isSettled = (_fix: Fix): boolean => false,
  ): Promise<Proposals> {
    const request = { ...this.#bugsKnown(), isSettled, ...(providers !== undefined && { providers }) };
    const found = await gatherProposals(this.#tally.failing(), this.#bench, request, strategy);
    const proposals = { ...found, fixes: found.fixes.flatMap((fix) => this.#ahead.chainOf(fix) ?? []) };
    for (const [id, diagnosis] of proposals.diagnoses) this.#state.diagnoses.set(id, diagnosis);
    for (const [id, reasons] of proposals.refusals) this.#state.refusals.set(id, reasons);
    for (const [id, change] of proposals.reached) this.#state.reached.set(id, change);
    for (const note of proposals.notes) this.#state.note(note);
    this.#known.clear();
    for (const test of this.#tally.failing()) this.#known.set(test.id, this.#signatureOf(test));
    const covered = new Set(proposals.fixes.flatMap(({ failures }) => failures));
    this.#state.attempts.treat(
      this.#tally
        .failing()
        .map(({ id }) => id)
        .filter((id) => !covered.has(id)),
    );
    return proposals;
  }

  /** What is kept was proven; that the full suite did not run is said. */
  #endsAtBudget(): boolean {
    const reason = this.#state.costs.exceeded();
    if (reason === undefined) return false;
    this.#state.note(reason);
    if (!this.#tally.isCurrent) {
      this.#state.suiteIsKnown = false;
      this.#state.note('The full suite was not run again with what is mended.');
    }
    this.#state.end('budget');
    return true;
  }

  #goesOn(iteration: number, hasMore: boolean): boolean {
    if (this.#state.ended === 'budget') return false;
    const { preset } = this.#request;
    const { failed, rate } = this.#tally.rates();
    const isTreated = this.#tally.failing().every(({ id }) => this.#state.attempts.wasTreated(id));
    const isContent = preset === 'qa' && iteration >= 2 && rate !== null && rate >= qaPassRate;
    if (failed.length === 0 || isContent) this.#state.end('target');
    else if (this.#tally.isOnTarget() && this.#state.suiteIsKnown && isTreated && !hasMore)
      this.#state.end('target');
    else if (hasMore) return true;
    else if (this.#state.ended !== 'timeout')
      this.#state.end(
        this.#tally.failing().some(({ id }) => this.#state.stuck.isStuck(id)) ? 'stuck' : 'no-progress',
      );
    return false;
  }

  /** Is there a failure with an untried proposal, or one that nobody has looked at as it is now? */
  #hasMore({ fixes }: Proposals): boolean {
    const { attempts, stuck } = this.#state;
    const known = [...fixes, ...attempts.joined(fixes)];
    return this.#tally.failing().some((test) => {
      if (!attempts.isOpen(test.id) || stuck.isStuck(test.id) || this.#bench.flaky.has(test.id)) return false;
      if (this.#known.get(test.id) !== this.#signatureOf(test)) return true;
      return known.some(
        (fix) => fix.trust !== 'propose' && !attempts.wasTried(fix) && fix.failures.includes(test.id),
      );
    });
  }

  #stepsOf = (id: string): number => this.#ahead.leadingTo(id).length;

  #signatureOf = (test: TestResult): string => failureSignature(test, this.#stepsOf(test.id));

  /** Failing tests that may still be treated. */
  #open(): ReadonlySet<string> {
    const { attempts, stuck } = this.#state;
    const ids = this.#tally.failing().map(({ id }) => id);
    return new Set(ids.filter((id) => attempts.isOpen(id) && !stuck.isStuck(id)));
  }

  /** Somebody outside may mend one test at a time: while that goes on, they are asked about those that are left. */
  #canAskOthers(): boolean {
    const asksOutside = this.#request.providers?.some((one) => one.spent !== undefined) ?? false;
    return asksOutside && this.#open().size > 0;
  }

  /** Is there a proposal left to try that nobody needs to be asked about? */
  #hasUntried({ fixes }: Proposals): boolean {
    const { attempts } = this.#state;
    const open = this.#open();
    return [...fixes, ...attempts.joined(fixes)].some(
      (fix) =>
        fix.trust === 'mechanical' && !attempts.wasTried(fix) && fix.failures.some((id) => open.has(id)),
    );
  }

  /** What only a person may apply is tried too, once, so that they know what it does; nothing of it stays. */
  async *#judgeProposals(iteration: number): Events {
    await this.#ahead.lay();
    const open = this.#tally.failing().filter(({ id }) => this.#state.attempts.isOpen(id));
    if (open.length === 0) return;
    const { attempts } = this.#state;
    const { providers } = this.#request;
    const { fixes } = await this.#gather('surgical', providers, (fix) => attempts.wasTried(fix));
    const { standing } = this.#ahead;
    noteReached(this.#ahead, this.#bench, this.#state);
    await this.#ahead.lift();
    // Those that were not enough alone are tried together afterwards.
    for (const offered of [() => fixes, () => attempts.joined(fixes)]) {
      const chosen = attempts.next(offered(), open, 'conservative', 'propose');
      yield* this.#trials.judge(iteration, chosen, { stateOf: () => 'declined', standing });
    }
  }

  #testsFailing(iteration: number): CycleEvent {
    const tests = this.#bench.failing().map((test) => {
      const { id, file, line, title, failure } = test;
      const { fault, reason } = this.#state.diagnoses.get(id) ?? notAsked;
      const severity = failure?.severity ?? 'medium';
      const message = failure?.message ?? test.outcome;
      return { id, file, line, ...suitesOf(test), title, severity, fault, reason, message };
    });
    return { type: 'testsFailing', iteration, tests };
  }

  #record(iteration: number, strategy: Strategy, reason: string, started: IterationCounts): IterationRecord {
    return {
      iteration,
      ...started,
      strategy,
      strategy_reason: reason,
      scope: this.#tally.scope,
      after: this.#tally.counts(),
    };
  }

  #bugsKnown(): CycleRequest {
    return { ...this.#request, bugs: this.#state.attempts.bugs };
  }
}

const notAsked = { fault: 'unknown', reason: 'It is not among the tests to mend.' } as const;
/** F2: percent at which the qa preset is content after two iterations. */
const qaPassRate = 95;
