// What `--session` adds to a fix cycle: limits that others wrote (CONTRACTS F10), messages (T11), and results (F8).
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError, errorMessage } from '../core/base/humanError.ts';
import type { CycleRequest } from '../core/engine/cycleRequest.ts';
import { measureOnDisk } from '../core/engine/measureOnDisk.ts';
import type { CycleEvent, CycleReport } from '../core/model/cycle.ts';
import { layerSchema, type Layer } from '../core/model/settings.ts';
import type { DiskReport } from '../core/model/cycleStatus.ts';
import { passRateOf } from '../core/model/summarize.ts';
import type { RunSummary, TestResult } from '../core/model/testResult.ts';
import { layerMarkdown } from '../core/reports/layerMarkdown.ts';
import { createPaint, plainLine } from '../core/reports/paint.ts';
import { terminalReporter } from '../core/reports/terminalReporter.ts';
import { outcomeOf } from '../core/session/cycleMessages.ts';
import {
  isCovered,
  layerResults,
  writeResults,
  type LayerResults,
  type Measured,
} from '../core/session/layerResults.ts';
import { layerOf, type SessionTask } from '../core/session/sessionTask.ts';
import { generatedFiles, sessionInputs, shareResults } from '../core/session/sharedMemory.ts';
import type { CommandContext } from './command.ts';
import { LiveLine } from './liveLine.ts';
import type { Options } from './options.ts';
import { sessionFolder } from './sessionFolder.ts';
import { sessionTeller, type SessionTeller } from '../core/engine/sessionTeller.ts';
import type { OpenedWorkspace } from '../core/engine/openWorkspace.ts';

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

/** A fix cycle as part of a session. */
export class FixSession {
  readonly #context: CommandContext;
  readonly #folder: string;
  readonly #teller: SessionTeller;
  readonly #isTask: boolean;
  readonly #layer: Layer | undefined;
  readonly #notes: string[] = [];
  #frameworks: readonly string[] = [];
  #generated: readonly unknown[] | undefined;
  /** Its results are written, or a warning says why not. */
  #isTold = false;

  /** `task`: what it is about. Throws a `usage` HumanError for a command for messages that is none. */
  constructor(context: CommandContext, task?: SessionTask) {
    const { options } = context;
    this.#context = context;
    this.#folder = sessionFolder(options);
    this.#isTask = task !== undefined;
    this.#teller = sessionTeller({
      command: options.text('message-command'),
      session: this.#folder,
      root: path.resolve(options.text('root') ?? '.'),
      ...(task && { task: task.name }),
      warn: (text) => this.#warn(text),
    });
    const asked = layerOf(task?.text ?? '');
    this.#layer = options.choice('layer', layerSchema.options) ?? asked.layer;
    if (asked.wrong !== undefined)
      this.#notes.push(
        `${task?.name ?? ''} names the layer "${asked.wrong}", which is none of ${layerSchema.options.join(', ')}: it limits nothing.`,
      );
  }

  /** The options with the framework of the session, unless the user named one or the tests. */
  async options(): Promise<Options> {
    const { options, files } = this.#context;
    if (files.length > 0) return options;
    const { framework, files: generated, notes } = await sessionInputs(this.#folder, this.#layer);
    this.#notes.push(...notes);
    this.#generated = generated;
    return framework === undefined || options.flag('framework')
      ? options
      : options.with('framework', framework);
  }

  /** What to ask the cycle for: the files the user named, else the generated tests of the layer, else the layer. */
  async narrowed({ listing, testFiles, workspace }: OpenedWorkspace): Promise<CommandContext> {
    const context = this.#context;
    this.#frameworks = frameworksOf(listing.files);
    let narrowed = context;
    if (context.files.length === 0 && this.#generated !== undefined) {
      const { files, notes } = generatedFiles(this.#generated, workspace.root, testFiles);
      this.#notes.push(...notes);
      // Who wrote them says of which layer they are, whatever their names look like.
      narrowed = { ...context, files, options: context.options.without('layer') };
    } else if (context.files.length === 0 && this.#layer !== undefined) {
      narrowed = { ...context, options: context.options.with('layer', this.#layer) };
    }
    for (const note of this.#notes) await this.#warn(note);
    return narrowed;
  }

  onEvent(event: CycleEvent): void {
    this.#teller.onEvent(event);
  }

  /** Runs the tests once more, with coverage, as they are on disk; undefined where no test ran, or there is no time left. */
  async measure(ended: EndedCycle): Promise<RunSummary | undefined> {
    const { passed, failed } = ended.report;
    if (passed + failed === 0 || this.#context.signal.aborted) return undefined;
    return this.#told(() => this.#measure(ended));
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
      ...(this.#isTask && { remaining, isPassed: results.all_passed }),
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

  async #told<T>(work: () => Promise<T>): Promise<T> {
    const live = new LiveLine(this.#context.terminal);
    live.show('running the tests as they are on disk, with coverage');
    try {
      return await work();
    } finally {
      live.clear();
    }
  }

  #measure({ report, opened, request }: EndedCycle): Promise<RunSummary> {
    const { signal, terminal } = this.#context;
    const onNote = (note: string): void => void terminal.err(`! ${plainLine(note)}\n`);
    return measureOnDisk({ report, opened, files: filesOf(request), signal, onNote });
  }

  /** False when they could not all be written; a warning says why. */
  async #write(
    results: LayerResults,
    end: {
      readonly isReached: boolean;
      readonly run?: RunSummary | undefined;
      readonly maxIterations: number;
    },
  ): Promise<boolean> {
    const root = path.resolve(this.#context.options.text('root') ?? '.');
    const failing = end.run === undefined ? [] : failingOf(end.run);
    const markdown = layerMarkdown(results, { ...end, failing }, root);
    try {
      const output = end.run === undefined ? results.notes.join('\n') : await terminalText(end.run, root);
      await writeResults(this.#folder, results, { markdown, output });
      await this.#say(resultText(results, path.relative(process.cwd(), path.join(this.#folder, 'results'))));
    } catch (error) {
      await this.#warn(`Results could not be written: ${errorMessage(error)}`);
      return false;
    }
    // What others keep there may be unreadable: the results themselves are there all the same.
    await shareResults(this.#folder, results).catch((error: unknown) =>
      this.#warn(`Results could not be written: ${errorMessage(error)}`),
    );
    return true;
  }

  /** For people: on stdout unless that belongs to a document. */
  #say(text: string): Promise<void> {
    const { terminal, options } = this.#context;
    return terminal.json || options.text('events') === 'ndjson'
      ? terminal.err(`${text}\n`)
      : terminal.out(`${text}\n`);
  }

  #warn(text: string): Promise<void> {
    return this.#context.terminal.err(`! ${plainLine(text)}\n`);
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

function resultText(results: LayerResults, folder: string): string {
  const { layer, tests_passed: passed, tests_failed: failed, coverage } = results;
  const rates =
    passed + failed === 0
      ? 'no test ran'
      : `${passed} of ${passed + failed} pass, ${isCovered(results) ? `${coverage} % of the lines run` : 'coverage could not be counted'}`;
  return `Results in ${plainLine(path.join(folder, `run-${layer}.md`))}: ${rates}.`;
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
