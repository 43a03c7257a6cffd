// What `testmend fix` gives back, beside its exit code and document, to those who run it as a part of more.
import type { CycleReport } from '../core/model/cycle.ts';
import type { CommandResult } from './command.ts';
import type { SessionOutcome } from '../core/engine/fixSession.ts';

export interface FixResult extends CommandResult {
  readonly json: object;
  /** As the workspace is on disk now. */
  readonly report: CycleReport;
  /** Of a session: what it was told. */
  readonly outcome?: SessionOutcome;
}
