// Turns what one process reports into results and events; whatever was queued reaches an end, however the process ended.
import path from 'node:path';
import { realPlaceOf, toRelativePosix } from '../base/paths.ts';
import { describeFailure } from '../failures/describeFailure.ts';
import type { Launch } from '../frameworks/framework.ts';
import type { RawFailure, ReporterMessage } from '../model/reporterMessage.ts';
import { fileTestId } from '../model/testId.ts';
import type { FrameworkId, TestFile } from '../model/testNode.ts';
import type { FailureKind, RunEvent, TestResult } from '../model/testResult.ts';
import { configurationError, loadedFirstError, type ConfigurationError } from './configurationError.ts';
import { FileRun, withTail, type Cause } from './fileRun.ts';
import type { IdentifiedTest } from './identifyTests.ts';
import { OutputBuffer, type OutputBudget } from '../process/outputBuffer.ts';

export interface CollectorContext {
  /** Absolute root of the workspace. */
  readonly root: string;
  readonly launch: Launch;
  /** The framework's name as people write it. */
  readonly label: string;
  readonly literalTitles?: true;
  readonly discoverFile: (
    file: string,
    framework: FrameworkId,
    project: string | undefined,
  ) => Promise<TestFile>;
  /** Is this test one of those asked for? `file` is absolute. */
  readonly isSelected: (file: string, test: IdentifiedTest) => boolean;
  /** Nobody named the files: one without a test is no failure. */
  readonly byRule?: true;
  /** For a framework whose files are one test each: the title of that test. */
  readonly fileTitle?: (file: string) => string;
  readonly budget: OutputBudget;
  readonly onEvent: (event: RunEvent) => void;
}

type Unhandled = RawFailure & { readonly file?: string | undefined };

export class ResultCollector {
  readonly notes: string[] = [];
  readonly #context: CollectorContext;
  readonly #files = new Map<string, FileRun>();
  readonly #fileOfTest = new Map<string, FileRun>();
  /** Files that are loaded for what they prepare. */
  readonly #helpers = new Set<FileRun>();
  /** Absolute files that the framework itself said it would run. */
  readonly #queued = new Set<string>();
  readonly #realPaths = new Map<string, string>();
  readonly #ownResults: TestResult[] = [];
  readonly #output: OutputBuffer;
  /** A file that is one test is alone in its process: it ends with it, when all that it printed has arrived. */
  readonly #isAlone: boolean;
  #held: ReporterMessage[] = [];
  #finished = false;
  /** Something failed, asked for or not. */
  #isRed = false;
  #distrust: string | undefined;
  #unhandled: readonly Unhandled[] = [];
  readonly #later: string[] = [];

  constructor(context: CollectorContext) {
    this.#context = context;
    this.#output = new OutputBuffer(context.budget);
    this.#isAlone = context.fileTitle !== undefined;
    for (const file of context.launch.files) this.#file(file, undefined);
  }

  onMessage(message: ReporterMessage): void {
    const endsSomething = message.type !== 'fileCollected' && message.type !== 'testStarted';
    if (this.#isAlone && endsSomething) this.#held.push(message);
    else this.#take(message);
  }

  /** What the process itself printed, outside of the framework's own reports. */
  onOutput(stream: 'stdout' | 'stderr', text: string): void {
    const { files } = this.#context.launch;
    this.#print(files.length === 1 ? files[0] : undefined, stream, text);
  }

  /** A sentence why nothing that passed here is believed. */
  distrust(reason: string): void {
    this.#distrust ??= reason;
  }

  /** A sentence on what failed beside the tests: a failure of the file, at the end. */
  failLater(message: string): void {
    this.#later.push(message);
  }

  /**
   * Gives everything that has not ended its end, and returns all results; call it once, after the last message. `failure`: what
   * says, apart from the tests, that something failed; when no test did, that is a failure of its own and never a pass.
   */
  async finish(end: Cause, failure?: string): Promise<readonly TestResult[]> {
    for (const message of this.#held) this.#take(message);
    await Promise.all([...this.#files.values()].map((file) => file.settled()));
    const files = [...this.#files].map(([key, file]) => ({ file, path: pathOf(key) }));

    const loose = this.#unhandled.filter((failure) => {
      const file = files.find(({ path }) => this.#happenedIn(failure, path))?.file;
      file?.addFailure(failure);
      return file === undefined;
    });
    const broken = this.#brokenConfiguration(end, loose);
    if (broken === undefined)
      for (const { message } of this.#unhandled)
        this.notes.push(`Unhandled error: ${message.split('\n')[0]}`);
    const cause = broken?.cause ?? this.#causeOf(end, loose[0]);
    const running = files.flatMap(({ file }) => file.running);
    let unfinished = 0;
    for (const { file, path } of files) unfinished += this.#endFile(file, path, cause, running);
    for (const message of this.#later) files[0]?.file.addFailure({ message });
    // An error that kept tests from ending is told by them.
    if (unfinished === 0 && broken === undefined) for (const failure of loose) this.#addOwnResult(failure);
    const nothingSaid = this.#files.size === 0 && !this.#finished && !end.isCancel;
    if (broken !== undefined && unfinished === 0) this.#addOwnResult(broken.cause, 'config', broken.at);
    else if (nothingSaid)
      this.#addOwnResult({ message: withTail(end.early ?? end.message, this.#output) }, end.kind);
    if (this.#distrust !== undefined) for (const { file } of files) file.distrust(this.#distrust);
    const results = [...this.#files.values()].flatMap((file) => [...file.results.values()]);
    // The framework speaks of all that it ran, also of tests that nobody asked for.
    const isRed =
      this.#isRed ||
      [...results, ...this.#ownResults].some(({ outcome }) => outcome !== 'passed' && outcome !== 'skipped');
    if (failure === undefined || results.length === 0 || isRed) return [...results, ...this.#ownResults];
    const raw = { message: withTail(failure, this.#output) };
    const [only, more] = [...this.#files.values()];
    // The process of one file: there it has to be looked for, unless a configuration had a part in it.
    if (!only || more || this.#context.launch.project.configFile !== undefined)
      this.#addOwnResult(raw, 'crash');
    else only.addFailure(raw, 'crash');
    return [...[...this.#files.values()].flatMap((file) => [...file.results.values()]), ...this.#ownResults];
  }

  #take(message: ReporterMessage): void {
    this.#isRed ||= message.type === 'fileFailed' || (message.type === 'testEnded' && isRedEnd(message));
    switch (message.type) {
      case 'runStarted':
        return;
      case 'filesQueued':
        for (const { file, project } of message.files) {
          this.#queued.add(this.#absolute(file));
          this.#file(file, project);
        }
        return;
      case 'fileCollected': {
        const file = this.#file(message.file, message.project);
        if (message.helper) this.#helpers.add(file);
        for (const { key } of message.tests) this.#fileOfTest.set(key, file);
        file.collect(message.tests, message.more === true);
        return;
      }
      case 'testDropped':
        this.#fileOfTest.get(message.key)?.drop(message.key);
        return;
      case 'testStarted':
        this.#fileOfTest.get(message.key)?.start(message.key);
        return;
      case 'testEnded':
        this.#fileOfTest.get(message.key)?.end(message);
        return;
      case 'fileFailed':
        this.#file(message.file, message.project).fail(message.failure, message.suites, message.onlyOpen);
        return;
      case 'fileSkipped':
        this.#file(message.file, message.project).skip(message.reason, message.suites);
        return;
      case 'fileEnded':
        this.#file(message.file, message.project).endFile();
        return;
      case 'output': {
        const file = message.key === undefined ? undefined : this.#fileOfTest.get(message.key);
        if (file && message.key !== undefined) file.print(message.key, message.stream, message.text);
        else this.#print(message.file, message.stream, message.text);
        return;
      }
      case 'note':
        this.notes.push(message.text);
        return;
      case 'tampered':
        return this.distrust(message.how);
      case 'runFinished':
        this.#finished = true;
        this.#unhandled = message.unhandled ?? [];
    }
  }

  #file(name: string, project: string | undefined): FileRun {
    const { root, launch, discoverFile, isSelected, fileTitle, literalTitles, budget, onEvent } =
      this.#context;
    const file = this.#absolute(name);
    const known = this.#files.get(keyOf(file, project));
    if (known) return known;
    // A file that was asked for by name belongs to the project that reports it.
    if (project !== undefined && !this.#files.get(keyOf(file, undefined))?.isCollected) {
      this.#files.delete(keyOf(file, undefined));
    }
    const relative = toRelativePosix(root, file);
    const { framework } = launch.project;
    const run = new FileRun({
      root,
      file,
      relative,
      id: fileTestId(framework, project, relative),
      discover: () => discoverFile(file, framework, project),
      isSelected: (test) => isSelected(file, test),
      loadedFirstError: (failure) => loadedFirstError(failure, file, { root, launch }),
      budget,
      ...(literalTitles && { literalTitles }),
      ...(fileTitle && { wholeTitle: fileTitle(file), processOutput: this.#output }),
      onEvent,
    });
    this.#files.set(keyOf(file, project), run);
    return run;
  }

  #absolute(file: string): string {
    const known = this.#realPaths.get(file) ?? realPlaceOf(path.resolve(this.#context.launch.cwd, file));
    this.#realPaths.set(file, known);
    return known;
  }

  #print(place: string | undefined, stream: 'stdout' | 'stderr', text: string): void {
    const live = this.#output.append(text);
    const file = place === undefined ? undefined : toRelativePosix(this.#context.root, this.#absolute(place));
    if (live !== '')
      this.#context.onEvent({ type: 'output', stream, text: live, ...(file !== undefined && { file }) });
  }

  #happenedIn({ file, stack = '' }: Unhandled, candidate: string): boolean {
    return file === undefined ? stack.includes(`${candidate}:`) : this.#absolute(file) === candidate;
  }

  /** A process that came to no test because of its configuration; one that was ended from outside says nothing of it. */
  #brokenConfiguration(
    end: Cause,
    loose: readonly Unhandled[],
  ): { readonly cause: Cause; readonly at: ConfigurationError } | undefined {
    const cameToTests = [...this.#files.values()].some((file) => file.isCollected || file.results.size > 0);
    if (cameToTests || end.outranks || end.early === undefined) return undefined;
    const { root, launch } = this.#context;
    const said = [...loose.map(({ message, stack = '' }) => `${message}\n${stack}`), this.#output.text()];
    for (const text of said) {
      const at = configurationError(text, { root, launch });
      if (at !== undefined)
        return {
          at,
          cause: { message: at.message, stack: `at ${at.file}:${at.line}:1`, kind: 'config', outranks: true },
        };
    }
    return undefined;
  }

  /** Why tests have no end: the process died, or the framework finished without them. */
  #causeOf(end: Cause, unhandled: Unhandled | undefined): Cause {
    if (end.isCancel) return end;
    if (!this.#finished || end.outranks)
      return { message: withTail(end.message, this.#output), kind: end.kind };
    if (unhandled) return { message: `It did not end: ${unhandled.message}`, kind: 'crash' };
    return {
      message: `It did not end, although ${this.#context.label} did.`,
      kind: 'error',
    };
  }

  /** Ends what is open in the file; returns how much that was. */
  #endFile(file: FileRun, path: string, cause: Cause, running: readonly string[]): number {
    const isQuiet = file.isCutOff && !file.isBusy;
    if (!file.hasEnded) file.endFile();
    const unfinished = file.endUnfinished(cause, running);
    if (isQuiet && cause.kind === 'timeout') {
      const message = `${cause.message} Its tests had ended: something keeps its process alive.`;
      file.addFailure({ message }, cause.kind);
    }
    if (unfinished > 0 || file.results.size > 0 || file.collectedTests > 0) return unfinished;
    if (cause.isCancel && !file.isCollected) {
      file.cancel(cause.message);
      return 1;
    }
    const relative = toRelativePosix(this.#context.root, path);
    const isNamed =
      this.#context.byRule !== true && this.#context.launch.files.some((one) => this.#absolute(one) === path);
    if (file.isCollected) {
      // Its framework may let it pass; zero tests are no pass.
      if (isNamed) file.addFailure({ message: `${relative} has no tests.` }, 'empty');
      else if (!this.#helpers.has(file)) this.notes.push(`${relative} has no tests.`);
      return 0;
    }
    const { label } = this.#context;
    const notListed = `${relative} was not run: ${label} does not count it among its test files.`;
    if (this.#finished && !explains(cause) && this.#queued.has(path)) {
      // A global setup that fails, for example: only what it printed tells why.
      const stopped = `${relative} was not run: ${label} stopped before it.`;
      file.addFailure({ message: withTail(stopped, this.#output) }, 'load');
      return 1;
    }
    const isRefused = this.#finished && !explains(cause);
    if (isRefused) file.addFailure({ message: notListed }, 'empty');
    else file.addFailure({ message: cause.message, stack: cause.stack }, cause.kind);
    return 1;
  }

  /** An entry for what belongs to no file: its place is the project's configuration. */
  #addOwnResult(raw: RawFailure, kind?: FailureKind, at?: ConfigurationError): void {
    const { root, launch, onEvent } = this.#context;
    const { framework, configFile, root: projectRoot } = launch.project;
    const file = toRelativePosix(root, at?.file ?? configFile ?? path.join(projectRoot, 'package.json'));
    const title = `${framework} in ${toRelativePosix(root, projectRoot) || '.'}`;
    const failure = describeFailure(raw, { root, title, ...(kind && { kind }) });
    const id = `${fileTestId(framework, undefined, file)}${this.#ownResults.length === 0 ? '' : `[${this.#ownResults.length + 1}]`}`;
    const result: TestResult = {
      id,
      file,
      line: at?.line ?? 1,
      title,
      suites: [],
      outcome: 'errored',
      durationMs: 0,
      failure,
    };
    this.#ownResults.push(result);
    onEvent({ type: 'testEnded', result });
  }
}

const isRedEnd = ({ outcome }: { readonly outcome: string }): boolean =>
  outcome === 'failed' || outcome === 'errored';

/** Is it known why nothing was heard of a file? */
const explains = ({ kind }: Cause): boolean => kind === 'crash' || kind === 'config';

const keyOf = (file: string, project: string | undefined): string => `${file}\u0000${project ?? ''}`;
const pathOf = (key: string): string => key.slice(0, key.indexOf('\u0000'));
