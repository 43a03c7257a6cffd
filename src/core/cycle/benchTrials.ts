// Results of runs with fixes in place, kept so that the same fixes are not run again when they are accepted.
import { editsKey } from '../fixes/rankFixes.ts';
import type { Fix } from '../model/fix.ts';
import type { RunSummary } from '../model/testResult.ts';
import type { Undo } from '../sandbox/sandbox.ts';
import type { Standing } from '../verification/progress.ts';
import type { EndsWithSuite, VerificationContext, VerificationScope } from '../verification/verification.ts';
import { mergeEdits } from '../workspace/mergeEdits.ts';

/** Results of one run with edits in place. */
export interface Trial {
  readonly scope: VerificationScope;
  readonly summary: RunSummary;
  /** All tests ran. */
  readonly isSuite: boolean;
}

/** Fixes that lie in the sandbox until they are undone. */
export interface Kept extends Undo {
  /** The results come from a run of the full suite. */
  readonly isSuite: boolean;
}

export interface Judging {
  /** Told of each verdict as soon as it is certain. */
  readonly onVerdict?: VerificationContext['onVerdict'];
  /** Results further on in a test, with edits that are no longer in the sandbox. */
  readonly ahead?: Standing | undefined;
  /** The full suite is due once the fixes are kept. */
  readonly endsWithSuite?: EndsWithSuite;
}

/** The same for fixes that make the same edits. */
export const keyOf = (fixes: readonly Fix[]): string =>
  editsKey(
    mergeEdits(fixes.flatMap(({ edits }) => edits)).map((edit) => ({
      ...edit,
      changes: [...edit.changes].sort((a, b) => a.start - b.start || a.end - b.end),
    })),
  );
