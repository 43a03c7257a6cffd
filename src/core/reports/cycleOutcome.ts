// A fix cycle as it leaves the workspace: what reports of it are made from.
import type { CycleFix } from '../model/cycle.ts';
import type { DiskReport } from '../model/cycleStatus.ts';
import type { TestResult } from '../model/testResult.ts';

export interface CycleOutcome {
  /** As the workspace is on disk. */
  readonly report: DiskReport;
  /** Ids of the fixes that were written. */
  readonly applied: ReadonlySet<string>;
  /** What each test does on disk, as far as it is known. */
  readonly tests: readonly TestResult[];
}

/** Proven, and neither refused by somebody nor taken back. */
export function isProven({ state, verdict }: CycleFix): boolean {
  return state !== 'declined' && verdict.verdict === 'verified';
}

/** Who has to do what before a proven fix is in the workspace. */
export function standingOf(fix: CycleFix, { applied }: Pick<CycleOutcome, 'applied'>): string {
  if (applied.has(fix.id)) return 'applied';
  return fix.state === 'unreviewed' ? 'needs your approval' : 'not applied';
}
