// The pass rates of a cycle as one sentence tells them: a percentage stands beside the counts that it comes from.
import type { CycleReport } from '../model/cycle.ts';
import { passingText } from '../model/cycleScopeText.ts';
import { stillFailing, type DiskReport } from '../model/cycleStatus.ts';
import { wirePassRate } from '../model/summarize.ts';
import { percent } from './paint.ts';

type Rates = Pick<CycleReport, 'passed' | 'failed' | 'passRate' | 'passRateReviewed'>;

type Counted = Rates & Pick<DiskReport, 'status' | 'layer' | 'isTargetMet'>;

/** `188 of 193 tests pass: 97.4 %`, with `5 still fail` where that is called reached; a suite that was cut off has no rate. */
export function countedText(report: Counted, told: (rate: string) => string = (rate) => rate): string {
  if (report.status === 'needs-attention' && report.failed === 0)
    return `${passingText(report)}, but the suite did not finish`;
  const counted = `${passingText(report)}: ${told(countedRate(report))}`;
  return report.isTargetMet === true ? `${counted}, ${stillFailing(report)}` : counted;
}

/** Of the tests that are counted beside it. */
function countedRate({ passed, failed }: Rates): string {
  return percent(wirePassRate({ passed, failed, errored: 0 }));
}

/** "60.0 % without the changed expectations that nobody has accepted yet"; undefined where there is but one rate. */
export function otherRate(report: Rates): string | undefined {
  const { passRate, passRateReviewed } = report;
  if (percent(passRate) !== countedRate(report)) return `${percent(passRate)} with all proven fixes in place`;
  if (passRate === passRateReviewed) return undefined;
  return `${percent(passRateReviewed)} without the changed expectations that nobody has accepted yet`;
}
