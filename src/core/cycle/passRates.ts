// Counts what the tests of a cycle did, with and without what nobody has reviewed.
import { passRateOf } from '../model/summarize.ts';
import type { TestResult } from '../model/testResult.ts';

/** Counts of the results as they stand; tests in `doubtful` that pass count as failed. */
export function ratesOf(
  results: Iterable<TestResult>,
  doubtful: ReadonlySet<string>,
): {
  total: number;
  passed: number;
  failed: readonly string[];
  rate: number | null;
  reviewed: number | null;
} {
  let [passed, unreviewed] = [0, 0];
  const failed: string[] = [];
  for (const { id, outcome } of results) {
    if (outcome === 'skipped') continue;
    if (outcome !== 'passed') failed.push(id);
    else {
      passed++;
      if (doubtful.has(id)) unreviewed++;
    }
  }
  const total = passed + failed.length;
  const rateOf = (good: number): number | null =>
    passRateOf({ passed: good, failed: total - good, errored: 0 });
  return { total, passed, failed, rate: rateOf(passed), reviewed: rateOf(passed - unreviewed) };
}
