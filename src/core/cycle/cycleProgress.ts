// How far a cycle is, told between the events of its own: steps, files that end, tests that fall, verdicts, time that is left.
import type { CycleEvent, CyclePhase } from '../model/cycle.ts';
import { suitesOf } from '../model/testName.ts';
import type { RunEvent, TestResult } from '../model/testResult.ts';
import type { OnRun } from '../verification/openVerification.ts';
import { leftAt, type StepTime } from './stepTimes.ts';

/** The least time between two words about the same step, ms. */
const everyMs = 200;
/** Files that are named while they run. */
const mostRunning = 3;
/** Steps that count the files of their runs. */
const countsFiles: ReadonlySet<CyclePhase> = new Set([
  'first-run',
  'copy-run',
  'recording',
  'comparing',
  'suite',
  'coverage',
]);

interface Step {
  readonly phase: CyclePhase;
  readonly text: string;
  readonly startedAt: number;
  done?: number;
  total?: number | undefined;
}

interface ExpectedCycle {
  /** The steps of the last cycle of the same scope, by which the time that is left is told. */
  readonly former: readonly StepTime[];
  /** What is run first: "3 test files". */
  readonly first: string;
  /** How many files a run has that names none. */
  readonly suiteFiles: number | undefined;
}

export class CycleProgress {
  readonly #queue: CycleEvent[] = [];
  #wake: (() => void) | undefined;
  #step: Step | undefined;
  /** Of the run that goes on, the files that have begun and not ended. */
  #running = new Set<string>();
  #ended = new Set<string>();
  #fallen: TestResult[] = [];
  #timer: NodeJS.Timeout | undefined;
  readonly #times: StepTime[] = [];
  #expected: ExpectedCycle = { former: [], first: 'the tests', suiteFiles: undefined };

  expect(expected: ExpectedCycle): void {
    this.#expected = expected;
  }

  /** The steps so far and how long they took; the one that goes on counts up to now. */
  get times(): readonly StepTime[] {
    return this.#step === undefined ? this.#times : [...this.#times, timeOf(this.#step)];
  }

  /** Begins a step, said at once; `total`: of what `advance` counts. */
  begin(phase: CyclePhase, text: string, total?: number): void {
    this.#tellFallen();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#step !== undefined) this.#times.push(timeOf(this.#step));
    this.#step = {
      phase,
      text,
      startedAt: performance.now(),
      ...(total !== undefined && { done: 0, total }),
    };
    this.#running = new Set();
    this.#tellStep();
  }

  /** So many of the step's total are done. */
  advance(done: number): void {
    if (this.#step === undefined) return;
    this.#step.done = done;
    this.#soon();
  }

  /** Counts the files of a run, where the step is one of runs; the tests that fall in the first are told. */
  readonly onRun: OnRun = ({ place, files }) => {
    if (this.#step?.phase === 'copying' && place === 'original')
      this.begin('first-run', `running ${this.#expected.first} before any fix`);
    else if (this.#step?.phase === 'first-run' && place === 'copy')
      this.begin('copy-run', `running ${this.#expected.first} in the copy in which fixes are tried`);
    const step = this.#step;
    this.#running = new Set();
    this.#ended = new Set();
    if (step !== undefined && countsFiles.has(step.phase)) {
      step.done = 0;
      step.total = files ?? this.#expected.suiteFiles;
      this.#soon();
    }
    const isFirst = step?.phase === 'first-run' && place === 'original';
    return (event) => {
      if (step === this.#step) this.#hear(event, isFirst);
    };
  };

  /** An event beside those that the cycle yields. */
  tell(event: CycleEvent): void {
    this.#queue.push(event);
    this.#wake?.();
  }

  /** What is told and not yet passed on. */
  *drain(): Generator<CycleEvent, void> {
    for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) yield event;
  }

  /** The events of a cycle with what is told meanwhile, each as soon as it is there; nothing follows the end of the cycle. */
  async *among(cycle: AsyncGenerator<CycleEvent, void>): AsyncGenerator<CycleEvent, void> {
    try {
      for (;;) {
        const next = cycle.next();
        // While something else is passed on nobody waits for it.
        next.catch(() => undefined);
        while ((await Promise.race([next.then(isThere, isThere), this.#arrived()])) === 'told')
          yield* this.drain();
        this.#tellFallen();
        yield* this.drain();
        const step = await next;
        if (step.done === true) return;
        if (step.value.type === 'cycleEnded') this.#stop();
        yield* this.drain();
        yield step.value;
      }
    } finally {
      this.#stop();
      await cycle.return();
    }
  }

  /** No step goes on from here: whoever keeps the end of the cycle may take longer than the time between two words. */
  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#step = undefined;
  }

  #arrived(): Promise<'told'> {
    return new Promise((resolve) => {
      if (this.#queue.length > 0) resolve('told');
      else this.#wake = () => resolve('told');
    });
  }

  #hear(event: RunEvent, isFirst: boolean): void {
    if (event.type === 'fileStarted') this.#running.add(event.file);
    else if (event.type === 'fileEnded') {
      this.#running.delete(event.file);
      this.#ended.add(event.file);
      if (this.#step?.total !== undefined && countsFiles.has(this.#step.phase))
        this.#step.done = Math.min(this.#ended.size, this.#step.total);
    } else if (event.type === 'testEnded' && isFirst && isRed(event.result)) this.#fallen.push(event.result);
    else return;
    this.#soon();
  }

  #soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#tellFallen();
      this.#tellStep();
    }, everyMs).unref();
  }

  #tellFallen(): void {
    if (this.#fallen.length === 0) return;
    const tests = this.#fallen.splice(0).map((test) => {
      const { id, file, line, title, failure, outcome } = test;
      const { severity = 'medium', message = outcome } = failure ?? {};
      return { id, file, line, ...suitesOf(test), title, severity, message };
    });
    this.tell({ type: 'testsFailed', tests });
  }

  #tellStep(): void {
    if (this.#step === undefined) return;
    const { phase, text, done, total } = this.#step;
    const left = leftAt(this.#expected.former, this.times);
    this.tell({
      type: 'progress',
      text,
      phase,
      ...(total !== undefined && { done: done ?? 0, total }),
      ...(this.#running.size > 0 && { running: [...this.#running].slice(0, mostRunning) }),
      ...(left !== undefined && { leftMs: Math.round(left) }),
    });
  }
}

const isThere = (): 'there' => 'there';
const isRed = ({ outcome }: TestResult): boolean => outcome === 'failed' || outcome === 'errored';
const timeOf = ({ phase, startedAt }: Step): StepTime => ({
  phase,
  ms: Math.round(performance.now() - startedAt),
});
