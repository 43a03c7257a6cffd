// junit.xml as CI systems read it: one testsuite per file, well-formed whatever the tests printed.
import { redactSecrets } from '../base/redactSecrets.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { longText } from './jsonReporter.ts';
import { testsByFile } from './testsByFile.ts';
import { attribute, content } from './xmlText.ts';

/** The XML document of a run. Failed and errored are told apart; secrets are redacted. */
export function junitXml(summary: RunSummary): string {
  const files = testsByFile(summary.tests);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="testmend"${counts(summary.tests)} time="${seconds(summary.durationMs)}">`,
  ];
  for (const [file, tests] of files) {
    const time = tests.reduce((sum, test) => sum + test.durationMs, 0);
    lines.push(`  <testsuite name="${attribute(file)}"${counts(tests)} time="${seconds(time)}">`);
    for (const test of tests) lines.push(...testCase(test));
    lines.push('  </testsuite>');
  }
  lines.push('</testsuites>');
  return lines.join('\n') + '\n';
}

function counts(tests: readonly TestResult[]): string {
  const count = (outcome: TestResult['outcome']): number =>
    tests.filter((test) => test.outcome === outcome).length;
  return ` tests="${tests.length}" failures="${count('failed')}" errors="${count('errored')}" skipped="${count('skipped')}"`;
}

function testCase(test: TestResult): string[] {
  const name = attribute([...test.suites, test.title].join(' › '));
  const open = `    <testcase name="${name}" classname="${attribute(test.file)}" file="${attribute(test.file)}" line="${test.line}" time="${seconds(test.durationMs)}"`;
  if (test.outcome === 'passed') return [`${open}/>`];
  if (test.outcome === 'skipped') return [`${open}>`, '      <skipped/>', '    </testcase>'];
  const tag = test.outcome === 'errored' ? 'error' : 'failure';
  const message = attribute(redactSecrets(test.failure?.message ?? 'no details'));
  return [
    `${open}>`,
    `      <${tag} message="${message}" type="${test.failure?.kind ?? 'error'}">${content(longText(test))}</${tag}>`,
    '    </testcase>',
  ];
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);
