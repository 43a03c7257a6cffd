// Where the tests of a cycle stand: which of them ran, how many pass, and when all of them are due again.
import type { CycleEvent, IterationCounts, IterationRecord } from '../model/cycle.ts';
import { wirePassRate } from '../model/summarize.ts';
import type { TestResult } from '../model/testResult.ts';
import type { CycleBench } from './cycleBench.ts';
import type { CyclePlan } from './cycleRequest.ts';
import type { CycleState } from './cycleState.ts';
import { ratesOf } from './passRates.ts';

type Events<T = void> = AsyncGenerator<CycleEvent, T>;
type Rates = ReturnType<typeof ratesOf>;

interface Outcome {
  readonly passRate: number | null;
  readonly scope: IterationRecord['scope'];
  readonly failed: readonly string[];
}

export class Tally {
  readonly #plan: CyclePlan;
  readonly #bench: CycleBench;
  readonly #state: CycleState;
  readonly #target: number;
  scope: IterationRecord['scope'];
  /** Nothing was kept since the full suite ran. */
  isCurrent: boolean;

  /** `target`: the pass rate at which the cycle may stop, percent. */
  constructor(plan: CyclePlan, bench: CycleBench, state: CycleState, target: number) {
    this.#plan = plan;
    this.#bench = bench;
    this.#state = state;
    this.#target = target;
    this.scope = plan.startFiles === undefined ? 'suite' : 'affected';
    this.isCurrent = this.scope === 'suite';
    state.suiteIsKnown = this.isCurrent;
  }

  /** The full suite, when the affected tests reached the target or nothing follows; gives the rate seen. */
  async *measure(isEnd: boolean): Events<number | null> {
    // Between that, the verdicts say what every test does that a kept fix can reach.
    const isDue = isEnd || (this.isOnTarget() && !this.#state.suiteIsKnown);
    if (isDue && !this.isCurrent) yield* this.widen();
    return this.rates().rate;
  }

  /** The full suite; when it does not end in time, the affected tests (CONTRACTS T10). */
  async *widen(): Events {
    const { progress } = this.#state;
    progress.begin('suite', 'running the full suite');
    yield* progress.drain();
    const summary = await this.#bench.run();
    if (summary.ended === 'complete') return this.suiteRan();
    this.#state.note(
      'The full suite did not finish within its time limit; only the affected tests were run.',
    );
    this.#state.suiteIsKnown = false;
    this.#state.end('timeout');
    if (this.#plan.startFiles !== undefined) {
      this.scope = 'affected';
      await this.#bench.run(this.#plan.startFiles);
    }
  }

  /** With all that lies in the sandbox now. */
  suiteRan(): void {
    this.scope = 'suite';
    this.#state.suiteIsKnown = true;
    this.isCurrent = true;
  }

  /** How many times the files that ran first the suite has. */
  get timesFirst(): number {
    const { startFiles, suiteFiles, testFiles } = this.#plan;
    return startFiles === undefined ? 1 : (suiteFiles ?? testFiles).length / Math.max(1, startFiles.length);
  }

  /** Has the full suite run, so that it is known what its tests do without the fixes? */
  get knowsSuite(): boolean {
    return this.scope === 'suite' && this.#state.suiteIsKnown;
  }

  counts(): IterationCounts {
    const { total, passed, failed, reviewed } = this.rates();
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

  outcome(): Outcome {
    const { rate, failed } = this.rates();
    return { passRate: rate, scope: this.scope, failed };
  }

  rates(): Rates {
    const files = this.scope === 'affected' ? new Set(this.#plan.startFiles) : undefined;
    const all = [...this.#bench.settled.values()];
    return ratesOf(
      files === undefined ? all : all.filter(({ file }) => files.has(file)),
      this.#state.doubtful(),
    );
  }

  total(): number {
    return this.rates().total;
  }

  isOnTarget(): boolean {
    const { reviewed } = this.rates();
    return reviewed !== null && reviewed >= this.#target;
  }

  /** Failing tests that the cycle was asked to mend. */
  failing(): readonly TestResult[] {
    return this.#bench.failing().filter((test) => this.#state.isWanted(test));
  }
}
