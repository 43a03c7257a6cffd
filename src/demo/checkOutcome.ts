// What must hold at the end of the demo, checked on the disk and on a run of the tests.
import type { RunSummary } from '../core/model/testResult.ts';
import { fullTitle } from '../core/reports/failureText.ts';
import type { FixResult } from '../cli/fixResult.ts';
import { bugTitles } from './shopTests.ts';

interface Outcome {
  /** The shop as committed, after the source change, and after the fixes. */
  readonly green: RunSummary;
  readonly broken: RunSummary;
  readonly after: RunSummary;
  /** What `testmend fix` ended with. */
  readonly fixed: FixResult;
  /** The patch of everything proven. */
  readonly patch: string;
  /** Hashes of everything that is not a test, before and after the fixes. */
  readonly sourceBefore: Readonly<Record<string, string>>;
  readonly sourceAfter: Readonly<Record<string, string>>;
}

interface Check {
  readonly good: boolean;
  readonly text: string;
}

export function checkOutcome(outcome: Outcome): readonly Check[] {
  const { green, broken, after, fixed, patch, sourceBefore, sourceAfter } = outcome;
  const red = titlesOf(after, isRed);
  const bugs = [...bugTitles].sort();
  const source = fixed.report.remaining.filter(({ fault }) => fault === 'source');
  const mended = titlesOf(broken, isRed).length - red.length;
  return [
    {
      good: green.total > 0 && green.passed === green.total && titlesOf(broken, isRed).length > bugs.length,
      text: `All ${green.total} tests were green; the source change broke ${broken.failed + broken.errored}.`,
    },
    {
      good: same(sourceBefore, sourceAfter),
      text: `All ${Object.keys(sourceBefore).length} files that are no tests are byte for byte as the colleague left them.`,
    },
    {
      good: same(red, bugs),
      text: `${mended} are mended; red are only the ${bugs.length} tests that the NaN bug breaks.`,
    },
    {
      good: after.total === green.total && after.skipped === 0 && !patch.includes('NaN'),
      text: 'No test was lost, skipped, or taught to expect NaN.',
    },
    {
      good: source.length === bugs.length && fixed.exitCode === 1,
      text: 'The bug is reported as fix_required in the source, and the command ends with 1.',
    },
  ];
}

const isRed = ({ outcome }: RunSummary['tests'][number]): boolean =>
  outcome === 'failed' || outcome === 'errored';

const titlesOf = (run: RunSummary, wanted: (test: RunSummary['tests'][number]) => boolean): string[] =>
  run.tests.filter(wanted).map(fullTitle).sort();

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
