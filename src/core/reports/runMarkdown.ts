// A run as Markdown, for a pull request or the summary of a CI step.
import { block, inlineCode } from '../base/codeBlock.ts';
import { withoutSecrets } from '../base/redactSecrets.ts';
import { fullName } from '../model/testName.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { longText } from './jsonReporter.ts';
import { cutEnd, duration, plainLine, plainText, plural } from './paint.ts';

/** Services cut long pages. */
const mostFailures = 50;
const mostText = 3_000;

/** Counts, each failure with its place and stack, and what was flaky. Secrets are redacted. */
export function runMarkdown(summary: RunSummary, flaky: ReadonlySet<string>, told: Set<string>): string {
  return withoutSecrets((hide) => written(summary, flaky, hide), told);
}

function written(summary: RunSummary, flaky: ReadonlySet<string>, hide: (text: string) => string): string {
  const { total, passed, failed, errored, skipped, passRate, durationMs, tests } = summary;
  const red = tests.filter(({ outcome }) => outcome === 'failed' || outcome === 'errored');
  const unsteady = tests.filter((test) => test.flaky !== undefined || flaky.has(test.id));
  const line = (text: string): string => inlineCode(cutEnd(plainLine(hide(text)), 300));
  const named = (test: TestResult): string =>
    `${line(fullName(test))} (${line(`${test.file}:${test.line}`)})${test.quarantined ? ', quarantined' : ''}`;
  const rest = red.length - mostFailures;
  return [
    '# Tests',
    '| total | passed | failed | errored | skipped | pass rate | time |\n| ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n' +
      `| ${total} | ${passed} | ${failed} | ${errored} | ${skipped} | ${passRate === null ? '–' : `${passRate} %`} | ${duration(durationMs)} |`,
    ...(summary.ended === 'complete' ? [] : [`The run did not end: ${summary.ended}.`]),
    ...(red.length === 0 ? [] : ['## Failures']),
    ...red
      .slice(0, mostFailures)
      .map((test) => `### ${named(test)}\n\n${block(cutEnd(plainText(longText(test, hide)), mostText))}`),
    ...(rest > 0 ? [`… and ${plural(rest, 'more failure')}.`] : []),
    ...(unsteady.length === 0 ? [] : ['## Flaky', unsteady.map((test) => `- ${named(test)}`).join('\n')]),
    '',
  ].join('\n\n');
}
