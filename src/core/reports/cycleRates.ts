// The pass rates of a cycle as one sentence tells them: a percentage stands beside the counts that it comes from.
import type { CycleReport } from '../model/cycle.ts';
import { wirePassRate } from '../model/summarize.ts';
import { percent } from './paint.ts';

type Rates = Pick<CycleReport, 'passed' | 'failed' | 'passRate' | 'passRateReviewed'>;

/** Of the tests that are counted beside it: those with everything proven in place, or of the disk where fixes were written. */
export function countedRate({ passed, failed }: Rates): string {
  return percent(wirePassRate({ passed, failed, errored: 0 }));
}

/** "60.0 % without the changed expectations that nobody accepted yet"; undefined where there is but one rate. */
export function otherRate(report: Rates): string | undefined {
  const { passRate, passRateReviewed } = report;
  if (percent(passRate) !== countedRate(report))
    return `${percent(passRate)} with everything that is proven in place`;
  if (passRate === passRateReviewed) return undefined;
  return `${percent(passRateReviewed)} without the changed expectations that nobody accepted yet`;
}
