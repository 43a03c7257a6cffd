// The report at the end of a cycle: what the sandbox looks like now, what was proven, and what is left and why.
import type { CycleReport, HandOver, Remaining } from '../model/cycle.ts';
import { cycleStatus } from '../model/cycleStatus.ts';
import { wirePassRate } from '../model/summarize.ts';
import { resumedNotes } from '../model/resumedText.ts';
import { suitesOf } from '../model/testName.ts';
import type { TestResult } from '../model/testResult.ts';
import type { CycleBench } from './cycleBench.ts';
import { withoutCoverage } from './coverageAtEnd.ts';
import { ratesOf } from './passRates.ts';
import type { CycleRequest } from './cycleRequest.ts';
import type { CycleState } from './cycleState.ts';
import { handOverOf } from './handOver.ts';
import { whyRemaining } from './whyRemaining.ts';

/** The report of a cycle without tests, or that was cut off before anything could be tried: what is known by then is told. */
export function earlyReport(request: CycleRequest, state: CycleState): CycleReport {
  const { ended, firstRun } = state;
  const of = request.layer === undefined ? '' : ` of ${request.layer.layer}`;
  if (ended === 'no-tests') state.note(`No test files${of} were found. Nothing was run, so nothing passed.`);
  else if (firstRun === undefined)
    state.note('The cycle was cut off before its tests were over: nothing is known of them.');
  else if (firstRun.ended !== 'complete')
    state.note('The cycle was cut off in its first run of the tests: only what was known by then is told.');
  const tests = firstRun?.tests ?? [];
  const { total, passed, failed } = ratesOf(tests, new Set());
  const rate = wirePassRate({ passed, failed: failed.length, errored: 0 });
  const known = { flaky: new Set<string>() };
  return {
    ...shared(request, state),
    status: 'needs-attention',
    passRate: rate,
    passRateReviewed: rate,
    total,
    passed,
    failed: failed.length,
    remaining: tests.filter(isRed).map((test) => oneRemaining(test, state, known)),
    patch: '',
  };
}

export async function reportOf(
  request: CycleRequest,
  state: CycleState,
  bench: CycleBench,
): Promise<CycleReport> {
  const { total, passed, failed, reviewed } = ratesOf(bench.results.values(), state.doubtful());
  const rate = (good: number): number | null =>
    wirePassRate({ passed: good, failed: total - good, errored: 0 });
  if (total === 0) state.note('No test ran, so nothing passed.');
  const remaining = await remainingOf(state, bench);
  return {
    ...shared(request, state, bench),
    status: cycleStatus({
      isWhole: state.ended !== 'cancelled' && state.suiteIsKnown && total > 0,
      red: reviewed === 100 ? remaining.length : Math.max(1, remaining.length),
      wasGreen: state.wasGreen,
    }),
    passRate: rate(passed),
    passRateReviewed: rate(Math.round(((reviewed ?? 0) * total) / 100)),
    total,
    passed,
    failed: failed.length,
    remaining,
    patch: await bench.patch(),
  };
}

type Shared = Pick<
  CycleReport,
  | 'layer'
  | 'coverage'
  | 'takenUp'
  | 'targetPassRate'
  | 'maxIterations'
  | 'iterations'
  | 'fixes'
  | 'notes'
  | 'durationMs'
  | 'spent'
  | 'ended'
>;

function shared(request: CycleRequest, state: CycleState, bench?: CycleBench): Shared {
  const { layer, coverage, targetPassRate, maxIterations } = request;
  const failing = bench && new Set(bench.failing().map(({ id }) => id));
  const takenUp = state.takenUp?.told(state.attempts.fixes, failing);
  for (const note of takenUp ? resumedNotes(takenUp) : []) state.note(note);
  return {
    ...(layer && { layer: layer.layer }),
    ...(coverage === 'counted' && {
      coverage: state.coverage ?? withoutCoverage(request, 'The cycle ended before.'),
    }),
    ...(takenUp && { takenUp }),
    targetPassRate,
    maxIterations,
    iterations: state.records,
    fixes: [...state.attempts.fixes],
    notes: state.notes,
    durationMs: state.costs.durationMs,
    spent: state.costs.spent(),
    ended: state.ended,
  };
}

/** Beyond so many failures one cause is likely, and nobody reads a pack for each. */
const mostHandOvers = 50;

async function remainingOf(state: CycleState, bench: CycleBench): Promise<Remaining[]> {
  const failing = bench.failing();
  const packs = new Map<string, HandOver>();
  if (state.ended !== 'cancelled')
    for (const test of failing.filter((one) => state.isWanted(one)).slice(0, mostHandOvers))
      packs.set(test.id, await handOverOf(test, bench, state));
  const left = failing.map((test) => {
    const handOver = packs.get(test.id);
    return { ...oneRemaining(test, state, bench), ...(handOver !== undefined && { handOver }) };
  });
  const elsewhere = redOnlyOnDisk(state, bench).map((test) => ({
    ...oneRemaining(test, state, bench),
    fault: 'environment' as const,
    reason: bench.withoutFixes.unreproduced.get(test.file) ?? 'It passes in the copy.',
  }));
  return [...left, ...elsewhere];
}

/** Tests that failed in the workspace before the cycle and pass in its copy, or are not there: nothing can be proven of them. */
export function redOnlyOnDisk(
  { firstRun }: Pick<CycleState, 'firstRun'>,
  { results, withoutFixes }: Pick<CycleBench, 'results' | 'withoutFixes'>,
): readonly TestResult[] {
  const isRedHere = (id: string): boolean => {
    const here = results.get(id);
    return here !== undefined && isRed(here);
  };
  return (firstRun?.tests ?? []).filter(
    (test) => isRed(test) && withoutFixes.unreproduced.has(test.file) && !isRedHere(test.id),
  );
}

function oneRemaining(test: TestResult, state: CycleState, known: Pick<CycleBench, 'flaky'>): Remaining {
  const { id, file, line, title, failure } = test;
  const { fault, reason } = whyRemaining(test, state, known);
  return {
    id,
    file,
    line,
    ...suitesOf(test),
    title,
    severity: failure?.severity ?? 'medium',
    fault,
    reason,
    message: failure?.message ?? test.outcome,
  };
}

const isRed = ({ outcome }: TestResult): boolean => outcome === 'failed' || outcome === 'errored';
