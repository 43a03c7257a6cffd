// A run as the HTML report shows it, with what is known of its tests from earlier runs and from the last fix cycle.
import path from 'node:path';
import { withoutSecrets } from '../base/redactSecrets.ts';
import type { CycleReport } from '../model/cycle.ts';
import type { FolderCoverage, ReportedFailure, ReportedTest, RunReport } from '../model/runReport.ts';
import type { Failure, RunSummary, TestResult } from '../model/testResult.ts';
import { createPaint } from './paint.ts';
import { isRemarkable, testTrends, type HistoryRun } from './testHistory.ts';
import { valueDiff } from './valueDiff.ts';

interface KnownOfRun {
  readonly root: string;
  readonly summary: RunSummary;
  /** ISO 8601, UTC. */
  readonly endedAt: string;
  /** Ids of the tests that both passed and failed, beside those that say so themselves. */
  readonly flaky: ReadonlySet<string>;
  /** In the order in which they ended; with or without this run. */
  readonly history: readonly HistoryRun[];
  readonly coverage: readonly FolderCoverage[];
  readonly cycle?: CycleReport | undefined;
  /** Secrets that the files of failing tests tell of. */
  readonly told: Set<string>;
}

/** Without secrets, what one text tells of is blotted out in all, and without the place of the root, which is nothing to whoever gets the page. */
export function runReport(known: KnownOfRun): RunReport {
  const { told, root } = known;
  const own = (text: string): string => text.replaceAll(`${root}${path.sep}`, '');
  const report = { ...written(known), ...(known.cycle && { cycle: known.cycle }) };
  return withoutSecrets((hide) => copied(report, (text) => hide(own(text))), told);
}

function written({ root, summary, endedAt, flaky, history, coverage }: KnownOfRun): RunReport {
  const { coverage: _coverage, tests, ...counts } = summary;
  const earlier = history.filter((run) => run.endedAt !== endedAt);
  const trends = testTrends(history);
  const outcomes = new Map(trends.map((trend) => [trend.id, trend.outcomes]));
  const isFlaky = (test: TestResult): boolean => flaky.has(test.id) || test.flaky !== undefined;
  return {
    ...counts,
    folder: path.basename(root),
    endedAt,
    flaky: tests.filter(isFlaky).length,
    tests: tests.map((test) => reported(test, isFlaky(test), outcomes.get(test.id))),
    history: [
      ...earlier.map(({ endedAt: at, summary: { passed, failed, skipped }, duration }) => ({
        endedAt: at,
        passed,
        failed,
        skipped,
        duration,
      })),
      {
        endedAt,
        passed: counts.passed,
        failed: counts.failed + counts.errored,
        skipped: counts.skipped,
        duration: counts.durationMs / 1000,
      },
    ],
    trends: trends
      .filter(isRemarkable)
      .map(({ id, category, runs, flakeScore, outcomes: letters, meanDuration, recentDuration }) => ({
        id,
        category,
        runs,
        flakeScore,
        outcomes: letters,
        meanDuration,
        recentDuration,
      })),
    coverage,
  };
}

function reported(test: TestResult, isFlaky: boolean, outcomes: string | undefined): ReportedTest {
  const { id, suites, title, file, line, outcome, durationMs, failure, moreFailures = [], output } = test;
  const failures = [...(failure ? [failure] : []), ...moreFailures].map(reportedFailure);
  if (test.flaky !== undefined) failures.push({ message: test.flaky, severity: 'low', frames: [] });
  return {
    id,
    suites,
    title,
    file,
    line,
    outcome,
    durationMs,
    ...(isFlaky && { isFlaky }),
    ...(test.quarantined && { quarantined: test.quarantined }),
    ...(failures.length > 0 && { failures }),
    ...(failure && output !== undefined && output !== '' && { output: output.slice(-mostOutput) }),
    ...(outcomes !== undefined && outcomes.length > 1 && { outcomes }),
  };
}

const mostOutput = 10_000;
const mostFrames = 20;
/** Signs of a line of a difference. */
const width = 400;
const plain = createPaint(false);

function reportedFailure({ message, severity, expected, actual, stack }: Failure): ReportedFailure {
  const own = stack.filter(({ file }) => !file.startsWith('node:') && !file.includes('node_modules/'));
  return {
    message,
    severity,
    ...(expected !== undefined && actual !== undefined && { difference: differenceOf(expected, actual) }),
    frames: (own.length > 0 ? own : stack)
      .slice(0, mostFrames)
      .map(({ name, file, line, column }) =>
        name === '' ? `${file}:${line}:${column}` : `${name} (${file}:${line}:${column})`,
      ),
  };
}

/** Without the line that says which sign is whose: the page says so. */
function differenceOf(expected: string, actual: string): string {
  const [first = '', ...rest] = valueDiff(expected, actual, plain, width).split('\n');
  return (/^- expected {2}\+ actual$/.test(first) ? rest : [first, ...rest]).join('\n');
}

function copied(report: RunReport, hide: (text: string) => string): RunReport {
  const deep = <T>(value: T): T => {
    const text = JSON.stringify(value, (_key, part: unknown) =>
      typeof part === 'string' ? hide(part) : part,
    );
    const made: T = JSON.parse(text);
    return made;
  };
  const { tests, history, ...rest } = report;
  return {
    ...deep(rest),
    history,
    tests: tests.map(({ failures, output, id, title, file, suites, ...rest }) => ({
      ...rest,
      id: hide(id),
      title: hide(title),
      file: hide(file),
      suites: suites.map(hide),
      ...(failures && { failures: deep(failures) }),
      ...(output !== undefined && { output: hide(output) }),
    })),
  };
}
