// The iterations of a cycle: choose a reach, try one fix for each failure, keep what is proven, take back what made things worse.
import type { CycleEvent, CycleFix, IterationRecord, Strategy } from '../model/cycle.ts';
import type { Fix, Verdict } from '../model/fix.ts';
import { wirePassRate } from '../model/summarize.ts';
import { suitesOf } from '../model/testName.ts';
import type { TestResult } from '../model/testResult.ts';
import { readOnce } from '../workspace/readText.ts';
import type { Undo } from '../workspace/sandbox.ts';
import type { CycleBench } from './cycleBench.ts';
import type { CyclePlan, CycleRequest } from './cycleRequest.ts';
import type { CycleState } from './cycleState.ts';
import { gatherProposals, type Proposals } from './gatherProposals.ts';
import { ratesOf } from './passRates.ts';
import { chooseStrategy } from './strategy.ts';
import { failureSignature } from './stuck.ts';

type Events<T = void> = AsyncGenerator<CycleEvent, T>;
type Scope = IterationRecord['scope'];
type Before = ReadonlyMap<string, TestResult>;
type Batch = { readonly fixes: readonly CycleFix[]; readonly undo: Undo };

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

  constructor(request: CycleRequest, plan: CyclePlan, bench: CycleBench, state: CycleState) {
    this.#request = request;
    this.#plan = plan;
    this.#bench = bench;
    this.#state = state;
    this.#scope = plan.startFiles === undefined ? 'suite' : 'affected';
  }

  async *run(): Events {
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
      // The report speaks of the full suite, whatever made the cycle end.
      if (!this.#suiteIsCurrent && this.#state.ended !== 'timeout') yield* this.#widen();
      return yield* this.#judgeProposals(iteration);
    }
  }

  /** False when there is no reason for another iteration. */
  async *#iterate(iteration: number, isLast: boolean): Events<boolean> {
    const { strategy, reason } = chooseStrategy(this.#state.history, this.#request.strategy);
    yield { type: 'iterationStarted', iteration, strategy, reason, scope: isLast ? 'suite' : this.#scope };
    const before = new Map(this.#bench.results);
    const batches: Batch[] = [];
    batches.push(...(yield* this.#takeUp(iteration)));
    const proposals = await this.#gather(strategy);
    yield this.#testsFailing(iteration);
    const moved = yield* this.#attempt(iteration, proposals, strategy, 'mechanical');
    let current = proposals;
    if (moved !== undefined) {
      batches.push(moved);
      if (strategy !== 'surgical') current = await this.#gather(strategy);
    }
    if ((moved === undefined || strategy !== 'surgical') && !this.#endsAtBudget()) {
      const changed = yield* this.#attempt(iteration, current, strategy, 'oracle');
      if (changed !== undefined) batches.push(changed);
    }
    const isOver = this.#state.ended === 'budget';
    const measured = isOver ? this.#rates().rate : yield* this.#measure(isLast || !this.#hasMore(current));
    const rolledBack = yield* this.#rollBack(iteration, before, batches);
    const record = this.#record(iteration, strategy, reason);
    this.#state.records.push(record);
    this.#state.history.push({ ...this.#outcome(), ...(rolledBack && { passRate: measured }) });
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
    const proposals = await gatherProposals(this.#failing(), this.#bench, request, strategy);
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
    const chosen = attempts.next([...fixes, ...attempts.joined(fixes)], failing, strategy, trust);
    const judged = yield* this.#judge(iteration, chosen, (fix) => this.#stateOf(fix, newTests));
    const kept: CycleFix[] = [];
    for (const fix of judged) {
      const decided = await this.#decide(fix);
      if (decided !== fix) yield { type: 'fixJudged', iteration, fix: decided };
      if (decided.state !== 'declined') kept.push(decided);
    }
    if (kept.length === 0) return undefined;
    this.#suiteIsCurrent = false;
    return { fixes: kept, undo: await this.#bench.keep(kept) };
  }

  async *#judge(
    iteration: number,
    fixes: readonly Fix[],
    stateOf: (fix: Fix) => CycleFix['state'],
  ): Events<readonly CycleFix[]> {
    const diffs = new Map<Fix, string>();
    const read = readOnce((file) => this.#bench.readText(file));
    for (const fix of fixes) {
      diffs.set(fix, await this.#bench.diffOf(fix, read));
      yield { type: 'fixProposed', iteration, fix, diff: diffs.get(fix) ?? '' };
    }
    const { progress, attempts } = this.#state;
    if (fixes.length > 0) progress.begin('proving', provingText(fixes), fixes.length);
    const judged = new Map<Fix, CycleFix>();
    await this.#bench.judge(fixes, (fix, verdict) => {
      const state = verdict.verdict === 'verified' ? stateOf(fix) : 'declined';
      const now: CycleFix = { ...fix, verdict, diff: diffs.get(fix) ?? '', state };
      judged.set(fix, now);
      progress.tell({ type: 'fixJudged', iteration, fix: now });
      progress.advance(judged.size);
    });
    yield* progress.drain();
    return fixes.flatMap((fix) => {
      const now = judged.get(fix);
      return now === undefined ? [] : [attempts.note(fix, now.verdict, now.diff, now.state)];
    });
  }

  /** Who has agreed already: nobody needs to, the user did beforehand, or the preset does for tests without a history (F10). */
  #stateOf(fix: Fix, newTests: ReadonlySet<string>): CycleFix['state'] {
    const { assume, preset } = this.#request;
    const isNew = fix.failures.every((id) => newTests.has(id));
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

  /** F5: a test that passed before fails now: the fixes that cause it go, the others stay. */
  async *#rollBack(iteration: number, before: Before, batches: readonly Batch[]): Events<boolean> {
    const suspects = this.#worse(before);
    if (suspects.length === 0 || batches.length === 0) return false;
    const files = new Set(suspects.map(({ file }) => file));
    await this.#bench.run([...files]);
    const stillWorse = this.#worse(before);
    for (const test of suspects) if (!stillWorse.some(({ id }) => id === test.id)) this.#noteFlaky(test);
    if (stillWorse.length === 0) return false;
    this.#suiteIsCurrent = false;
    for (const [index, { fixes, undo }] of [...batches.entries()].reverse()) {
      const { files: reached } = await this.#bench.scopeOf(fixes);
      for (const file of reached) files.add(file);
      await undo.undo();
      await this.#bench.run([...files]);
      if (this.#worse(before).length > 0) continue;
      // What was built on top is proposed anew for the text without it.
      for (const batch of batches.slice(index + 1))
        for (const { id } of batch.fixes) this.#state.attempts.forget(id);
      yield* this.#sift(iteration, before, [...files], fixes);
      return true;
    }
    for (const test of this.#worse(before)) this.#noteFlaky(test);
    for (const { fixes } of batches) await this.#bench.keep(fixes);
    return false;
  }

  /** Halves a batch that makes a test fail until the fixes are found that do it; they go, the rest stays. */
  async *#sift(
    iteration: number,
    before: Before,
    files: readonly string[],
    fixes: readonly CycleFix[],
  ): Events {
    const [only] = fixes;
    if (only === undefined) return;
    const undo = await this.#bench.keep(fixes);
    await this.#bench.run(files);
    const [broken] = this.#worse(before);
    if (broken === undefined) return;
    await undo.undo();
    await this.#bench.run(files);
    if (fixes.length > 1) {
      const half = Math.ceil(fixes.length / 2);
      yield* this.#sift(iteration, before, files, fixes.slice(0, half));
      return yield* this.#sift(iteration, before, files, fixes.slice(half));
    }
    const reason = `"${broken.title}" passed before and fails with this fix.`;
    const { runs } = only.verdict;
    const verdict: Verdict = {
      verdict: 'rejected',
      reason,
      runs: runs + 1,
      scope: this.#scope,
      violations: [],
    };
    this.#state.attempts.settle(only.id, 'declined', verdict);
    yield { type: 'fixRolledBack', iteration, fixId: only.id, reason };
  }

  /** Failing tests that passed when the iteration began, or in the original when they had not run yet. */
  #worse(before: Before): readonly TestResult[] {
    const { flaky, withoutFixes } = this.#bench;
    return this.#bench
      .failing()
      .filter(({ id }) => !flaky.has(id))
      .filter(({ id }) => (before.get(id)?.outcome ?? withoutFixes.originalOutcome(id)) === 'passed');
  }

  #noteFlaky({ id, title }: TestResult): void {
    this.#bench.flaky.add(id);
    this.#state.note(`"${title}" passes and fails without any change.`);
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

  /** Somebody outside may mend one test at a time: while that goes on, they are asked about those that are left. */
  #canAskOthers(): boolean {
    const { attempts, stuck } = this.#state;
    const isOpen = ({ id }: TestResult): boolean => attempts.isOpen(id) && !stuck.isStuck(id);
    const asksOutside = this.#request.providers?.some((one) => one.spent !== undefined) ?? false;
    return asksOutside && this.#failing().some(isOpen);
  }

  /** What only a person may apply is tried too, once, so that they know what it does; nothing of it stays. */
  async *#judgeProposals(iteration: number): Events {
    const open = this.#failing().filter(({ id }) => this.#state.attempts.isOpen(id));
    if (open.length === 0) return;
    const { fixes } = await this.#gather('surgical');
    const { attempts } = this.#state;
    // Those that were not enough alone are tried together afterwards.
    for (const offered of [() => fixes, () => attempts.joined(fixes)]) {
      const chosen = attempts.next(offered(), open, 'conservative', 'propose');
      yield* this.#judge(iteration, chosen, () => 'declined');
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

  #record(iteration: number, strategy: Strategy, reason: string): IterationRecord {
    const { total, passed, failed, reviewed } = this.#rates();
    const wire = (good: number): number | null =>
      wirePassRate({ passed: good, failed: total - good, errored: 0 });
    return {
      iteration,
      pass_rate: wire(passed),
      pass_rate_reviewed: wire(Math.round(((reviewed ?? 0) * total) / 100)),
      strategy,
      strategy_reason: reason,
      scope: this.#scope,
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
    const all = [...this.#bench.results.values()];
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
