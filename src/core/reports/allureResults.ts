// A run as results of Allure: one JSON file a test, for the folder that `allure` makes its report of.
import { randomUUID } from 'node:crypto';
import { hashText } from '../base/hash.ts';
import { withoutSecrets } from '../base/redactSecrets.ts';
import { toldBy } from '../diagnosis/toldSecrets.ts';
import { frameworkOfId } from '../model/testId.ts';
import { fullName } from '../model/testName.ts';
import type { Outcome, RunSummary, TestResult } from '../model/testResult.ts';
import { longText } from './jsonReporter.ts';

interface AllureFile {
  /** `<uuid>-result.json`. */
  readonly name: string;
  readonly text: string;
}

/** `root`: of the files that tests name. Failed is "failed", errored "broken", as Allure has them; `historyId` is the same in each run. Secrets are redacted. */
export function allureResults(
  summary: RunSummary,
  { flaky, endedAt }: { readonly flaky: ReadonlySet<string>; readonly endedAt: number },
  root: string,
): readonly AllureFile[] {
  const uuids = summary.tests.map(() => randomUUID());
  return withoutSecrets(
    (hide) =>
      summary.tests.map((test, n) => {
        const uuid = uuids[n] ?? '';
        const isFlaky = test.flaky !== undefined || flaky.has(test.id);
        const entry = { uuid, ...entryOf(test, { hide, isFlaky, endedAt }) };
        return { name: `${uuid}-result.json`, text: JSON.stringify(entry) };
      }),
    toldBy(summary.tests, root),
  );
}

const statuses: Readonly<Record<Outcome, string>> = {
  passed: 'passed',
  failed: 'failed',
  errored: 'broken',
  skipped: 'skipped',
};

const severities = { critical: 'critical', high: 'critical', medium: 'normal', low: 'minor' } as const;

function entryOf(
  test: TestResult,
  about: { readonly hide: (text: string) => string; readonly isFlaky: boolean; readonly endedAt: number },
): object {
  const { hide, isFlaky, endedAt } = about;
  const { failure, flaky } = test;
  const message = failure?.message ?? flaky;
  const [parent, suite, ...rest] = test.suites;
  const labels = {
    framework: frameworkOfId(test.id),
    package: test.file,
    parentSuite: parent,
    suite: suite ?? (parent === undefined ? test.file : undefined),
    subSuite: rest.length > 0 ? rest.join(' › ') : undefined,
    severity: failure && severities[failure.severity],
  };
  return {
    historyId: hashText(test.id),
    testCaseId: hashText(test.id),
    fullName: hide(`${test.file}: ${fullName(test)}`),
    name: hide(test.title) || test.file,
    status: statuses[test.outcome],
    stage: 'finished',
    ...((message !== undefined || isFlaky) && {
      statusDetails: {
        ...(message !== undefined && { message: hide(message) }),
        ...(failure && { trace: longText(test, hide) }),
        ...(isFlaky && { flaky: true }),
      },
    }),
    start: endedAt - Math.round(test.durationMs),
    stop: endedAt,
    labels: Object.entries(labels).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value: hide(value) }],
    ),
    parameters: [],
    links: [],
    steps: [],
    attachments: [],
  };
}
