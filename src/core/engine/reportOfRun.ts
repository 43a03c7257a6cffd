// The HTML report of a run: with the history of its root and the last fix cycle, which any process can tell.
import { toldBy } from '../diagnosis/toldSecrets.ts';
import { linesByFolder } from '../model/coverage.ts';
import type { FolderCoverage } from '../model/runReport.ts';
import type { RunSummary } from '../model/testResult.ts';
import { reportPage } from '../reports/reportPage.ts';
import { runReport } from '../reports/runReport.ts';
import { lastCycle } from './cycleStore.ts';
import { readHistory } from './runHistory.ts';

interface ReportedRun {
  readonly summary: RunSummary;
  /** ISO 8601, UTC; now when left out. */
  readonly endedAt?: string;
  readonly flaky: Iterable<string>;
  /** Of a run that is kept without the coverage of its files. */
  readonly coverage?: readonly FolderCoverage[] | undefined;
}

/** ms: an older cycle says nothing about this run. */
const freshCycle = 24 * 3_600_000;

/** One file that loads nothing, without secrets. */
export async function htmlReportOf(root: string, run: ReportedRun): Promise<string> {
  const { summary, endedAt = new Date().toISOString(), flaky } = run;
  const [{ runs }, kept] = await Promise.all([readHistory(root), lastCycle(root)]);
  const cycle = isFresh(kept?.endedAt, endedAt) ? kept?.report : undefined;
  return reportPage(
    runReport({
      root,
      summary,
      endedAt,
      flaky: new Set(flaky),
      history: runs.filter((one) => one.endedAt <= endedAt),
      coverage: run.coverage ?? linesByFolder(summary.coverage?.files ?? []),
      cycle,
      told: toldBy([summary.tests, cycle], root),
    }),
  );
}

function isFresh(cycle: string | undefined, run: string): boolean {
  return cycle !== undefined && Math.abs(Date.parse(run) - Date.parse(cycle)) < freshCycle;
}
