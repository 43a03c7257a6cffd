// junit.xml as CI systems read it: one testsuite per file, well-formed whatever the tests printed.
import { withoutSecrets } from '../base/redactSecrets.ts';
import { fullName } from '../model/testName.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { longText } from './jsonReporter.ts';
import { testsByFile } from './testsByFile.ts';
import { attribute, content } from './xmlText.ts';

/** What a report says beside what the tests did. */
interface JunitExtras {
  /** Of the whole document. */
  readonly name: string;
  /** Each message as it is to be told. */
  readonly text: (message: string) => string;
  /** Lines at the end of a failure. */
  readonly cause: (test: TestResult) => string;
  /** `system-out` of a test; empty for none. */
  readonly output: (test: TestResult) => string;
}

const noExtras: JunitExtras = { name: 'testmend', text: (text) => text, cause: () => '', output: () => '' };

/** The XML document of a run. Failed and errored are told apart; secrets are redacted, and those that are `told` of elsewhere. */
export function junitXml(
  summary: Pick<RunSummary, 'durationMs'> & { readonly tests: readonly TestResult[] },
  extras: JunitExtras = noExtras,
  told: Set<string> = new Set(),
): string {
  return withoutSecrets((hide) => written(summary, extras, hide), told);
}

type Hide = (text: string) => string;

function written(
  summary: Pick<RunSummary, 'durationMs'> & { readonly tests: readonly TestResult[] },
  extras: JunitExtras,
  hide: Hide,
): string {
  const files = testsByFile(summary.tests);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${attribute(extras.name)}"${counts(summary.tests)} time="${seconds(summary.durationMs)}">`,
  ];
  for (const [file, tests] of files) {
    const time = tests.reduce((sum, test) => sum + test.durationMs, 0);
    const place = attribute(hide(file));
    lines.push(`  <testsuite name="${place}"${counts(tests)} time="${seconds(time)}">`);
    for (const test of tests) lines.push(...testCase(test, place, extras, hide));
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

/** `place`: the file as an attribute. */
function testCase(test: TestResult, place: string, extras: JunitExtras, hide: Hide): string[] {
  const name = attribute(hide(fullName(test)));
  const open = `    <testcase name="${name}" classname="${place}" file="${place}" line="${test.line}" time="${seconds(test.durationMs)}"`;
  const output = hide(extras.output(test));
  const inner = [
    ...outcomeOf(test, extras, hide),
    ...(output === '' ? [] : [`      <system-out>${content(output)}</system-out>`]),
  ];
  return inner.length === 0 ? [`${open}/>`] : [`${open}>`, ...inner, '    </testcase>'];
}

function outcomeOf(test: TestResult, { text, cause }: JunitExtras, hide: Hide): string[] {
  if (test.outcome === 'passed') return [];
  if (test.outcome === 'skipped') return ['      <skipped/>'];
  const tag = test.outcome === 'errored' ? 'error' : 'failure';
  const message = attribute(text(hide(test.failure?.message ?? 'no details')));
  const said = [text(longText(test, hide)), hide(cause(test))].filter((part) => part !== '').join('\n\n');
  return [
    `      <${tag} message="${message}" type="${test.failure?.kind ?? 'error'}">${content(said)}</${tag}>`,
  ];
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3);
