// What a workspace is called after a fix cycle: one rule for the copy, the disk, the exit code and every report.
import type { CycleReport } from './cycle.ts';

type Status = CycleReport['status'];

interface Known {
  /** The suite ran to its end. */
  readonly isWhole: boolean;
  /** Tests that ran and did not pass, or pass only with what nobody has accepted. */
  readonly red: number;
  /** Nothing was red before the cycle. */
  readonly wasGreen?: boolean;
}

/** Passed is said only where nothing is red. The target says when a cycle may stop, never how its result is called. */
export function cycleStatus({ isWhole, red, wasGreen = false }: Known): Status {
  if (!isWhole || red > 0) return 'needs-attention';
  return wasGreen ? 'nothing-to-do' : 'passed';
}

/** The report of a cycle, as the workspace is on disk. */
export interface DiskReport extends CycleReport {
  /** A target that the user named is met: what still fails is within it. */
  readonly isTargetMet?: boolean;
}

type Judged = Pick<DiskReport, 'status' | 'isTargetMet'>;

/** As people read it. */
export function statusName({ status, isTargetMet }: Judged): string {
  if (status === 'nothing-to-do') return 'NOTHING TO DO';
  if (status === 'passed') return 'PASSED';
  return isTargetMet === true ? 'TARGET REACHED' : 'NEEDS ATTENTION';
}

/** Nothing is red, or no more than the user allowed with a target of their own. */
export function isContent({ status, isTargetMet }: Judged): boolean {
  return status !== 'needs-attention' || isTargetMet === true;
}

/** `5 still fail`. */
export function stillFailing({ failed }: Pick<CycleReport, 'failed'>): string {
  return `${failed} still ${failed === 1 ? 'fails' : 'fail'}`;
}
