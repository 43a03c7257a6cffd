// What the tests run of the sources at the end of a cycle, counted in one run of its own (CONTRACTS F3).
import { errorMessage, throwIfCancelled } from '../base/humanError.ts';
import { percentOf } from '../model/coverage.ts';
import type { CycleCoverage } from '../model/cycle.ts';
import type { Layer } from '../model/settings.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import type { CycleBench } from './cycleBench.ts';
import type { CycleRequest } from './cycleRequest.ts';
import type { CycleState } from './cycleState.ts';

/** Percent of the lines that the tests of a layer should run. */
export const coverageTargets: Readonly<Record<Layer, number>> = { L1: 80, L2: 60, L3: 40 };

/**
 * Of the suite, with all proven fixes in place. What cannot be had is 0 with a note, and no failure of the cycle; throws only
 * when it is cancelled.
 */
export async function coverageAtEnd(
  request: CycleRequest,
  state: CycleState,
  bench: CycleBench,
): Promise<CycleCoverage> {
  const reason = state.costs.exceeded() ?? whyNotRun(state, bench);
  if (reason !== undefined) return withoutCoverage(request, reason);
  try {
    const run = await bench.runWithCoverage();
    const counted = coverageOf(request, run, changedBy(run.tests, bench.results));
    return counted.note === undefined ? counted : { ...counted, note: bench.told(counted.note) };
  } catch (error) {
    throwIfCancelled(bench.signal);
    return withoutCoverage(request, `The run that counts failed: ${bench.told(errorMessage(error))}`);
  }
}

/** What the run has counted, with what else is to be said of it. */
export function coverageOf(
  request: Pick<CycleRequest, 'layer'>,
  { ended, coverage }: Pick<RunSummary, 'ended' | 'coverage'>,
  more: readonly string[] = [],
): CycleCoverage {
  if (ended !== 'complete' || coverage === undefined)
    return withoutCoverage(request, 'The run that counts did not finish within its time limit.');
  const notes = [...(coverage.notes ?? []), ...more];
  return {
    ...withTarget(request, percentOf(coverage.totals.lines) ?? 0),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}

/** For a cycle that came to no run that counts. */
export function withoutCoverage(request: Pick<CycleRequest, 'layer'>, reason: string): CycleCoverage {
  return { ...withTarget(request, 0), note: `Not counted: ${reason}` };
}

function withTarget({ layer }: Pick<CycleRequest, 'layer'>, lines: number): CycleCoverage {
  return { lines, ...(layer && { target: coverageTargets[layer.layer] }) };
}

function whyNotRun(state: CycleState, bench: CycleBench): string | undefined {
  if (state.ended === 'timeout') return 'The full suite does not end in time.';
  return bench.results.size === 0 ? 'No test ran.' : undefined;
}

/** Tests that only fail while it is counted: the lines behind their failure are missing. */
function changedBy(tests: RunSummary['tests'], known: ReadonlyMap<string, TestResult>): readonly string[] {
  const failing = tests.filter(
    ({ id, outcome }) => outcome !== 'passed' && known.get(id)?.outcome === 'passed',
  );
  if (failing.length === 0) return [];
  return [
    `Tests that pass, but not while it is counted: ${failing.map(({ title }) => `"${title}"`).join(', ')}.`,
  ];
}
