// A run as the Test Anything Protocol, version 14.
import { withoutSecrets } from '../base/redactSecrets.ts';
import { fullName } from '../model/testName.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { plainLine } from './paint.ts';

/** A test point for each test, failures with a YAML block. Secrets are redacted. */
export function tapReport(summary: RunSummary, told: Set<string>): string {
  return withoutSecrets(
    (hide) =>
      [
        'TAP version 14',
        `1..${summary.tests.length}`,
        ...summary.tests.flatMap((test, n) => pointOf(test, n + 1, hide)),
        '',
      ].join('\n'),
    told,
  );
}

function pointOf(test: TestResult, number: number, hide: (text: string) => string): readonly string[] {
  const isRed = test.outcome === 'failed' || test.outcome === 'errored';
  const name = plainLine(hide(`${test.file}: ${fullName(test)}`)).replaceAll(/[\\#]/g, '\\$&');
  const point = `${isRed ? 'not ok' : 'ok'} ${number} - ${name}${test.outcome === 'skipped' ? ' # SKIP' : ''}`;
  if (!isRed) return [point];
  const { message = 'no details', expected, actual, location, kind } = test.failure ?? {};
  const at = `${location?.file ?? test.file}:${location?.line ?? test.line}`;
  const facts = { message, severity: 'fail', kind, at, expected, actual, duration_ms: test.durationMs };
  const lines = Object.entries(facts).flatMap(([key, value]) =>
    // Each JSON text is one of YAML.
    value === undefined
      ? []
      : [`  ${key}: ${JSON.stringify(typeof value === 'string' ? hide(value) : value)}`],
  );
  return [point, '  ---', ...lines, '  ...'];
}
