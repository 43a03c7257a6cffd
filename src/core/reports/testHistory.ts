// What the runs of a history say about each test (CONTRACTS Q7): how often it changed its mind, and what it is therefore.
import type { JsonReport } from './jsonReporter.ts';

/** A run as the history keeps it. */
export interface HistoryRun extends JsonReport {
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly endedAt: string;
  readonly ended: 'complete' | 'timeout' | 'cancelled';
}
type HistoryTest = HistoryRun['tests'][number];

export const testCategories = ['broken', 'flaky', 'stable', 'slow-regression', 'new', 'normal'] as const;
type TestCategory = (typeof testCategories)[number];

export interface TestTrend {
  readonly id: string;
  readonly category: TestCategory;
  /** Runs in which it passed or failed; those that skipped it tell nothing. */
  readonly runs: number;
  readonly failed: number;
  /** Runs in which it both failed and passed. */
  readonly reruns: number;
  /** Changes between pass and fail ÷ (runs − 1), 0 to 1; 0 for a single run. */
  readonly flakeScore: number;
  /** Oldest first, the newest 20: P passed, F failed, R both in one run. */
  readonly outcomes: string;
  /** Seconds. */
  readonly meanDuration: number;
  /** Of the last three runs, seconds. */
  readonly recentDuration: number;
  /** The last three runs take half as long again as the average, which is at least a second. */
  readonly isSlower: boolean;
  /** Message of the newest failure; empty where it never failed. */
  readonly lastMessage: string;
}

/** Worst category first, then by flake score and name. `runs` are in the order in which they ended. */
export function testTrends(runs: readonly HistoryRun[]): readonly TestTrend[] {
  const byId = new Map<string, HistoryTest[]>();
  for (const test of runs.flatMap(({ tests }) => tests)) {
    if (test.outcome === 'skipped') continue;
    const own = byId.get(test.nodeid);
    if (own === undefined) byId.set(test.nodeid, [test]);
    else own.push(test);
  }
  const order = (trend: TestTrend): number => testCategories.indexOf(trend.category);
  return [...byId]
    .map(([id, tests]) => trendOf(id, tests))
    .sort((a, b) => order(a) - order(b) || b.flakeScore - a.flakeScore || (a.id < b.id ? -1 : 1));
}

function trendOf(id: string, tests: readonly HistoryTest[]): TestTrend {
  const runs = tests.length;
  const failed = tests.filter(isFailed).length;
  const reruns = tests.filter(isRerun).length;
  const changes = tests.filter((test, n) => n > 0 && isFailed(test) !== isFailed(tests[n - 1] ?? test));
  const flakeScore = runs > 1 ? changes.length / (runs - 1) : 0;
  const meanDuration = mean(tests);
  const recentDuration = mean(tests.slice(-3));
  const isSlower = runs > 3 && meanDuration >= 1 && recentDuration >= 1.5 * meanDuration;
  const last = tests.findLast((test) => isFailed(test) || isRerun(test));
  const facts = { runs, failed, reruns, flakeScore, isSlower };
  return {
    id,
    category: categoryOf(tests, facts),
    ...facts,
    outcomes: tests.slice(-20).map(letterOf).join(''),
    meanDuration,
    recentDuration,
    lastMessage: last === undefined ? '' : (last.original_failure_message ?? last.message),
  };
}

function categoryOf(
  tests: readonly HistoryTest[],
  {
    runs,
    failed,
    reruns,
    flakeScore,
    isSlower,
  }: Pick<TestTrend, 'runs' | 'failed' | 'reruns' | 'flakeScore' | 'isSlower'>,
): TestCategory {
  const last = tests.slice(-3);
  const isSame = new Set(last.map(signatureOf)).size === 1;
  if (runs >= 3 && isSame && last.every(isFailed)) return 'broken';
  if ((flakeScore >= 0.3 && runs >= 3) || (reruns > 0 && runs >= 2)) return 'flaky';
  if (runs >= 5 && failed === 0) return 'stable';
  if (isSlower) return 'slow-regression';
  return runs === 1 ? 'new' : 'normal';
}

/** The end of what a failure said, without what differs from run to run. */
function signatureOf({ message, call }: HistoryTest): string {
  return (call.longrepr === '' ? message : call.longrepr)
    .replaceAll(/0x[\da-f]+/gi, '0x')
    .replaceAll(/\b(line) \d+/gi, '$1')
    .replaceAll(/(?::\d+)+/g, ':')
    .slice(-300);
}

const isRerun = (test: HistoryTest): boolean => test.outcome === 'rerun' || test.was_flaky_in_run === true;
const isFailed = (test: HistoryTest): boolean => test.outcome === 'failed';
const letterOf = (test: HistoryTest): string => (isRerun(test) ? 'R' : isFailed(test) ? 'F' : 'P');
const mean = (tests: readonly HistoryTest[]): number =>
  tests.reduce((sum, { duration }) => sum + duration, 0) / Math.max(1, tests.length);

/** Somebody should look at it. */
export const isRemarkable = ({ category, isSlower }: TestTrend): boolean =>
  isSlower || category === 'broken' || category === 'flaky';
