// One test file while it runs: its tests, what they print, and an end for each of them.
import { existsSync } from 'node:fs';
import { describeFailure } from '../failures/describeFailure.ts';
import type { RawFailure, ReporterMessage, TestRef } from '../model/reporterMessage.ts';
import { fullName } from '../model/testName.ts';
import type { TestFile } from '../model/testNode.ts';
import type { Failure, FailureKind, RunEvent, TestResult } from '../model/testResult.ts';
import { TestIdentifier, type IdentifiedTest } from './identifyTests.ts';
import { OutputBuffer, type OutputBudget } from '../process/outputBuffer.ts';

interface FileRunContext {
  readonly root: string;
  /** Absolute. */
  readonly file: string;
  /** Relative to the root, POSIX separators. */
  readonly relative: string;
  /** Id of the file. */
  readonly id: string;
  /** Present when the whole file is one test: its title. */
  readonly wholeTitle?: string;
  /** Titles are names and never computed. */
  readonly literalTitles?: true;
  /** The file's tests as discovery knows them; may fail. */
  readonly discover: () => Promise<TestFile>;
  readonly isSelected: (test: IdentifiedTest) => boolean;
  /** The message where what it failed with before its tests is the fault of what every run loads first. */
  readonly loadedFirstError: (failure: RawFailure) => string | undefined;
  readonly budget: OutputBudget;
  /** What the process of a file that is alone in it printed: the output of its tests. */
  readonly processOutput?: OutputBuffer;
  readonly onEvent: (event: RunEvent) => void;
}

/** Why something has no end of its own. */
export interface Cause {
  readonly message: string;
  readonly kind: FailureKind;
  /** What it means where nothing at all was heard of tests. */
  readonly early?: string;
  /** Where it happened, as a stack tells it. */
  readonly stack?: string;
  /** A person cancelled the run: what has no end was not run, and nobody failed. */
  readonly isCancel?: true;
  /** It explains more than what the framework said at its end. */
  readonly outranks?: true;
}

type TestEnd = Extract<ReporterMessage, { type: 'testEnded' }>;

interface TestState extends IdentifiedTest {
  readonly output: OutputBuffer;
  started: boolean;
  ended: boolean;
}

export class FileRun {
  /** By id; the file's own id stands for what failed outside of its tests. */
  readonly results = new Map<string, TestResult>();
  /** Tests that the framework collected, asked for or not. */
  collectedTests = 0;
  isCollected = false;
  /** Its framework tells of tests as it comes to them. */
  isOpenEnded = false;
  hasEnded = false;
  readonly #context: FileRunContext;
  readonly #tests = new Map<string, TestState>();
  readonly #failures: {
    readonly failure: RawFailure;
    readonly suites: readonly string[];
    readonly onlyOpen: boolean;
  }[] = [];
  readonly #leftOut: TestRef[] = [];
  #identifier: Promise<TestIdentifier> | undefined;
  #known: TestIdentifier | undefined;
  /** What waits until the ids are known; undefined when nothing has to wait. */
  #waiting: (() => void)[] | undefined;
  #told = false;

  constructor(context: FileRunContext) {
    this.#context = context;
  }

  /** The tests are known to the framework; their ids are known a little later, and everything about them waits for that. */
  collect(refs: readonly TestRef[], isOpenEnded = false): void {
    this.isCollected = true;
    this.isOpenEnded ||= isOpenEnded;
    this.collectedTests += refs.length;
    if (refs.length === 0) return;
    const take = (identifier: TestIdentifier): void => {
      for (const test of identifier.identify(refs)) {
        if (this.#context.isSelected(test)) this.#expect(test);
        else this.#leftOut.push(test.ref);
      }
      if (this.#tests.size > 0) this.#tellFile();
    };
    if (this.#known) return this.#whenKnown(() => this.#known && take(this.#known));
    if (this.#waiting) return void this.#waiting.push(() => this.#known && take(this.#known));
    const waiting: (() => void)[] = [];
    this.#waiting = waiting;
    this.#identifier = this.#identifierOfFile().then((identifier) => {
      this.#known = identifier;
      take(identifier);
      for (const action of waiting) action();
      this.#waiting = undefined;
      return identifier;
    });
  }

  /** The test is a suite after all. */
  drop(key: string): void {
    this.collectedTests--;
    this.#whenKnown(() => this.#tests.delete(key));
  }

  start(key: string): void {
    this.#with(key, (test) => this.#tellStart(test));
  }

  print(key: string, stream: 'stdout' | 'stderr', text: string): void {
    this.#with(key, (test) => {
      const live = test.output.append(text);
      if (live === '') return;
      this.#tellStart(test);
      this.#context.onEvent({
        type: 'output',
        id: test.id,
        file: this.#context.relative,
        stream,
        text: live,
      });
    });
  }

  end(message: TestEnd): void {
    const isRed = message.outcome === 'failed' || message.outcome === 'errored';
    this.#whenKnown(() => {
      const test = this.#tests.get(message.key);
      // A pass does not stand against a failure of the same test, whichever was told first.
      if (!test || (test.ended && !(isRed && this.results.get(test.id)?.outcome === 'passed'))) return;
      const raw = isRed ? distinct(message.failures ?? []) : [];
      if (isRed && raw.length === 0) raw.push({ message: 'It failed without giving a reason.' });
      const failures = raw.map((failure) => this.#describe(failure, test));
      const { outcome, durationMs, counts, flaky, healed } = message;
      this.#add(test, {
        outcome,
        durationMs,
        ...(counts && { counts }),
        ...(flaky && { flaky: flaky.message }),
        ...(healed && { healed }),
        ...failureFields(failures),
      });
    });
  }

  /** Nothing that passed is believed. */
  distrust(reason: string): void {
    for (const { id, ref, ...rest } of this.#tests.values()) {
      const known = this.results.get(id);
      if (known?.outcome !== 'passed') continue;
      const failure = this.#describe({ message: reason }, { id, ref, ...rest }, 'crash');
      const result: TestResult = { ...known, outcome: 'errored', failure };
      this.results.set(id, result);
      this.#context.onEvent({ type: 'testEnded', result });
    }
  }

  /** Something outside of the tests failed: the file did not load, or a hook threw. */
  fail(failure: RawFailure, suites: readonly string[] = [], onlyOpen = false): void {
    this.#failures.push({ failure, suites, onlyOpen });
  }

  /** The file or a suite in it is skipped: so are the tests that discovery knows; a file without any stands for itself. */
  skip(reason: string, skipped: readonly string[] = []): void {
    this.isCollected = true;
    this.#waiting ??= [];
    this.#identifier = (this.#identifier ?? this.#identifierOfFile()).then((identifier) => {
      this.#known = identifier;
      const { id, relative: file, isSelected, onEvent } = this.#context;
      const all = identifier
        .known()
        .filter(({ ref }) => skipped.every((name, index) => ref.suites[index] === name));
      const own = { line: 1, ref: { key: id, suites: [], title: file }, id };
      const isEmpty = all.length === 0 && skipped.length === 0;
      for (const { ref, id: testId, line } of isEmpty ? [own] : all.filter(isSelected)) {
        const { suites, title } = ref;
        const known = { id: testId, file, line, title, suites };
        const result: TestResult = { ...known, outcome: 'skipped', durationMs: 0, output: `${reason}\n` };
        this.results.set(testId, result);
        onEvent({ type: 'testEnded', result });
      }
      const waiting = this.#waiting ?? [];
      this.#waiting = undefined;
      for (const action of waiting) action();
      return identifier;
    });
  }

  /** The framework is done with the file: what failed outside of its tests goes to those it kept from running, else to the file. */
  endFile(): void {
    this.#whenKnown(() => {
      this.hasEnded = true;
      const failures = this.#failures.splice(0);
      const unfinished = this.#unfinished();
      const isBelow = (test: { readonly ref: TestRef }, suites: readonly string[]): boolean =>
        suites.every((name, index) => test.ref.suites[index] === name);
      // Some frameworks run the hooks of suites that hold nothing of what was asked for.
      const isAsked = (suites: readonly string[]): boolean =>
        suites.length === 0 ||
        !this.#leftOut.some((ref) => isBelow({ ref }, suites)) ||
        [...this.#tests.values()].some((test) => isBelow(test, suites));
      for (const test of unfinished) {
        const own = failures.filter(({ suites }) => isBelow(test, suites)).map(({ failure }) => failure);
        const told = distinct(own).map((failure) => this.#describe(failure, test));
        if (told.length > 0) this.#add(test, { outcome: 'errored', durationMs: 0, ...failureFields(told) });
      }
      const rest = failures.filter(
        ({ suites, onlyOpen }) =>
          !onlyOpen && isAsked(suites) && !unfinished.some((test) => isBelow(test, suites)),
      );
      for (const failure of distinct(rest.map(({ failure }) => failure))) this.#failWhole(failure);
      const { id: fileId, relative: file, onEvent } = this.#context;
      onEvent({ type: 'fileEnded', fileId, file });
    });
  }

  #failWhole(failure: RawFailure): void {
    if (this.collectedTests > 0) return this.addFailure(failure);
    const message = this.#context.loadedFirstError(failure);
    if (message === undefined) this.addFailure(failure, 'load');
    else this.addFailure({ ...failure, message }, 'config');
  }

  /** Adds a failure to the entry of the file itself. */
  addFailure(raw: RawFailure, kind?: FailureKind): void {
    const { id, file: absolute, relative: file, wholeTitle, onEvent } = this.#context;
    const isGone = !existsSync(absolute);
    const message = isGone ? `There is no file ${file} (any more). ${raw.message}` : raw.message;
    const failure = this.#describe({ ...raw, message }, undefined, isGone ? 'load' : kind);
    const known = this.results.get(id);
    const line = failure.location?.file === file ? failure.location.line : 1;
    const title = wholeTitle ?? file;
    const result: TestResult = known?.failure
      ? { ...known, moreFailures: [...(known.moreFailures ?? []), failure] }
      : { id, file, line, title, suites: [], durationMs: 0, ...known, outcome: 'errored', failure };
    this.results.set(id, result);
    this.#tellFile();
    onEvent({ type: 'testEnded', result });
  }

  /** The whole file was not run: nothing is known of its tests. */
  cancel(message: string): void {
    const { id, relative: file, wholeTitle, onEvent } = this.#context;
    const known = { id, file, line: 1, title: wholeTitle ?? file, suites: [] };
    const result: TestResult = { ...known, ...notRun, output: `${message}\n` };
    this.results.set(id, result);
    onEvent({ type: 'testEnded', result });
  }

  /** Resolves when everything reported so far has been taken in; then it is known, too, of which tests nothing was told. */
  async settled(): Promise<void> {
    const identifier = await this.#identifier;
    if (!this.isCutOff) return;
    for (const test of (identifier ?? (await this.#identifierOfFile())).untold()) {
      if (this.#context.isSelected(test)) this.#expect(test);
    }
    // What discovery does not know as a test may be a suite whose tests nobody had come to yet: they are told.
    const suites = new Set(
      [...this.#tests.values()].flatMap(({ ref }) =>
        ref.suites.map((_, index) => JSON.stringify(ref.suites.slice(0, index + 1))),
      ),
    );
    for (const { ref, staticNames } of this.#unfinished()) {
      if (staticNames === undefined && suites.has(JSON.stringify([...ref.suites, ref.title])))
        this.#tests.delete(ref.key);
    }
  }

  /** Are there tests that have not ended? */
  get isBusy(): boolean {
    return this.#unfinished().length > 0;
  }

  #expect(test: IdentifiedTest): void {
    const output = new OutputBuffer(this.#context.budget);
    this.#tests.set(test.ref.key, { ...test, output, started: false, ended: false });
  }

  /** Did its framework tell of tests as it came to them, and not come to the end? */
  get isCutOff(): boolean {
    return this.isOpenEnded && !this.hasEnded;
  }

  /** Titles of the tests that have begun and not ended, with their file. */
  get running(): readonly string[] {
    return this.#unfinished()
      .filter(({ started }) => started)
      .map(({ ref }) => `"${fullName(ref)}" (${this.#context.relative})`);
  }

  /** Ends the tests that have not ended; returns how many there were. `running`: what was under way in the whole process. */
  endUnfinished(cause: Cause, running: readonly string[]): number {
    const unfinished = this.#unfinished();
    for (const test of unfinished) {
      if (cause.isCancel) {
        this.#add(test, { ...notRun, output: `${cause.message}\n` });
        continue;
      }
      // Who waited for its turn wants to know which test ended it all.
      const isTold = !test.started && running.length > 0 && running.length <= 3;
      const known = isTold
        ? cause.message.replace(/\n|$/, (end) => `\nThen this was running: ${running.join(', ')}.${end}`)
        : cause.message;
      const failure = this.#describe({ message: withTail(known, test.output) }, test, cause.kind);
      this.#add(test, { outcome: 'errored', durationMs: 0, failure });
    }
    return unfinished.length;
  }

  #unfinished(): TestState[] {
    return [...this.#tests.values()].filter((test) => !test.ended);
  }

  async #identifierOfFile(): Promise<TestIdentifier> {
    const { id, discover, wholeTitle, literalTitles } = this.#context;
    // A file that is gone meanwhile is known by the names that the run tells.
    const file = wholeTitle === undefined ? await discover().catch(() => undefined) : undefined;
    return new TestIdentifier(id, file, wholeTitle, literalTitles);
  }

  #with(key: string, action: (test: TestState) => void): void {
    this.#whenKnown(() => {
      const test = this.#tests.get(key);
      if (test && !test.ended) action(test);
    });
  }

  #whenKnown(action: () => void): void {
    if (this.#waiting) this.#waiting.push(action);
    else action();
  }

  #tellFile(): void {
    if (this.#told) return;
    this.#told = true;
    this.#context.onEvent({ type: 'fileStarted', fileId: this.#context.id, file: this.#context.relative });
  }

  #tellStart(test: TestState): void {
    if (test.started) return;
    test.started = true;
    this.#context.onEvent({ type: 'testStarted', id: test.id, file: this.#context.relative });
  }

  #add(test: TestState, rest: Pick<TestResult, 'outcome' | 'durationMs'> & Partial<TestResult>): void {
    const { relative: file, onEvent, processOutput } = this.#context;
    test.ended = true;
    this.#tellStart(test);
    const held = test.output.isEmpty ? '' : test.output.heldBack();
    if (held !== '') onEvent({ type: 'output', id: test.id, file, stream: 'stdout', text: held });
    const { suites, title } = test.ref;
    // What the process printed belongs to the file as a whole, not to each test that a script tells of.
    const all = title === this.#context.wholeTitle && suites.length === 0 ? processOutput : undefined;
    const output = (test.output.isEmpty ? all : test.output)?.text() ?? '';
    const known = { id: test.id, file, line: test.line, title, suites };
    const result: TestResult = { ...known, ...rest, ...(output !== '' && { output }) };
    this.results.set(test.id, result);
    onEvent({ type: 'testEnded', result });
  }

  #describe(raw: RawFailure, test: TestState | undefined, kind?: FailureKind): Failure {
    const { root, file, relative } = this.#context;
    const title = test ? [...test.ref.suites, test.ref.title].join(' ') : relative;
    return describeFailure(raw, { root, testFile: file, title, ...(kind && { kind }) });
  }
}

/** A person cancelled it. */
const notRun = { outcome: 'skipped', durationMs: 0, cancelled: true } as const;

/** The message with the last lines of what was printed, to show how far it came. */
export function withTail(message: string, output: OutputBuffer | undefined): string {
  const tail = output?.text().trimEnd().slice(-2000).split('\n').slice(-30).join('\n') ?? '';
  return tail === '' ? message : `${message}\nIt printed last:\n${tail}`;
}

/** A retried test tells the same failure for each try. */
function distinct(failures: readonly RawFailure[]): RawFailure[] {
  return [
    ...new Map(failures.map((failure) => [`${failure.message}\u0000${failure.stack}`, failure])).values(),
  ];
}

function failureFields([failure, ...moreFailures]: readonly Failure[]): Partial<TestResult> {
  return { ...(failure && { failure }), ...(moreFailures.length > 0 && { moreFailures }) };
}
