// The fix cycle: run, understand, propose, prove in the sandbox, keep what is proven, again (CONTRACTS T3–T10, F5).
import path from 'node:path';
import { CutOff } from '../base/cutOff.ts';
import { HumanError } from '../base/humanError.ts';
import { toRelativePosix } from '../base/paths.ts';
import { boundOldHeap } from '../base/heapGrowth.ts';
import { askedProviders } from '../fixes/providers.ts';
import { cycleEventSchema, type CycleEvent, type CycleReport } from '../model/cycle.ts';
import { affectedTests } from '../run/affectedTests.ts';
import { thisProcess } from '../sandbox/processOwner.ts';
import { openBench, type CycleBench } from './cycleBench.ts';
import { coverageAtEnd } from './coverageAtEnd.ts';
import { lockCycle } from './cycleLock.ts';
import { earlyReport, redOnlyOnDisk, reportOf } from './cycleReport.ts';
import { CycleRecord } from './cycleRecord.ts';
import type { AskedCycle } from './formerCycle.ts';
import type { CyclePlan, CycleRequest } from './cycleRequest.ts';
import { CycleState } from './cycleState.ts';
import { runIterations } from './iterations.ts';
import { otherLayersNote } from './otherLayers.ts';
import { keepStepTimes, readStepTimes, type TimedScope } from './stepTimes.ts';
import { eventInWorkspace, reportInWorkspace, resultInWorkspace } from './inWorkspace.ts';

/**
 * Mends failing tests in one sandbox; the workspace is never written. Yields what happens and returns the report, also when it is
 * cancelled. Throws a `busy` HumanError while another cycle of this root runs or
 * fixes are tried in its repository itself, other HumanErrors when no sandbox can be made.
 */
export async function* runFixCycle(asked: CycleRequest): AsyncGenerator<CycleEvent, CycleReport> {
  const { workspace } = asked;
  boundOldHeap();
  const state = new CycleState(asked);
  const lock = await lockCycle(workspace.root, {
    isInPlace: asked.sandbox?.inPlace === true,
    onNote: (note) => state.note(note),
  });
  const record = await recordOf(asked, state);
  const request = { ...recordedBy(record, asked, state), progress: state.progress };
  const cycle: OpenCycle = { request, state, record };
  try {
    for await (const event of state.progress.among(eventsOf(cycle))) {
      record.onEvent(event);
      yield checked(cycle.bench === undefined ? event : eventInWorkspace(event, cycle.bench));
    }
    if (cycle.report === undefined) throw new Error('a cycle without a report');
    // Whoever had to go has told nobody.
    if (!(request.signal?.reason instanceof CutOff)) record.end(state.ended !== 'cancelled');
    return cycle.report;
  } finally {
    state.costs.dispose();
    await cycle.bench?.dispose();
    await lock.release();
  }
}

/** What a cycle comes to have; whoever began it ends it. */
interface OpenCycle {
  readonly request: CycleRequest;
  readonly state: CycleState;
  readonly record: CycleRecord;
  bench?: CycleBench;
  report?: CycleReport;
}

async function* eventsOf(cycle: OpenCycle): AsyncGenerator<CycleEvent, void> {
  const { request, state } = cycle;
  const { workspace, preset, layer, maxIterations, targetPassRate } = request;
  yield {
    type: 'cycleStarted',
    root: workspace.root,
    preset,
    ...(layer && { layer: layer.layer }),
    maxIterations,
    targetPassRate,
    ...(state.takenUp && { takenUp: state.takenUp.former }),
  };
  try {
    yield* workOn(cycle);
  } catch (error) {
    if (isCancelled(error, request.signal)) state.end('cancelled');
    else if (cycle.bench === undefined) throw error;
    else state.fail(error);
  }
  const { bench } = cycle;
  cycle.report =
    bench === undefined
      ? earlyReport(request, state)
      : reportInWorkspace(await reportOf(request, state, bench), bench);
  tellResults(request, state, bench);
  yield { type: 'cycleEnded', report: cycle.report };
}

async function* workOn(cycle: OpenCycle): AsyncGenerator<CycleEvent, void> {
  const { request, state } = cycle;
  const { progress } = state;
  progress.begin('looking', 'looking for tests');
  const plan = await planOf(request);
  for (const note of plan.notes) state.note(note);
  const suite = plan.suiteFiles ?? plan.testFiles;
  if (suite.length === 0) return state.end('no-tests');
  const scope = timedScope(request, plan);
  const first = countOf(plan.startFiles ?? suite);
  progress.expect({ former: await readStepTimes(scope), first, suiteFiles: suite.length });
  progress.begin('copying', 'copying the workspace to where fixes are tried');
  cycle.bench = await openBench({
    ...request,
    ...plan,
    start: state.costs.start,
    onNote: (note) => state.note(note),
    onOriginal: (original) => (state.firstRun = original),
  });
  yield* runIterations(request, plan, cycle.bench, state);
  const untried = await otherLayersNote(plan, state.attempts.fixes, cycle.bench);
  if (untried !== undefined) state.note(untried);
  if (request.coverage === 'counted') {
    progress.begin('coverage', 'counting what the tests run of the sources');
    state.coverage = await coverageAtEnd(request, state, cycle.bench);
  }
  // Where a person is asked, the time is theirs.
  if (request.accept === undefined) await keepStepTimes(scope, progress.times);
}

/** Cycles that begin with the same tests. */
function timedScope({ workspace, layer, tests, sandbox }: CycleRequest, plan: CyclePlan): TimedScope {
  const { root, cacheFolder } = workspace;
  const start = plan.startFiles === undefined ? 'suite' : [...plan.startFiles].sort();
  return {
    root,
    cacheFolder,
    scope: JSON.stringify([start, layer?.layer, tests, sandbox?.inPlace === true]),
  };
}

/** The record in which a killed cycle can be found; one that is taken up is in it from the start. */
async function recordOf(request: CycleRequest, state: CycleState): Promise<CycleRecord> {
  const { workspace, resume: former } = request;
  const { root, cacheFolder } = workspace;
  const record = new CycleRecord({
    root,
    cacheFolder,
    owner: await thisProcess(),
    asked: assertedNames(request),
    former,
    onTrouble: (note) => state.note(note),
  });
  if (former !== undefined) record.begin();
  return record;
}

function assertedNames({ workspace, files, ...request }: CycleRequest): AskedCycle {
  const { cycleId, layer, coverage, preset, assume, strategy, maxIterations, targetPassRate } = request;
  return {
    ...(cycleId !== undefined && { cycleId }),
    ...(layer !== undefined && { layer: layer.layer }),
    coverage: coverage !== undefined,
    ...(files !== undefined && { files: files.map((file) => toRelativePosix(workspace.root, file)) }),
    preset,
    assume,
    strategy,
    maxIterations,
    targetPassRate,
  };
}

/** The request whose answers are recorded, and whose first fixer is the cycle that is taken up. */
function recordedBy(record: CycleRecord, request: CycleRequest, { takenUp }: CycleState): CycleRequest {
  const { accept, providers = askedProviders() } = request;
  return {
    ...request,
    ...(takenUp && { providers: [takenUp.provider, ...providers] }),
    ...(accept && {
      accept: async (fix) => {
        const decision = await accept(fix);
        record.onSaid(fix, decision);
        return decision;
      },
    }),
  };
}

/** T2, T6: the affected tests first; none affected means the full suite. */
async function planOf(request: CycleRequest): Promise<CyclePlan> {
  const { workspace, projects, frameworks, layer, signal } = request;
  const { root } = workspace;
  const listed = new Set<string>();
  for (const project of projects)
    for (const { file } of await frameworks(project.framework).listTestFiles(project, signal))
      listed.add(toRelativePosix(root, file));
  const testFiles = [...listed];
  const inLayer = layer && new Set([...layer.files].map((file) => toRelativePosix(root, file)));
  const suite = inLayer === undefined ? testFiles : testFiles.filter((file) => inLayer.has(file));
  const found = { testFiles, ...(inLayer && { suiteFiles: suite }) };
  const told = layer === undefined ? [] : [layer.note];
  const asked = [...(request.files ?? []), ...(request.tests ?? []).map(({ file }) => file)];
  if (asked.length > 0)
    return {
      ...found,
      startFiles: [...new Set(asked.map((file) => toRelativePosix(root, file)))],
      notes: told,
    };
  const affected = await affectedTests({
    root,
    testFiles: suite,
    ...(signal === undefined ? {} : { signal }),
  });
  const isPart = affected.files.length > 0 && affected.files.length < suite.length;
  const notes = affected.unavailable === undefined ? told : [...told, affected.unavailable];
  return { ...found, startFiles: isPart ? affected.files : undefined, notes };
}

function tellResults({ onResults }: CycleRequest, state: CycleState, bench: CycleBench | undefined): void {
  if (bench === undefined) return onResults?.(state.firstRun?.tests ?? []);
  const results = bench.withoutFixes.resultsBeside(bench.results, bench.flaky);
  const onlyOnDisk = redOnlyOnDisk(state, bench);
  const known = new Set(onlyOnDisk.map(({ id }) => id));
  const others = results.filter(({ id }) => !known.has(id)).map((result) => resultInWorkspace(result, bench));
  onResults?.([...others, ...onlyOnDisk], (file) => bench.readText(file));
}

function isCancelled(error: unknown, signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true || (error instanceof HumanError && error.code === 'cancelled');
}

const countOf = (files: readonly string[]): string =>
  files.length === 1 ? path.posix.basename(files[0] ?? '') : `${files.length} test files`;

/** What leaves here crosses processes: an event that does not fit its schema is a bug of ours, said at once. */
function checked(event: CycleEvent): CycleEvent {
  return cycleEventSchema.parse(event);
}
