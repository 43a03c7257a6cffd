// The iterations of a cycle: choose a reach, try one fix for each failure, keep what is proven, take back what made things worse.
import type { CycleEvent, CycleFix, IterationCounts, IterationRecord, Strategy } from '../model/cycle.ts';
import type { Fix, Verdict } from '../model/fix.ts';
import { wirePassRate } from '../model/summarize.ts';
import { suitesOf } from '../model/testName.ts';
import type { TestResult } from '../model/testResult.ts';
import { readOnce } from '../workspace/readText.ts';
import type { Standing } from '../verification/progress.ts';
import { Advances } from './advances.ts';
import type { CycleBench } from './cycleBench.ts';
import type { CyclePlan, CycleRequest } from './cycleRequest.ts';
import type { CycleState } from './cycleState.ts';
import { gatherProposals, type Proposals } from './gatherProposals.ts';
import { joinFixes } from './groupFixes.ts';
import { ratesOf } from './passRates.ts';
import { noteReached } from './noteReached.ts';
import { rollBack, type Batch } from './rollBack.ts';
import { chooseStrategy } from './strategy.ts';
import { failureSignature } from './stuck.ts';

type Events<T = void> = AsyncGenerator<CycleEvent, T>;
type Scope = IterationRecord['scope'];
type Counts = IterationCounts;

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
  readonly #plan: CyclePlan;
  readonly #bench: CycleBench;
  readonly #state: CycleState;
  #scope: Scope;
  /** Failures as they were when fixes were last sought, by test id. */
  readonly #known = new Map<string, string>();
  /** Nothing was kept since the full suite ran. */
  #suiteIsCurrent = false;
  #isTakenUp = false;
  readonly #ahead: Advances;

  constructor(request: CycleRequest, plan: CyclePlan, bench: CycleBench, state: CycleState) {
    this.#request = request;
    this.#plan = plan;
    this.#bench = bench;
    this.#state = state;
    this.#scope = plan.startFiles === undefined ? 'suite' : 'affected';
    this.#ahead = new Advances(bench, state.attempts);
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
    this.#suiteIsCurrent = this.#scope === 'suite';
    this.#state.suiteIsKnown = this.#suiteIsCurrent;
    if (this.#failing().length === 0) yield* this.#widen();
    if (this.#total() === 0) return this.#state.end('no-tests');
    this.#state.wasGreen = this.#state.suiteIsKnown && this.#bench.failing().length === 0;
    this.#state.history.push(this.#outcome());
    if (this.#failing().length === 0) return this.#state.end('target');
    const { maxIterations } = this.#request;
    // What was done before a kill counts, but one is left.
    const done = Math.min(this.#state.takenUp?.iterations ?? 0, maxIterations - 1);
    for (let iteration = done + 1; iteration <= maxIterations; iteration++) {
      if (this.#endsAtBudget()) return;
      const goesOn = yield* this.#iterate(iteration, iteration === maxIterations);
      if (goesOn && iteration < maxIterations) continue;
      if (goesOn) this.#state.end(this.#isOnTarget() ? 'target' : 'max-iterations');
      if (this.#state.ended === 'budget') return;
      await this.#ahead.lift();
      // The report speaks of the full suite, whatever made the cycle end.
      if (!this.#suiteIsCurrent && this.#state.ended !== 'timeout') yield* this.#widen();
      return yield* this.#judgeProposals(iteration);
    }
  }

  /** False when there is no reason for another iteration. */
  async *#iterate(iteration: number, isLast: boolean): Events<boolean> {
    const { strategy, reason } = chooseStrategy(this.#state.history, this.#request.strategy);
    yield { type: 'iterationStarted', iteration, strategy, reason, scope: isLast ? 'suite' : this.#scope };
    const started = this.#counts();
    const before = new Map(this.#bench.settled);
    const batches: Batch[] = [];
    batches.push(...(yield* this.#takeUp(iteration)));
    await this.#ahead.lay();
    const proposals = await this.#gather(strategy);
    yield this.#testsFailing(iteration);
    const ahead = this.#ahead.state;
    let moved = yield* this.#attempt(iteration, proposals, strategy, 'mechanical');
    // What nobody needs to be asked about comes first, as far as it leads: a question is not to hold what others need as well.
    const triesOn = strategy !== 'surgical';
    const isIdle = (): boolean => triesOn && moved === undefined && this.#ahead.state === ahead;
    while (this.#ahead.standing && isIdle() && this.#hasUntried(proposals))
      moved = yield* this.#attempt(iteration, proposals, strategy, 'mechanical');
    let current = proposals;
    if (moved !== undefined) {
      batches.push(moved);
      if (strategy !== 'surgical') current = await this.#gather(strategy);
    }
    const isFurther = this.#ahead.state !== ahead;
    if (!isFurther && (moved === undefined || strategy !== 'surgical') && !this.#endsAtBudget()) {
      const changed = yield* this.#attempt(iteration, current, strategy, 'oracle');
      if (changed !== undefined) batches.push(changed);
    }
    const hasMore = this.#hasMore(current);
    await this.#ahead.lift();
    const isOver = this.#state.ended === 'budget';
    const measured = isOver ? this.#rates().rate : yield* this.#measure(isLast || !hasMore);
    const given = { iteration, before, batches, scope: this.#scope, bench: this.#bench, state: this.#state };
    const rolledBack = yield* rollBack(given);
    if (rolledBack) this.#suiteIsCurrent = false;
    const record = this.#record(iteration, strategy, reason, started);
    this.#state.records.push(record);
    this.#state.history.push({ ...this.#outcome(), ...(rolledBack && { passRate: measured }) });
    await this.#ahead.lay();
    const asksAgain = batches.length > 0 && !rolledBack && this.#canAskOthers();
    // What waits for its turn, as in surgical iterations or for another question, is not stuck.
    const treated = asksAgain ? [] : this.#bench.failing();
    this.#state.stuck.note(treated.filter(({ id }) => this.#state.attempts.wasTreated(id)));
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
        kept ??= yield* this.#attempt(iteration, own, 'conservative', trust);
      if (kept === undefined) break;
      batches.push(kept);
    }
    return batches;
  }

  async #gather(strategy: Strategy, providers = this.#request.providers): Promise<Proposals> {
    const request = { ...this.#bugsKnown(), ...(providers !== undefined && { providers }) };
    const found = await gatherProposals(this.#failing(), this.#bench, request, strategy);
    const proposals = { ...found, fixes: found.fixes.flatMap((fix) => this.#ahead.chainOf(fix) ?? []) };
    for (const [id, diagnosis] of proposals.diagnoses) this.#state.diagnoses.set(id, diagnosis);
    for (const [id, reasons] of proposals.refusals) this.#state.refusals.set(id, reasons);
    for (const [id, change] of proposals.reached) this.#state.reached.set(id, change);
    for (const note of proposals.notes) this.#state.note(note);
    this.#known.clear();
    for (const test of this.#failing()) this.#known.set(test.id, failureSignature(test));
    const covered = new Set(proposals.fixes.flatMap(({ failures }) => failures));
    this.#state.attempts.treat(
      this.#failing()
        .map(({ id }) => id)
        .filter((id) => !covered.has(id)),
    );
    return proposals;
  }

  /** Proves the next fixes of this trust and lets the verified ones lie in the sandbox. */
  async *#attempt(
    iteration: number,
    { fixes, newTests }: Proposals,
    strategy: Strategy,
    trust: 'mechanical' | 'oracle',
  ): Events<Batch | undefined> {
    const { attempts, stuck } = this.#state;
    const failing = this.#failing().filter(({ id }) => !stuck.isStuck(id));
    const { join } = this.#ahead;
    const all = [...fixes, ...attempts.joined(fixes)];
    const chosen = attempts.next(all, failing, strategy, trust, (group) => join(group, joinFixes));
    if (chosen.length === 0) return undefined;
    const { standing } = this.#ahead;
    await this.#ahead.lift();
    const judged = yield* this.#judge(iteration, chosen, (fix) => this.#stateOf(fix, newTests), standing);
    const kept: CycleFix[] = [];
    for (const { fix } of judged) {
      const decided = await this.#decide(fix);
      if (decided !== fix) yield { type: 'fixJudged', iteration, fix: decided };
      if (decided.state !== 'declined') kept.push(decided);
    }
    if (kept.length > 0) this.#suiteIsCurrent = false;
    const undo = kept.length === 0 ? undefined : await this.#bench.keep(kept);
    await this.#ahead.settle(
      kept,
      judged.flatMap(({ fix, advances }) => (advances ? [fix] : [])),
    );
    await this.#ahead.lay();
    return undo && { fixes: kept, undo };
  }

  async *#judge(
    iteration: number,
    fixes: readonly Fix[],
    stateOf: (fix: Fix) => CycleFix['state'],
    standing?: Standing,
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
    const judged = await this.#bench.judge(fixes, onVerdict, standing);
    yield* progress.drain();
    return judged.map(({ fix, verdict, advances }, index) => {
      const asked = fixes[index] ?? fix;
      const state = verdict.verdict === 'verified' ? stateOf(fix) : 'declined';
      return { fix: attempts.note(fix, verdict, diffs.get(asked) ?? '', state, asked), advances };
    });
  }

  /** Who has agreed already: nobody needs to, the user did beforehand, or the preset does for tests without a history (F10). */
  #stateOf(fix: Fix, newTests: ReadonlySet<string>): CycleFix['state'] {
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

  /** The full suite, when the affected tests reached the target or nothing follows; gives the rate seen. */
  async *#measure(isEnd: boolean): Events<number | null> {
    // Between that, the verdicts say what every test does that a kept fix can reach.
    const isDue = isEnd || (this.#isOnTarget() && !this.#state.suiteIsKnown);
    if (isDue && !this.#suiteIsCurrent) yield* this.#widen();
    return this.#rates().rate;
  }

  /** The full suite; when it does not end in time, the affected tests (CONTRACTS T10). */
  async *#widen(): Events {
    const { progress } = this.#state;
    progress.begin('suite', 'running the full suite');
    yield* progress.drain();
    const summary = await this.#bench.run();
    if (summary.ended === 'complete') {
      this.#scope = 'suite';
      this.#state.suiteIsKnown = true;
      this.#suiteIsCurrent = true;
      return;
    }
    this.#state.note('The full suite did not end in time; only the affected tests were run.');
    this.#state.suiteIsKnown = false;
    this.#state.end('timeout');
    if (this.#plan.startFiles !== undefined) {
      this.#scope = 'affected';
      await this.#bench.run(this.#plan.startFiles);
    }
  }

  /** What is kept was proven; that the full suite did not run is said. */
  #endsAtBudget(): boolean {
    const reason = this.#state.costs.exceeded();
    if (reason === undefined) return false;
    this.#state.note(reason);
    if (!this.#suiteIsCurrent) {
      this.#state.suiteIsKnown = false;
      this.#state.note('The full suite was not run again with what is mended.');
    }
    this.#state.end('budget');
    return true;
  }

  #goesOn(iteration: number, hasMore: boolean): boolean {
    if (this.#state.ended === 'budget') return false;
    const { preset } = this.#request;
    const { failed, rate } = this.#rates();
    const isTreated = this.#failing().every(({ id }) => this.#state.attempts.wasTreated(id));
    const isContent = preset === 'qa' && iteration >= 2 && rate !== null && rate >= qaPassRate;
    if (failed.length === 0 || isContent) this.#state.end('target');
    else if (this.#isOnTarget() && this.#state.suiteIsKnown && isTreated && !hasMore)
      this.#state.end('target');
    else if (hasMore) return true;
    else if (this.#state.ended !== 'timeout')
      this.#state.end(
        this.#failing().some(({ id }) => this.#state.stuck.isStuck(id)) ? 'stuck' : 'no-progress',
      );
    return false;
  }

  /** Is there a failure with an untried proposal, or one that nobody has looked at as it is now? */
  #hasMore({ fixes }: Proposals): boolean {
    const { attempts, stuck } = this.#state;
    const known = [...fixes, ...attempts.joined(fixes)];
    return this.#failing().some((test) => {
      if (!attempts.isOpen(test.id) || stuck.isStuck(test.id) || this.#bench.flaky.has(test.id)) return false;
      if (this.#known.get(test.id) !== failureSignature(test)) return true;
      return known.some(
        (fix) => fix.trust !== 'propose' && !attempts.wasTried(fix) && fix.failures.includes(test.id),
      );
    });
  }

  /** Failing tests that may still be treated. */
  #open(): ReadonlySet<string> {
    const { attempts, stuck } = this.#state;
    const ids = this.#failing().map(({ id }) => id);
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
    const open = this.#failing().filter(({ id }) => this.#state.attempts.isOpen(id));
    if (open.length === 0) return;
    const { fixes } = await this.#gather('surgical');
    const { attempts } = this.#state;
    const { standing } = this.#ahead;
    noteReached(this.#ahead, this.#bench, this.#state);
    await this.#ahead.lift();
    // Those that were not enough alone are tried together afterwards.
    for (const offered of [() => fixes, () => attempts.joined(fixes)]) {
      const chosen = attempts.next(offered(), open, 'conservative', 'propose');
      yield* this.#judge(iteration, chosen, () => 'declined', standing);
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

  #record(iteration: number, strategy: Strategy, reason: string, started: Counts): IterationRecord {
    return {
      iteration,
      ...started,
      strategy,
      strategy_reason: reason,
      scope: this.#scope,
      after: this.#counts(),
    };
  }

  #counts(): Counts {
    const { total, passed, failed, reviewed } = this.#rates();
    const wire = (good: number): number | null =>
      wirePassRate({ passed: good, failed: total - good, errored: 0 });
    return {
      pass_rate: wire(passed),
      pass_rate_reviewed: wire(Math.round(((reviewed ?? 0) * total) / 100)),
      failed_tests: [...failed],
      total,
      passed,
    };
  }

  #outcome(): { passRate: number | null; scope: Scope; failed: readonly string[] } {
    const { rate, failed } = this.#rates();
    return { passRate: rate, scope: this.#scope, failed };
  }

  #rates(): ReturnType<typeof ratesOf> {
    const files = this.#scope === 'affected' ? new Set(this.#plan.startFiles) : undefined;
    const all = [...this.#bench.settled.values()];
    return ratesOf(
      files === undefined ? all : all.filter(({ file }) => files.has(file)),
      this.#state.doubtful(),
    );
  }

  #total(): number {
    return this.#rates().total;
  }

  #isOnTarget(): boolean {
    const { reviewed } = this.#rates();
    return reviewed !== null && reviewed >= this.#request.targetPassRate;
  }

  /** Failing tests that the cycle was asked to mend. */
  #failing(): readonly TestResult[] {
    return this.#bench.failing().filter((test) => this.#state.isWanted(test));
  }

  #bugsKnown(): CycleRequest {
    return { ...this.#request, bugs: this.#state.attempts.bugs };
  }
}

function provingText([first, ...more]: readonly Fix[]): string {
  if (first?.trust === 'propose') return 'trying what only you may apply';
  return more.length === 0 ? `proving: ${first?.title ?? ''}` : `proving ${more.length + 1} fixes`;
}

const notAsked = { fault: 'unknown', reason: 'It is not among the tests to mend.' } as const;
/** F2: percent at which the qa preset is content after two iterations. */
const qaPassRate = 95;
