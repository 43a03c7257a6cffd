// What `testmend fix` gives back, beside its exit code and document, to those who run it as a part of more.
import type { CycleReport } from '../core/model/cycle.ts';
import { isContent, type DiskReport } from '../core/model/cycleStatus.ts';
import { exitCodes, type CommandResult } from './command.ts';
import type { SessionOutcome } from '../core/engine/fixSession.ts';

export interface FixResult extends CommandResult {
  readonly json: object;
  /** As the workspace is on disk now. */
  readonly report: CycleReport;
  /** Of a session: what it was told. */
  readonly outcome?: SessionOutcome;
}

/** `fix` judges the workspace as it leaves it on disk (INTERFACES). */
export function fixExitCode(report: DiskReport): number {
  if (report.ended === 'cancelled') return exitCodes.cancelled;
  if (report.ended === 'timeout') return exitCodes.timeout;
  if (report.ended === 'no-tests') return exitCodes.usage;
  return isContent(report) ? exitCodes.ok : exitCodes.failures;
}
