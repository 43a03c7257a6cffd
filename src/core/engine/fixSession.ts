// What a session adds to a fix cycle: limits that others wrote (CONTRACTS F10), messages (T11), and results (F8).
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError, errorMessage } from '../base/humanError.ts';
import type { CycleRequest } from './cycleRequest.ts';
import { measureOnDisk } from './measureOnDisk.ts';
import type { CycleEvent, CycleReport } from '../model/cycle.ts';
import { layerSchema, type Layer } from '../model/settings.ts';
import type { DiskReport } from '../model/cycleStatus.ts';
import { passRateOf } from '../model/summarize.ts';
import type { FrameworkId } from '../model/testNode.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { tellable } from '../diagnosis/toldSecrets.ts';
import { layerMarkdown } from '../reports/layerMarkdown.ts';
import { createPaint } from '../reports/paint.ts';
import { terminalReporter } from '../reports/terminalReporter.ts';
import { outcomeOf } from '../session/cycleMessages.ts';
import {
  isCovered,
  layerResults,
  writeResults,
  type LayerResults,
  type Measured,
} from '../session/layerResults.ts';
import { layerOf, type SessionTask } from '../session/sessionTask.ts';
import { generatedFiles, sessionInputs, shareResults } from '../session/sharedMemory.ts';
import { sessionTeller, type SessionTeller } from './sessionTeller.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';

export interface SessionOutcome {
  /** The target was reached by the tests that were asked for, as they are on disk. */
  readonly isReached: boolean;
  readonly results: LayerResults;
}

/** The report of a cycle, as the workspace is on disk, and how it was reached. */
export interface EndedCycle {
  readonly report: DiskReport;
  /** What each test did on disk before the cycle, or after its fixes were written. */
  readonly tests: readonly TestResult[];
  readonly opened: OpenedWorkspace;
  /** What it was limited to. */
  readonly request: Pick<CycleRequest, 'files' | 'layer'>;
}

/** What a session is asked to add. */
interface AskedSession {
  /** Absolute folder of the session. */
  readonly folder: string;
  /** Absolute. */
  readonly root: string;
  /** That messages are handed to, as typed. */
  readonly messageCommand: string | undefined;
  /** The one that was asked for; else the one that the task names. */
  readonly layer: Layer | undefined;
  /** What it is about. */
  readonly task?: SessionTask;
  readonly signal: AbortSignal;
  /** For the user's information, one sentence at a time. */
  readonly warn: (text: string) => Promise<void>;
  /** Called when the results are written; `rates` is the end of a sentence about them. */
  readonly onWritten: (file: string, rates: string) => Promise<void>;
}

/** Which tests the cycle is about: a layer, or files, whatever layer they look like. */
interface NarrowedTests {
  readonly files?: readonly string[];
  readonly layer?: Layer;
}

/** A fix cycle as part of a session. */
export class FixSession {
  readonly #asked: AskedSession;
  readonly #teller: SessionTeller;
  readonly #layer: Layer | undefined;
  readonly #notes: string[] = [];
  #frameworks: readonly string[] = [];
  #generated: readonly unknown[] | undefined;
  /** Its results are written, or a warning says why not. */
  #isTold = false;

  /** Throws a `usage` HumanError for a command for messages that is none. */
  constructor(asked: AskedSession) {
    const { folder, root, messageCommand: command, task, warn } = asked;
    this.#asked = asked;
    this.#teller = sessionTeller({ command, session: folder, root, ...(task && { task: task.name }), warn });
    const named = layerOf(task?.text ?? '');
    this.#layer = asked.layer ?? named.layer;
    if (named.wrong !== undefined)
      this.#notes.push(
        `${task?.name ?? ''} names the layer "${named.wrong}", which is not one of ${layerSchema.options.join(', ')}: it is ignored.`,
      );
  }

  /** The framework that the session limits the tests to, where the user named no tests. */
  async framework(): Promise<FrameworkId | undefined> {
    const { framework, files: generated, notes } = await sessionInputs(this.#asked.folder, this.#layer);
    this.#notes.push(...notes);
    this.#generated = generated;
    return framework;
  }

  /** The generated tests of the layer, else the layer, where the user named no tests; nothing for all. */
  async narrow(
    { listing, testFiles, workspace }: OpenedWorkspace,
    hasFiles: boolean,
  ): Promise<NarrowedTests> {
    this.#frameworks = frameworksOf(listing.files);
    let narrowed: NarrowedTests = {};
    if (!hasFiles && this.#generated !== undefined) {
      const { files, notes } = generatedFiles(this.#generated, workspace.root, testFiles);
      this.#notes.push(...notes);
      narrowed = { files };
    } else if (!hasFiles && this.#layer !== undefined) {
      narrowed = { layer: this.#layer };
    }
    for (const note of this.#notes) await this.#asked.warn(note);
    return narrowed;
  }

  onEvent(event: CycleEvent): void {
    this.#teller.onEvent(event);
  }

  /** Runs the tests once more, with coverage, as they are on disk; undefined where no test ran, or there is no time left. */
  async measure({ report, opened, request }: EndedCycle): Promise<RunSummary | undefined> {
    const { signal, warn } = this.#asked;
    if (report.passed + report.failed === 0 || signal.aborted) return undefined;
    const onNote = (note: string): void => void warn(note);
    return measureOnDisk({ report, opened, files: filesOf(request), signal, onNote });
  }

  /** Writes the results, of what `measure` gave, and tells the coordinator. */
  async onEnd(ended: EndedCycle, run: RunSummary | undefined): Promise<SessionOutcome> {
    const { report, opened, request } = ended;
    const files = filesOf(request);
    const wanted = new Set(files);
    if (files)
      this.#frameworks = frameworksOf(opened.listing.files.filter((one) => wanted.has(one.absolute)));
    const isAbout = (file: string): boolean =>
      files === undefined || wanted.has(path.join(opened.workspace.root, file));
    const results = this.#resultsOf({
      report,
      known: ended.tests.filter(({ file }) => isAbout(file)),
      ...(run && { run }),
    });
    const remaining = report.remaining.filter(({ file }) => isAbout(file));
    // T14: a task is done at the target. Its results say what still fails then; only who names the target has that called reached.
    const isReached =
      run !== undefined && isOnTarget(run, report) && remaining.every(({ fault }) => fault !== 'source');
    // Who stopped it knows, and gets it taken up again: the numbers of half of it would be taken for all.
    if (report.ended === 'cancelled' || run?.ended === 'cancelled') return { isReached: false, results };
    const end = { isReached, run, maxIterations: report.maxIterations };
    const isWritten = await this.#write(results, end);
    this.#isTold = true;
    await this.#teller.onEnd({
      ...outcomeOf(report),
      ...ratesOf(results),
      ...(this.#asked.task && { remaining, isPassed: results.all_passed }),
    });
    // An older report may still be there, which says something else.
    return { isReached: isReached && isWritten, results };
  }

  /** An empty report takes the place of an older one, so that nobody takes that for the result. */
  async onError(error: unknown): Promise<void> {
    const isOfCaller = error instanceof HumanError && ['cancelled', 'busy', 'usage'].includes(error.code);
    // What went wrong after the results were written takes nothing of them back.
    if (!isOfCaller && !this.#isTold) {
      this.#notes.push(errorMessage(error));
      await this.#write(this.#resultsOf({}), { isReached: false, maxIterations: 0 });
    }
    await this.#teller.onError(error);
  }

  #resultsOf(measured: Pick<Measured, 'report' | 'known' | 'run'>): LayerResults {
    const layer = this.#layer ?? 'all';
    return layerResults({ layer, frameworks: this.#frameworks, ...measured, notes: this.#notes });
  }

  /** False when they could not all be written; a warning says why. */
  async #write(
    measured: LayerResults,
    end: {
      readonly isReached: boolean;
      readonly run?: RunSummary | undefined;
      readonly maxIterations: number;
    },
  ): Promise<boolean> {
    const { folder, root, warn, onWritten } = this.#asked;
    const failing = end.run === undefined ? [] : failingOf(end.run);
    const markdown = layerMarkdown(measured, { ...end, failing }, root);
    const results = tellable(measured, root, end.run);
    try {
      const text = end.run === undefined ? results.notes.join('\n') : await terminalText(end.run, root);
      const { output } = tellable({ output: text }, root, end.run);
      const written = await writeResults(folder, results, { markdown, output });
      await onWritten(path.join(written, `run-${results.layer}.md`), ratesText(results));
    } catch (error) {
      await warn(`Results could not be written: ${errorMessage(error)}`);
      return false;
    }
    // What others keep there may be unreadable: the results themselves are there all the same.
    await shareResults(folder, results).catch((error: unknown) =>
      warn(`Results could not be written: ${errorMessage(error)}`),
    );
    return true;
  }
}

/** What the session is about; undefined for everything. */
const filesOf = ({ files, layer }: EndedCycle['request']): readonly string[] | undefined =>
  files ?? (layer && [...layer.files]);

const frameworksOf = (files: OpenedWorkspace['listing']['files']): readonly string[] => [
  ...new Set(files.map(({ framework }) => framework)),
];

const failingOf = ({ tests }: RunSummary): RunSummary['tests'] =>
  tests.filter(({ outcome }) => outcome === 'failed' || outcome === 'errored');

const isOnTarget = (run: RunSummary, { targetPassRate }: CycleReport): boolean => {
  const rate = passRateOf(run);
  return run.ended === 'complete' && rate !== null && rate >= targetPassRate;
};

/** The message tells what the results do. */
function ratesOf(results: LayerResults): Pick<CycleReport, 'passRate' | 'total' | 'passed' | 'failed'> {
  const { tests_passed: passed, tests_failed: failed, pass_rate: rate } = results;
  const total = passed + failed;
  return { passRate: total === 0 ? null : rate, total, passed, failed };
}

function ratesText(results: LayerResults): string {
  const { tests_passed: passed, tests_failed: failed, coverage } = results;
  if (passed + failed === 0) return 'no test ran';
  const lines = isCovered(results) ? `${coverage} % of the lines run` : 'coverage could not be counted';
  return `${passed} of ${passed + failed} pass, ${lines}`;
}

/** What a terminal would show of the run, without colours. */
async function terminalText(run: RunSummary, root: string): Promise<string> {
  let told = '';
  const reporter = terminalReporter({
    paint: createPaint(false),
    width: 80,
    readText: (file) => readFile(path.resolve(root, file), 'utf8').catch(() => undefined),
    write: (text) => void (told += text),
  });
  await reporter.onEnd?.(run);
  return told;
}
