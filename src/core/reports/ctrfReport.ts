// A run in the Common Test Report Format (ctrf.io), which dashboards and CI actions read.
import { withoutSecrets } from '../base/redactSecrets.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { longText } from './jsonReporter.ts';

/** `endedAt`: ms since 1970. `flaky`: ids of tests that both passed and failed. Errored tests are failed, and `rawStatus` tells them apart. */
export function ctrfReport(
  summary: RunSummary,
  { flaky, endedAt }: { readonly flaky: ReadonlySet<string>; readonly endedAt: number },
  told: Set<string>,
): object {
  const ms = Math.round(summary.durationMs);
  const isFlaky = ({ id, flaky: message }: TestResult): boolean => message !== undefined || flaky.has(id);
  return withoutSecrets(
    (hide) => ({
      reportFormat: 'CTRF',
      specVersion: '0.0.0',
      timestamp: new Date(endedAt).toISOString(),
      generatedBy: 'testmend',
      results: {
        tool: { name: 'testmend' },
        summary: {
          tests: summary.total,
          passed: summary.passed,
          failed: summary.failed + summary.errored,
          skipped: summary.skipped,
          pending: 0,
          other: 0,
          flaky: summary.tests.filter(isFlaky).length,
          start: endedAt - ms,
          stop: endedAt,
          duration: ms,
        },
        tests: summary.tests.map((test) => ({
          testId: hide(test.id),
          name: hide(test.title) || hide(test.file),
          status: test.outcome === 'errored' ? 'failed' : test.outcome,
          rawStatus: test.outcome,
          duration: Math.round(test.durationMs),
          filePath: hide(test.file),
          line: test.line,
          ...(test.suites.length > 0 && { suite: test.suites.map(hide) }),
          ...(test.failure && { message: hide(test.failure.message), trace: longText(test, hide) }),
          ...(isFlaky(test) && { flaky: true }),
        })),
      },
    }),
    told,
  );
}
