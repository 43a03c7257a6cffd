// Runs the selected tests of a workspace and tells what became of each of them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { inParallel } from '../base/inParallel.ts';
import { isInside, realPlaceOf, toRelativePosix } from '../base/paths.ts';
import { testsOf } from '../frameworks/discoverJson.ts';
import type { FrameworkProject, Launch, Selection, TestFramework } from '../frameworks/framework.ts';
import type { Workspace } from '../model/settings.ts';
import { assignIds, fileTestId } from '../model/testId.ts';
import type { FrameworkId, TestFile } from '../model/testNode.ts';
import { summarize } from '../model/summarize.ts';
import type { RunEvent, RunSummary, TestResult } from '../model/testResult.ts';
import { userNode } from '../process/userNode.ts';
import type { OutputBudget } from '../process/outputBuffer.ts';
import { watchRoot } from './rootWatch.ts';
import type { CoverageCollector, CoverageOptions } from './runCoverage.ts';
import { isOutOfTime, runLaunch, type LaunchResult, type StartProcess } from './runLaunch.ts';
import {
  createSelector,
  divideSelection,
  reachableSelection,
  startableParts,
  type WantedTest,
} from './runSelection.ts';

export interface RunRequest {
  readonly workspace: Workspace;
  readonly projects: readonly FrameworkProject[];
  readonly selection: Selection;
  readonly frameworks: (id: FrameworkId) => TestFramework;
  /** Statically found tests of an absolute file, for the ids; when absent the framework's own `scan` is used. */
  readonly discoverFile?: DiscoverFile;
  readonly onEvent?: (event: RunEvent) => void;
  readonly signal?: AbortSignal;
  /** Added to the environment of every process started. */
  readonly env?: Readonly<Record<string, string>>;
  /** Count what of the sources runs. */
  readonly coverage?: CoverageOptions;
  /** Starts the processes instead of us: a debugger does. */
  readonly start?: StartProcess;
}

type DiscoverFile = (file: string, framework: FrameworkId, project: string | undefined) => Promise<TestFile>;

/** All tests of a run together keep this much of what they print. */
const outputOfRun = 64 * 1024 * 1024;

/**
 * Runs the selection: one or more processes for each project, at most `maxParallel` at once, for at most `limits.timeoutMs`
 * altogether. Every test that was queued has a result, also when its process died, hung or was cancelled; a project that cannot
 * run is one errored result. Coverage, when asked for, is in the summary, with notes on what is missing. Zero tests give a pass rate of null and a note. Events of a test come in order: fileStarted,
 * testStarted, output, testEnded. Throws a HumanError for refused filters (Q4) and when there is no node.
 */
export async function runTests(request: RunRequest): Promise<RunSummary> {
  if (request.coverage === undefined) return runSelection(request);
  const { CoverageCollector } = await import('./runCoverage.ts');
  const collector = await CoverageCollector.open();
  try {
    return await runSelection(request, { collector, options: request.coverage });
  } finally {
    await collector.dispose();
  }
}

interface Covering {
  readonly collector: CoverageCollector;
  readonly options: CoverageOptions;
}

async function runSelection(request: RunRequest, covering?: Covering): Promise<RunSummary> {
  const started = performance.now();
  const { workspace, signal } = request;
  const notes: string[] = [];
  const onEvent = (event: RunEvent): void => request.onEvent?.(event);
  const discoverFile =
    request.discoverFile ?? ((...file: Parameters<DiscoverFile>) => scanFile(request, undefined, ...file));
  const budget: OutputBudget = { left: outputOfRun };
  const matched = new Set<WantedTest>();
  const selection = real(request.selection);

  const planned = await launchesOf({ ...request, selection }, discoverFile, covering);
  const { launches, problems, notes: said, node } = await withNode(planned, workspace);
  for (const result of problems) onEvent({ type: 'testEnded', result });
  const rootWatch = watchRoot(workspace.root);
  const results = await inLanes(launches, workspace.limits.maxParallel, ({ launch, selection: part }) => {
    const framework = request.frameworks(launch.project.framework);
    return runLaunch({
      root: workspace.root,
      launch,
      label: framework.label,
      ...(framework.literalTitles && { literalTitles: framework.literalTitles }),
      discoverFile: request.discoverFile ?? ((...file) => scanFile(request, launch, ...file)),
      ...(framework.fileTitle && { fileTitle: (file) => framework.fileTitle?.(file) ?? file }),
      isSelected: createSelector(part, launch, matched),
      ...(part.byRule && { byRule: part.byRule }),
      budget,
      onEvent,
      node,
      ...(request.start && { start: request.start }),
      env: request.env ?? {},
      limitMs: workspace.limits.timeoutMs,
      remainingMs: workspace.limits.timeoutMs - (performance.now() - started),
      ...(signal && { signal }),
      rootWatch,
    });
  }).finally(() => rootWatch.dispose());

  const tests = inOrder([...problems, ...results.flatMap((result) => result.tests)]);
  notes.push(...said, ...new Set(results.flatMap((result) => result.notes)));
  notes.push(...problems.flatMap(({ failure }) => failure?.message ?? []));
  const unmatched = launches.length > 0 ? (selection.tests ?? []).filter((test) => !matched.has(test)) : [];
  for (const { file, names } of unmatched) {
    notes.push(`No test matched "${names.join(' ')}" in ${toRelativePosix(workspace.root, file)}.`);
  }
  if (budget.left <= 0)
    notes.push('The tests printed more than 64 MiB; what they printed after that was cut.');
  if (tests.length === 0) notes.push('no tests ran');
  const covered = await covering?.collector.collect(
    (project) => request.frameworks(project.framework),
    workspace.root,
    covering.options,
    signal,
  );
  const silent = covered ? results.filter(({ wasEnded }) => wasEnded).length : 0;
  const lost = `Processes that were ended before their time: ${silent} of ${results.length}. What they counted may be missing.`;
  const uncovered = [...(silent > 0 ? [lost] : []), ...(covered?.notes ?? [])];
  notes.push(...uncovered);
  for (const text of notes) onEvent({ type: 'note', text });
  return summarize(tests, {
    durationMs: performance.now() - started,
    notes,
    ended: endOf(results, signal),
    ...(covered && { coverage: { ...covered.coverage, notes: uncovered } }),
  });
}

/** With the user's node where it is needed. Without one, what needs no node runs all the same; throws when that is nothing. */
async function withNode(
  planned: PlannedRun,
  workspace: Workspace,
): Promise<PlannedRun & { readonly node: string }> {
  const needing = planned.launches.filter(({ launch }) => launch.program === undefined);
  if (needing.length === 0) return { ...planned, node: '' };
  try {
    return { ...planned, node: await userNode(workspace) };
  } catch (error) {
    if (!(error instanceof HumanError) || needing.length === planned.launches.length) throw error;
    const projects = new Set(needing.map(({ launch }) => launch.project));
    const problems = [...projects].map((project) => problemResult(project, error, workspace.root));
    return {
      ...planned,
      node: '',
      launches: planned.launches.filter((one) => !needing.includes(one)),
      problems: [...planned.problems, ...(await Promise.all(problems))],
    };
  }
}

/** At most `limit` at once, and of those of one lane one at a time; results in the order of the launches. */
async function inLanes<R>(
  launches: readonly PlannedLaunch[],
  limit: number,
  work: (planned: PlannedLaunch) => Promise<R>,
): Promise<readonly R[]> {
  const lanes = new Map<unknown, PlannedLaunch[]>();
  for (const planned of launches) {
    const lane = planned.launch.lane ?? planned;
    const others = lanes.get(lane);
    if (others) others.push(planned);
    else lanes.set(lane, [planned]);
  }
  const results = new Map<PlannedLaunch, R>();
  await inParallel([...lanes.values()], limit, async (lane) => {
    for (const planned of lane) results.set(planned, await work(planned));
  });
  return launches.flatMap((planned) => {
    const result = results.get(planned);
    return result === undefined ? [] : [result];
  });
}

interface PlannedLaunch {
  readonly launch: Launch;
  readonly selection: Selection;
}

interface PlannedRun {
  readonly launches: readonly PlannedLaunch[];
  readonly problems: readonly TestResult[];
  readonly notes: readonly string[];
}

/** What to start, and a result for each project that cannot be started; what runs instead of one is noted. */
async function launchesOf(
  { workspace, projects, selection, frameworks }: RunRequest,
  discoverFile: NonNullable<RunRequest['discoverFile']>,
  covering: Covering | undefined,
): Promise<PlannedRun> {
  const launches: PlannedLaunch[] = [];
  const problems: TestResult[] = [];
  const notes: string[] = [];
  for (const [project, part] of await divideSelection(selection, projects, frameworks)) {
    const discover = (file: string): Promise<TestFile> => discoverFile(file, project.framework, undefined);
    try {
      const framework = frameworks(project.framework);
      const found: PlannedLaunch[] = [];
      for (const some of startableParts(part)) {
        const reachable = framework.literalTitles ? some : await reachableSelection(some, discover);
        const coverage = covering && { folder: await covering.collector.folderFor(project) };
        const wanted = { ...reachable, ...(coverage && { coverage }) };
        const own = await framework.launches(project, wanted, workspace);
        found.push(...own.map((launch) => ({ launch, selection: some })));
      }
      await checkFilter(framework, project, part, discover);
      launches.push(...found);
    } catch (error) {
      if (!(error instanceof HumanError) || error.code === 'bad-input' || error.code === 'usage') throw error;
      const { fallbackFor } = await import('./fallback.ts');
      const other = error.code === 'not-installed' ? await fallbackFor(project, part, workspace) : undefined;
      launches.push(...(other?.launches ?? []).map((launch) => ({ launch, selection: part })));
      if (other) notes.push(other.note);
      else problems.push(await problemResult(project, error, workspace.root));
    }
  }
  return { launches, problems, notes };
}

/** A native filter is tried on the titles that are known, where it is a regular expression. */
async function checkFilter(
  framework: TestFramework,
  project: FrameworkProject,
  { nativeFilter, files, tests }: Selection,
  discover: (file: string) => Promise<TestFile>,
): Promise<void> {
  if (nativeFilter === undefined || framework.fileTitle || framework.plainNativeFilter) return;
  const { refuseSlowFilter } = await import('./slowFilter.ts');
  const chosen = files ?? tests?.map(({ file }) => file);
  const listed = chosen ?? (await framework.listTestFiles(project)).map(({ file }) => file);
  const titles: string[] = [];
  for (const file of new Set(listed)) {
    const found = await discover(file).catch(() => undefined);
    if (found) titles.push(...testsOf(found).map(({ suites, title }) => [...suites, title].join(' ')));
  }
  await refuseSlowFilter(nativeFilter, titles);
}

/** Frameworks tell real paths; a selection may have come through a linked folder. */
function real(selection: Selection): Selection {
  const { files, tests, ...rest } = selection;
  return {
    ...rest,
    ...(files && { files: files.map(realPlaceOf) }),
    ...(tests && { tests: tests.map(({ file, names }) => ({ file: realPlaceOf(file), names })) }),
  };
}

/** A framework that is named but cannot run is no pass. */
async function problemResult(
  project: FrameworkProject,
  error: HumanError,
  root: string,
): Promise<TestResult> {
  const { describeFailure } = await import('../failures/describeFailure.ts');
  const file = toRelativePosix(root, error.details.file ?? path.join(project.root, 'package.json'));
  const raw = { message: `${error.message} ${error.details.remedy}` };
  const failure = describeFailure(raw, { root, title: project.framework, kind: 'load' });
  const id = fileTestId(project.framework, undefined, file);
  return {
    id,
    file,
    line: 1,
    title: project.framework,
    suites: [],
    outcome: 'errored',
    durationMs: 0,
    failure,
  };
}

async function scanFile(
  { workspace, projects, frameworks }: RunRequest,
  launch: Launch | undefined,
  file: string,
  framework: FrameworkId,
  project: string | undefined,
): Promise<TestFile> {
  const own = projects
    .filter((one) => one.framework === framework && isInside(one.root, file))
    .reduce<FrameworkProject | undefined>(
      (best, one) => (best && best.root.length >= one.root.length ? best : one),
      undefined,
    );
  const relative = toRelativePosix(workspace.root, file);
  const id = fileTestId(framework, project, relative);
  const scanned = launch?.scanned?.(file);
  // Four calls on other threads would take longer than the read.
  const { tests, warnings } = scanned
    ? { tests: scanned, warnings: [] }
    : await frameworks(framework).scan(file, readFileSync(file, 'utf8'), { ...(own && { project: own }) });
  const found = [...warnings];
  const nodes = assignIds(id, tests, found);
  return {
    file: relative,
    framework,
    ...(project !== undefined && { project }),
    id,
    tests: nodes,
    warnings: found,
  };
}

/** By file and line, so that two runs of the same tests tell them alike. */
function inOrder(tests: readonly TestResult[]): TestResult[] {
  return [...tests].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
}

function endOf(results: readonly LaunchResult[], signal: AbortSignal | undefined): RunSummary['ended'] {
  if (signal?.aborted) return isOutOfTime(signal) ? 'timeout' : 'cancelled';
  return results.some(({ hitRunLimit }) => hitRunLimit) ? 'timeout' : 'complete';
}
