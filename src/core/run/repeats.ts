// Several runs of the same tests judged as one: failed once is failed, and whoever did both is flaky.
import { mergeCoverage } from '../coverage/mergeCoverage.ts';
import { summarize } from '../model/summarize.ts';
import type { Outcome, RunSummary, TestResult } from '../model/testResult.ts';

export interface RepeatedRun {
  readonly summary: RunSummary;
  /** Ids of the tests that both passed and failed. */
  readonly flaky: ReadonlySet<string>;
}

/** `durationMs` of the summary is the sum of the runs; a test keeps the result of its worst run. */
export function mergeRepeats(runs: readonly RunSummary[]): RepeatedRun {
  const [only] = runs;
  if (only && runs.length === 1) return { summary: only, flaky: new Set() };
  const byId = new Map<string, TestResult[]>();
  for (const test of runs.flatMap((run) => run.tests)) {
    const own = byId.get(test.id);
    if (own) own.push(test);
    else byId.set(test.id, [test]);
  }
  const flaky = new Set<string>();
  const notes = [...new Set(runs.flatMap((run) => run.notes))];
  const tests = [...byId].map(([id, results]) => {
    const bad = results.filter((result) => weight[result.outcome] >= weight.failed).length;
    if (bad > 0 && results.some((result) => result.outcome === 'passed')) {
      flaky.add(id);
      notes.push(`Flaky: ${id} failed in ${bad} of ${results.length} runs.`);
    }
    return results.reduce((worst, result) =>
      weight[result.outcome] > weight[worst.outcome] ? result : worst,
    );
  });
  const durationMs = runs.reduce((sum, run) => sum + run.durationMs, 0);
  const ended = runs.find((run) => run.ended !== 'complete')?.ended ?? 'complete';
  const covered = runs.flatMap(({ coverage }) => (coverage ? [coverage.files] : []));
  const coverage = covered.length > 0 ? mergeCoverage(covered) : undefined;
  return {
    summary: summarize(tests, { durationMs, notes, ended, ...(coverage && { coverage }) }),
    flaky,
  };
}

const weight: Readonly<Record<Outcome, number>> = { skipped: 0, passed: 1, failed: 2, errored: 3 };
