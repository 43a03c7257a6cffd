// The last line of a run: how many of each, the pass rate, the time.
import type { RunSummary } from '../model/testResult.ts';
import { duration, percent } from './paint.ts';
import type { Paint } from './paint.ts';

/** `2 failed · 22 passed · 24 tests · 91.6 % · 1.24 s`, and what ended it early. */
export function runTotals(summary: RunSummary, paint: Paint): string {
  const notRun = summary.tests.filter(({ cancelled }) => cancelled).length;
  const skipped = summary.skipped - notRun;
  const parts = [
    summary.failed ? paint.red(`${summary.failed} failed`) : '',
    summary.errored ? paint.yellow(`${summary.errored} errored`) : '',
    summary.passed ? paint.green(`${summary.passed} passed`) : '',
    skipped ? paint.dim(`${skipped} skipped`) : '',
    notRun ? paint.yellow(`${notRun} not run`) : '',
    `${summary.total} ${summary.total === 1 ? 'test' : 'tests'}`,
    percent(summary.passRate),
    paint.dim(duration(summary.durationMs)),
    { complete: '', cancelled: paint.yellow('cancelled'), timeout: paint.yellow('time limit reached') }[
      summary.ended
    ],
  ];
  return parts.filter((part) => part !== '').join(paint.dim(' · '));
}
