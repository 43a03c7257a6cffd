// Counts and pass rates of results; apart from their schemas, so that a run starts without loading a parser.
import type { Outcome, RunSummary, TestResult } from './testResult.ts';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly errored: number;
}

/** Pass rate in percent, unrounded, for comparisons; null when nothing counted (zero tests is never a pass). */
export function passRateOf({ passed, failed, errored }: Counts): number | null {
  const total = passed + failed + errored;
  return total === 0 ? null : (passed * 100) / total;
}

/** Pass rate as it goes on the wire: floored to one decimal, so that 99.96 is not shown as 100. */
export function wirePassRate(counts: Counts): number | null {
  const rate = passRateOf(counts);
  return rate === null ? null : Math.floor(rate * 10 + 1e-9) / 10;
}

/** Counts the results and adds the pass rate. */
export function summarize(
  tests: readonly TestResult[],
  rest: Pick<RunSummary, 'durationMs' | 'notes' | 'ended' | 'coverage'>,
): RunSummary {
  const count = (outcome: Outcome): number =>
    tests.reduce((sum, test) => sum + (test.outcome === outcome ? 1 : 0), 0);
  const counts = { passed: count('passed'), failed: count('failed'), errored: count('errored') };
  return {
    total: tests.length,
    ...counts,
    skipped: count('skipped'),
    passRate: wirePassRate(counts),
    ...rest,
    tests: [...tests],
  };
}
