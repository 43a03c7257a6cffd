// Tells a run on a text terminal: a line per file, every failure with its code, and the totals last.
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { coverageTable } from './coverageTable.ts';
import type { FailureView } from './failureText.ts';
import { duration, plainLine, plural, shorten, wrapText } from './paint.ts';
import type { Paint } from './paint.ts';
import type { RunReporter } from './reporter.ts';
import { runTotals } from './runTotals.ts';
import { testsByFile } from './testsByFile.ts';

interface TerminalReporterOptions extends FailureView {
  readonly write: (text: string) => void | Promise<void>;
}

/** Writes everything at the end of the run; what happens meanwhile is the progress line's business. */
export function terminalReporter(options: TerminalReporterOptions): RunReporter {
  return { name: 'terminal', onEnd: async (summary) => options.write(await runText(summary, options)) };
}

/** More files than this and only those with failures get their line. */
const maximumFileLines = 24;

async function runText(summary: RunSummary, view: FailureView): Promise<string> {
  const { paint } = view;
  const byFile = testsByFile(summary.tests);
  const shown = [...byFile].filter(([, tests]) => byFile.size <= maximumFileLines || tests.some(isBad));
  const blocks: string[] = [];
  if (shown.length) blocks.push(shown.map(([file, tests]) => fileLine(file, tests, view)).join('\n'));
  const bad = summary.tests.filter(isBad);
  if (bad.length > 0) {
    const { failureText } = await import('./failureText.ts');
    for (const test of bad) blocks.push(await failureText(test, view));
  }
  if (summary.notes.length)
    blocks.push(summary.notes.map((note) => noteText(note, paint, view.width)).join('\n'));
  if (summary.coverage?.files.length) blocks.push(coverageTable(summary.coverage, view));
  blocks.push(summary.total === 0 ? paint.yellow('No test ran.') : runTotals(summary, paint));
  return blocks.join('\n\n') + '\n';
}

const isBad = (test: TestResult): boolean => test.outcome === 'failed' || test.outcome === 'errored';

function fileLine(file: string, tests: readonly TestResult[], { paint, width }: FailureView): string {
  const bad = tests.filter(isBad).length;
  const skipped = tests.filter((test) => test.outcome === 'skipped').length;
  const mark = bad ? paint.red('✗') : skipped === tests.length ? paint.dim('-') : paint.green('✓');
  const count = bad
    ? paint.red(`${bad} of ${plural(tests.length, 'test')} failed`)
    : plural(tests.length, 'test');
  const time = duration(tests.reduce((sum, test) => sum + test.durationMs, 0));
  return `${mark} ${shorten(plainLine(file), width - 34)}  ${count}  ${paint.dim(time)}`;
}

/** A note on its own lines, marked and indented. */
export function noteText(note: string, paint: Paint, width: number): string {
  return wrapText(plainLine(note), width - 2)
    .map((line, index) => `${index === 0 ? paint.yellow('!') : ' '} ${line}`)
    .join('\n');
}
