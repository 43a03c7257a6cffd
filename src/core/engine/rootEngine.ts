// The engine's knowledge of one workspace folder: its settings, its listed test files, what failed, and how to run.
import path from 'node:path';
import { frameworkOf } from '../frameworks/registry.ts';
import type { RunSession } from '../model/debugSession.ts';
import type { Layer, Workspace } from '../model/settings.ts';
import { layerNote, layersBy } from '../run/layers.ts';
import { summarize } from '../model/summarize.ts';
import type { RunEvent, RunSummary } from '../model/testResult.ts';
import type { StartProcess } from '../run/runLaunch.ts';
import type { SpareStarts } from '../run/spareStarts.ts';
import { whileReading } from '../sandbox/readWorkspace.ts';
import { readText } from '../workspace/readText.ts';
import type { AffectedTests } from './affectedTests.ts';
import { CoverageStore } from './coverageStore.ts';
import { Failures } from './failures.ts';
import { configFilesIn, LastResults, newestChange } from './lastResults.ts';
import type { KnownResult, ListedSkill, RootSettings, Target } from './rootSchemas.ts';
import { Queue } from './queue.ts';
import { listedId, RootListing } from './rootListing.ts';
import { cacheFolderOf, workspaceOf } from './workspaceOf.ts';

/** Of so many files at most the last results are told: each of them is followed through its imports. */
const maxRecalledFiles = 300;

/** What the editor asks to run. */
export interface AskedRun {
  /** All tests when absent. */
  readonly targets?: readonly Target[] | undefined;
  /** Runs the processes under the editor's debugger. */
  readonly debugger?: RunSession;
  /** Counts what of the sources runs. */
  readonly coverage?: boolean;
  /** So many times, judged as one run. */
  readonly repeat?: number | undefined;
  /** Stored snapshots are written anew. */
  readonly updateSnapshots?: boolean | undefined;
}

/** A person thinks in a run under a debugger: a week, which every timer takes. One session after the other. */
const weekMs = 7 * 24 * 3_600_000;
const debugLimits = { timeoutMs: weekMs, skillTimeoutMs: weekMs, maxParallel: 1 };

export class RootEngine {
  readonly root: string;
  readonly failures = new Failures();
  readonly coverage = new CoverageStore();
  readonly tests: RootListing;
  readonly #storageFolder: string | undefined;
  readonly #lastResults: LastResults;
  /** Two runs at once would meet in ports, files and databases of the tests: one follows the other. */
  readonly #runs = new Queue();
  readonly #gone = new AbortController();
  #spares: SpareStarts | undefined;
  #settings: RootSettings;
  #affected: Promise<AffectedTests> | undefined;
  #recalled: Promise<void> | undefined;

  constructor(settings: RootSettings, storageFolder: string | undefined) {
    this.root = settings.root;
    this.#settings = settings;
    this.#storageFolder = storageFolder;
    this.#lastResults = new LastResults(this.root, this.cacheFolder);
    this.tests = new RootListing(() => this.workspace);
  }

  get settings(): RootSettings {
    return this.#settings;
  }

  /** Takes new settings; the next question lists anew. */
  configure(settings: RootSettings): void {
    this.#settings = settings;
    this.tests.outdate();
    this.endSpares();
  }

  /** Ends the process that waits for the next run, until there was another run. */
  endSpares(): void {
    this.#spares?.dispose();
  }

  get workspace(): Workspace {
    return workspaceOf(this.#settings, this.#storageFolder);
  }

  /** This root's corner of the storage, outside of it. */
  get cacheFolder(): string {
    return cacheFolderOf(this.root, this.#storageFolder);
  }

  /** Knows again what failed when the engine last ended, so that there are fixes before the next run. */
  recall(): Promise<void> {
    this.#recalled ??= this.#recall();
    return this.#recalled;
  }

  /** The last results of the root, told apart by whether anything changed since. */
  async lastResults(signal: AbortSignal): Promise<KnownResult[]> {
    const all = await this.#lastResults.all();
    const files = new Set<string>();
    for (const { result } of all) if (files.size < maxRecalledFiles) files.add(result.file);
    const changes = await this.#changesBelow(files, signal);
    return all
      .filter(({ result }) => files.has(result.file))
      .map(({ at, result }) => ({ result, outdated: (changes.get(result.file) ?? Infinity) > at }));
  }

  /**
   * Runs tests when the runs asked for before have ended, and remembers what failed. A run that is cancelled while it waits has
   * no tests. Throws `not-installed` and its like when a project cannot run at all, `busy` while anybody tries fixes in its files.
   */
  run(asked: AskedRun, onEvent: (event: RunEvent) => void, signal: AbortSignal): Promise<RunSummary> {
    const either = AbortSignal.any([signal, this.#gone.signal]);
    return this.#runs.runUnlessAborted(
      () => this.#runWhileReading(asked, onEvent, either),
      () => summarize([], { durationMs: 0, notes: [], ended: 'cancelled' }),
      either,
    );
  }

  /** Does this when the runs asked for before have ended; those asked for meanwhile wait. */
  whileNothingRuns<T>(work: () => Promise<T>): Promise<T> {
    return this.#runs.run(work);
  }

  /** Ends the runs of a folder that left the workspace. */
  dispose(): void {
    this.#gone.abort();
    this.endSpares();
  }

  /** Resolves when the results of ended runs are on the disk. */
  settled(): Promise<void> {
    return this.#lastResults.settled();
  }

  /** A test that meets the trial of a fix may pass by it. */
  async #runWhileReading(
    asked: AskedRun,
    onEvent: (event: RunEvent) => void,
    signal: AbortSignal,
  ): Promise<RunSummary> {
    const given: string[] = [];
    const summary = await whileReading(
      this.root,
      (note) => given.push(note),
      () => this.#runAsOften(asked, onEvent, signal),
    );
    return { ...summary, notes: [...given, ...summary.notes] };
  }

  async #runAsOften(
    asked: AskedRun,
    onEvent: (event: RunEvent) => void,
    signal: AbortSignal,
  ): Promise<RunSummary> {
    const { repeat = 1 } = asked;
    if (repeat === 1) return this.#run(asked, onEvent, signal);
    const { runRepeatedly } = await import('./repeatedRun.ts');
    const tell = (event: RunEvent): void => {
      // What failed once is known as failed, whatever the last run said.
      if (event.type === 'testEnded' && !signal.aborted) this.failures.add(event.result);
      onEvent(event);
    };
    return runRepeatedly(repeat, (onOne) => this.#run(asked, onOne, signal), tell);
  }

  async #run(
    { targets, updateSnapshots, debugger: runSession, coverage }: AskedRun,
    onEvent: (event: RunEvent) => void,
    signal: AbortSignal,
  ): Promise<RunSummary> {
    await this.recall();
    const [{ runTests }, { SpareStarts }, { projects, notes }] = await Promise.all([
      import('../run/runTests.ts'),
      import('../run/spareStarts.ts'),
      this.tests.runnable(targets, signal),
    ]);
    this.#spares ??= new SpareStarts();
    if (targets === undefined) this.failures.clear();
    const startedAt = Date.now();
    const summary = await runTests({
      workspace: runSession ? { ...this.workspace, limits: debugLimits } : this.workspace,
      projects,
      selection: {
        ...this.tests.selectionOf(targets),
        ...(updateSnapshots && { updateSnapshots }),
        ...(runSession && { debug: true }),
      },
      ...(coverage && { coverage: { globs: this.#settings.coverage } }),
      start: runSession ? await startUnder(runSession) : this.#spares.start,
      frameworks: (id) => frameworkOf({ framework: id }),
      discoverFile: (file, framework, project) => this.tests.discoverForRun(file, framework, project),
      onEvent: (event) => {
        // What a cancel kept from ending is nobody's failure.
        if (event.type === 'testEnded' && !signal.aborted) this.failures.add(event.result);
        onEvent(event);
      },
      signal,
    });
    if (!this.#gone.signal.aborted) this.#spares.prepare();
    if (targets === undefined && !runSession) await this.#rememberRanFiles(summary);
    const wholeFiles = targets && new Set(targets.filter(({ names }) => !names).map(({ fileId }) => fileId));
    void this.#lastResults.add({
      startedAt,
      results: summary.tests.filter(
        ({ outcome, cancelled }) => !cancelled && !(signal.aborted && outcome === 'errored'),
      ),
      isWhole: (fileId) => summary.ended === 'complete' && wholeFiles?.has(fileId) !== false,
    });
    return { ...summary, notes: [...summary.notes, ...notes] };
  }

  /** Files that only a run knows are listed from now on. */
  async #rememberRanFiles(summary: RunSummary): Promise<void> {
    const { rememberRanFiles } = await import('../frameworks/rememberRanFiles.ts');
    if (await rememberRanFiles(this.workspace, await this.tests.current(), summary)) this.tests.outdate();
  }

  /** Test files that the changes can touch; without changes those of git. See the contract. */
  async affectedTests(
    changes: {
      readonly saved?: readonly string[] | undefined;
      readonly written?: readonly string[] | undefined;
      readonly purpose?: 'run' | 'state' | undefined;
    },
    signal: AbortSignal,
  ): Promise<{ ids: string[]; changed: string[]; notes: string[] }> {
    const [listing, affected] = await Promise.all([this.tests.current(signal), this.#affectedTests()]);
    const { saved, written, purpose } = changes;
    const isByGit = saved === undefined && written === undefined;
    const { files, changed, notes } = isByGit
      ? await affected.sinceParent(listing, signal)
      : await affected.byFiles(listing, { saved: saved ?? [], written: written ?? [], purpose }, signal);
    const found = listing.files.filter(({ file }) => files.has(file));
    return { ids: found.map(listedId), changed: [...changed], notes: [...notes] };
  }

  /** Test files of a layer, by the settings and the usual names. */
  async layerTests(layer: Layer, signal: AbortSignal): Promise<{ ids: string[]; note: string }> {
    const { files } = await this.tests.current(signal);
    const layerOf = layersBy(this.#settings.layers);
    const known = files.map((listed) => ({ listed, own: layerOf(listed) }));
    const byFile = new Map(known.map(({ listed, own }) => [listed.file, own]));
    const ids = known.flatMap(({ listed, own }) => (own === layer ? [listedId(listed)] : []));
    return { ids, note: layerNote(layer, [...byFile.values()]) };
  }

  /** The catalogue of skills, with the ids of their test files. */
  async skills(signal: AbortSignal): Promise<{ skills: ListedSkill[] }> {
    const [{ files }, { listedSkills }] = await Promise.all([
      this.tests.current(signal),
      import('./skills.ts'),
    ]);
    const ids = new Map(files.map((listed) => [listed.absolute, listedId(listed)]));
    return { skills: await listedSkills(this.root, ids, signal) };
  }

  /** Loaded when first asked, with TypeScript. */
  #affectedTests(): Promise<AffectedTests> {
    this.#affected ??= import('./affectedTests.ts').then(({ AffectedTests }) => new AffectedTests(this.root));
    return this.#affected;
  }

  /** Of a file on disk; undefined when there is none that can be read as text. */
  textOf(file: string): Promise<string | undefined> {
    return readText(path.resolve(this.root, file));
  }

  async #recall(): Promise<void> {
    for (const { at, result } of await this.#lastResults.all()) {
      if (result.outcome !== 'failed' && result.outcome !== 'errored') continue;
      // In a file that changed the failure may be on another line by now.
      if ((await newestChange([path.join(this.root, result.file)])) <= at) this.failures.add(result);
    }
  }

  /** When a test file, anything it imports or the configuration last changed, ms since 1970, by file. */
  async #changesBelow(files: ReadonlySet<string>, signal: AbortSignal): Promise<Map<string, number>> {
    if (files.size === 0) return new Map();
    const [listing, affected] = await Promise.all([this.tests.current(signal), this.#affectedTests()]);
    await affected.updateFor(listing, files, signal);
    const { projects } = listing;
    const folders = new Set([this.root, ...projects.map((project) => project.root)]);
    const configs = await Promise.all([...folders].map(configFilesIn));
    const configured = await newestChange(configs.flat());
    const changes = new Map<string, number>();
    for (const file of files) {
      const reached = [...affected.dependencies(file)].map((name) => path.join(this.root, name));
      changes.set(file, Math.max(configured, await newestChange(reached)));
      // Others have questions meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
    }
    return changes;
  }
}

async function startUnder(runSession: RunSession): Promise<StartProcess> {
  const { debugProcess } = await import('../run/debugProcess.ts');
  return debugProcess(runSession);
}
