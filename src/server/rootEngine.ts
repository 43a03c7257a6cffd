// The engine's knowledge of one workspace folder: its settings, its listed test files, what failed, and how to run.
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import { toRelativePosix } from '../core/base/paths.ts';
import {
  discoverFile,
  listTestFiles,
  type ListedTestFile,
  type TestListing,
} from '../core/frameworks/discover.ts';
import { frameworkOf } from '../core/frameworks/registry.ts';
import type { RunSession } from '../core/model/debugSession.ts';
import type { FrameworkProject, Selection } from '../core/model/frameworkProject.ts';
import type { Layer, Workspace } from '../core/model/settings.ts';
import { fileTestId } from '../core/model/testId.ts';
import type { TestFile } from '../core/model/testNode.ts';
import { layerNote, layersBy } from '../core/run/layers.ts';
import { summarize } from '../core/model/summarize.ts';
import type { RunEvent, RunSummary } from '../core/model/testResult.ts';
import type { StartProcess } from '../core/run/runLaunch.ts';
import { cornerOf, userCacheFolder } from '../core/workspace/userFolders.ts';
import type { AffectedTests } from './affectedTests.ts';
import { CoverageStore } from './coverageStore.ts';
import { Failures } from './failures.ts';
import { fileUri } from './fileUri.ts';
import { configFilesIn, LastResults, newestChange } from './lastResults.ts';
import type { ListedProject, ListedSkill, RootSettings, Target, WireLastResult } from './messages.ts';
import { Queue } from './queue.ts';

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
  readonly #storageFolder: string | undefined;
  readonly #lastResults: LastResults;
  /** Two runs at once would meet in ports, files and databases of the tests: one follows the other. */
  readonly #runs = new Queue();
  readonly #gone = new AbortController();
  #settings: RootSettings;
  #affected: Promise<AffectedTests> | undefined;
  #listing: Promise<TestListing> | undefined;
  #known: TestListing | undefined;
  #recalled: Promise<void> | undefined;
  #byId = new Map<string, ListedTestFile>();

  constructor(settings: RootSettings, storageFolder: string | undefined) {
    this.root = settings.root;
    this.#settings = settings;
    this.#storageFolder = storageFolder;
    this.#lastResults = new LastResults(this.root, this.cacheFolder);
  }

  get settings(): RootSettings {
    return this.#settings;
  }

  /** Takes new settings; the next question lists anew. */
  configure(settings: RootSettings): void {
    this.#settings = settings;
    this.#listing = undefined;
  }

  get workspace(): Workspace {
    const { frameworks, maxParallel, timeoutSeconds, skillTimeoutSeconds, nodePath, pythonPath } =
      this.#settings;
    return {
      root: this.root,
      limits: {
        timeoutMs: timeoutSeconds * 1_000,
        skillTimeoutMs: skillTimeoutSeconds * 1_000,
        maxParallel: maxParallel > 0 ? maxParallel : Math.max(1, os.availableParallelism()),
      },
      ...(nodePath === '' ? {} : { nodePath }),
      ...(pythonPath === '' ? {} : { pythonPath }),
      frameworks,
      cacheFolder: this.cacheFolder,
    };
  }

  /** This root's corner of the storage, outside of it. */
  get cacheFolder(): string {
    return cornerOf(this.root, this.#storageFolder ?? userCacheFolder());
  }

  /** Lists the test files anew. */
  async list(signal: AbortSignal): Promise<{ projects: ListedProject[]; notes: string[] }> {
    this.#listing = undefined;
    const listing = await this.listing(signal);
    return { projects: this.#describe(listing), notes: [...listing.notes, ...problemsOf(listing)] };
  }

  /** The listing as last made; made now when there is none. */
  async listing(signal?: AbortSignal): Promise<TestListing> {
    if (this.#listing !== undefined) return this.#listing;
    const listing = listTestFiles(this.workspace, signal).then((found) => withKnown(found, this.#known));
    this.#listing = listing;
    try {
      const found = await listing;
      this.#known = found;
      this.#byId = new Map(found.files.map((file) => [idOf(file), file]));
      return found;
    } catch (error) {
      if (this.#listing === listing) this.#listing = undefined;
      throw error;
    }
  }

  /** Tests of listed files; `textOf` gives the unsaved text of an absolute file. Files that are gone are left out. */
  async discover(
    ids: readonly string[],
    textOf: (file: string) => string | undefined,
    signal: AbortSignal,
  ): Promise<TestFile[]> {
    await this.listing(signal);
    const found: TestFile[] = [];
    for (const id of ids) {
      const listed = this.#byId.get(id);
      if (listed === undefined || !existsSync(listed.absolute)) continue;
      found.push(await discoverFile(listed, textOf(listed.absolute)));
    }
    return found;
  }

  /** Knows again what failed when the engine last ended, so that there are fixes before the next run. */
  recall(): Promise<void> {
    this.#recalled ??= this.#recall();
    return this.#recalled;
  }

  /** The last results of the root, told apart by whether anything changed since. */
  async lastResults(signal: AbortSignal): Promise<WireLastResult[]> {
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
   * no tests. Throws `not-installed` and its like when a project cannot run at all.
   */
  run(asked: AskedRun, onEvent: (event: RunEvent) => void, signal: AbortSignal): Promise<RunSummary> {
    const either = AbortSignal.any([signal, this.#gone.signal]);
    return this.#runs.runUnlessAborted(
      () => this.#runAsOften(asked, onEvent, either),
      () => summarize([], { durationMs: 0, notes: [], ended: 'cancelled' }),
      either,
    );
  }

  /** Ends the runs of a folder that left the workspace. */
  dispose(): void {
    this.#gone.abort();
  }

  /** Resolves when the results of ended runs are on the disk. */
  settled(): Promise<void> {
    return this.#lastResults.settled();
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
    const [{ runTests }, listing] = await Promise.all([
      import('../core/run/runTests.ts'),
      this.listing(signal),
    ]);
    const projects = this.#projectsOf(targets, listing);
    const broken = projects.filter((project) => project.problem !== undefined);
    const runnable = projects.filter((project) => project.problem === undefined);
    const [first] = broken;
    if (runnable.length === 0 && first?.problem !== undefined) throw problemError(first.problem);
    if (targets === undefined) this.failures.clear();
    const startedAt = Date.now();
    const summary = await runTests({
      workspace: runSession ? { ...this.workspace, limits: debugLimits } : this.workspace,
      projects: runnable,
      selection: {
        ...this.selectionOf(targets),
        ...(updateSnapshots && { updateSnapshots }),
        ...(runSession && { debug: true }),
      },
      ...(coverage && { coverage: { globs: this.#settings.coverage } }),
      ...(runSession && { start: await startUnder(runSession) }),
      frameworks: (id) => frameworkOf({ framework: id }),
      discoverFile: (file, framework, project) => this.#discoverForRun(file, framework, project),
      onEvent: (event) => {
        // What a cancel kept from ending is nobody's failure.
        if (event.type === 'testEnded' && !signal.aborted) this.failures.add(event.result);
        onEvent(event);
      },
      signal,
    });
    const wholeFiles = targets && new Set(targets.filter(({ names }) => !names).map(({ fileId }) => fileId));
    void this.#lastResults.add({
      startedAt,
      results: summary.tests.filter(({ outcome }) => !(signal.aborted && outcome === 'errored')),
      isWhole: (fileId) => summary.ended === 'complete' && wholeFiles?.has(fileId) !== false,
    });
    const notes = broken.map(({ problem }) => `${problem?.message ?? ''} ${problem?.remedy ?? ''}`);
    return { ...summary, notes: [...summary.notes, ...notes] };
  }

  /** What the core is asked to run for the targets of the editor. */
  selectionOf(targets: readonly Target[] | undefined): Selection {
    if (targets === undefined) return {};
    const files = new Set<string>();
    const tests: { file: string; names: readonly string[] }[] = [];
    for (const { fileId, names } of targets) {
      const listed = this.#byId.get(fileId);
      if (listed === undefined) continue;
      if (names === undefined) files.add(listed.absolute);
      else tests.push({ file: listed.absolute, names });
    }
    return {
      files: [...files],
      ...(tests.length === 0 ? {} : { tests: tests.filter(({ file }) => !files.has(file)) }),
    };
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
    const [listing, affected] = await Promise.all([this.listing(signal), this.#affectedTests()]);
    const { saved, written, purpose } = changes;
    const isByGit = saved === undefined && written === undefined;
    const { files, changed, notes } = isByGit
      ? await affected.sinceParent(listing, signal)
      : await affected.byFiles(listing, { saved: saved ?? [], written: written ?? [], purpose }, signal);
    const found = listing.files.filter(({ file }) => files.has(file));
    return { ids: found.map(idOf), changed: [...changed], notes: [...notes] };
  }

  /** Test files of a layer, by the settings and the usual names. */
  async layerTests(layer: Layer, signal: AbortSignal): Promise<{ ids: string[]; note: string }> {
    const { files } = await this.listing(signal);
    const layerOf = layersBy(this.#settings.layers);
    const known = files.map((listed) => ({ listed, own: layerOf(listed) }));
    const byFile = new Map(known.map(({ listed, own }) => [listed.file, own]));
    const ids = known.flatMap(({ listed, own }) => (own === layer ? [idOf(listed)] : []));
    return { ids, note: layerNote(layer, [...byFile.values()]) };
  }

  /** The catalogue of skills, with the ids of their test files. */
  async skills(signal: AbortSignal): Promise<{ skills: ListedSkill[] }> {
    const [{ files }, { listedSkills }] = await Promise.all([this.listing(signal), import('./skills.ts')]);
    const ids = new Map(files.map((listed) => [listed.absolute, idOf(listed)]));
    return { skills: await listedSkills(this.root, ids, signal) };
  }

  /** Loaded when first asked, with TypeScript. */
  #affectedTests(): Promise<AffectedTests> {
    this.#affected ??= import('./affectedTests.ts').then(({ AffectedTests }) => new AffectedTests(this.root));
    return this.#affected;
  }

  /** Absolute files that the frameworks list. */
  async testFiles(signal?: AbortSignal): Promise<readonly string[]> {
    const { files } = await this.listing(signal);
    return [...new Set(files.map(({ absolute }) => absolute))];
  }

  async projects(signal?: AbortSignal): Promise<readonly FrameworkProject[]> {
    const { projects } = await this.listing(signal);
    return projects.filter((project) => project.problem === undefined);
  }

  /** How the editor names a file of this root. */
  uriOf(file: string): string {
    return fileUri(this.root, this.#settings.uri, file);
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
    const [listing, affected] = await Promise.all([this.listing(signal), this.#affectedTests()]);
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

  #projectsOf(targets: readonly Target[] | undefined, listing: TestListing): readonly FrameworkProject[] {
    if (targets === undefined) return listing.projects;
    const wanted = targets.map((target) => this.#byId.get(target.fileId)?.frameworkProject);
    return listing.projects.filter((project) => wanted.includes(project));
  }

  async #discoverForRun(file: string, framework: string, project: string | undefined): Promise<TestFile> {
    const id = [...this.#byId.values()].find(
      (listed) => listed.absolute === file && listed.framework === framework && listed.project === project,
    );
    if (id === undefined) throw new Error(`${file} is not a listed test file`);
    return discoverFile(id);
  }

  #describe(listing: TestListing): ListedProject[] {
    return listing.projects.map((project) => ({
      root: this.root,
      framework: project.framework,
      label: frameworkOf(project).label,
      folder: toRelativePosix(this.root, project.root),
      version: project.version,
      problem: project.problem,
      files: listing.files
        .filter((file) => file.frameworkProject === project)
        .map((file) => ({ id: idOf(file), file: file.file, project: file.project })),
    }));
  }
}

function idOf({ framework, project, file }: ListedTestFile): string {
  return fileTestId(framework, project, file);
}

async function startUnder(runSession: RunSession): Promise<StartProcess> {
  const { debugProcess } = await import('../core/run/debugProcess.ts');
  return debugProcess(runSession);
}

/** A package.json that cannot be read for now, half saved for instance, keeps the projects that were known there. */
function withKnown(listing: TestListing, known: TestListing | undefined): TestListing {
  if (known === undefined) return listing;
  const projects: FrameworkProject[] = [];
  const files: ListedTestFile[] = [];
  for (const { file, message, remedy } of listing.problems) {
    if (file === undefined || path.basename(file) !== 'package.json') continue;
    for (const before of known.projects) {
      if (before.root !== path.dirname(file) || listing.projects.some(({ root }) => root === before.root))
        continue;
      const project = { ...before, problem: { file, message, remedy } };
      projects.push(project);
      for (const listed of known.files) {
        if (listed.frameworkProject === before && existsSync(listed.absolute))
          files.push({ ...listed, frameworkProject: project });
      }
    }
  }
  return projects.length === 0
    ? listing
    : { ...listing, projects: [...listing.projects, ...projects], files: [...listing.files, ...files] };
}

function problemsOf({ problems }: TestListing): string[] {
  return problems.map(({ message, remedy }) => `${message} ${remedy}`);
}

function problemError(problem: NonNullable<FrameworkProject['problem']>): HumanError {
  const { message, file, remedy } = problem;
  return new HumanError('broken-project', message, {
    remedy,
    ...(file === undefined ? {} : { file: path.resolve(file) }),
  });
}
