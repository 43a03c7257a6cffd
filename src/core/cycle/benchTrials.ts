// What runs with fixes in place showed, so that the same fixes are not run again when they are kept.
import { editsKey } from '../fixes/rankFixes.ts';
import type { Fix } from '../model/fix.ts';
import type { RunSummary } from '../model/testResult.ts';
import type { Undo } from '../sandbox/sandbox.ts';
import type { Standing } from '../verification/progress.ts';
import type { VerificationContext, VerificationScope } from '../verification/verification.ts';
import { mergeEdits } from '../workspace/mergeEdits.ts';

/** What a run showed that had edits in place. */
export interface Trial {
  readonly scope: VerificationScope;
  readonly summary: RunSummary;
  /** All tests ran. */
  readonly isSuite: boolean;
}

/** Fixes that lie in the sandbox until they are undone. */
export interface Kept extends Undo {
  /** What is known of the tests is of a run of the full suite with them. */
  readonly isSuite: boolean;
}

export interface Judging {
  /** Told of each verdict as soon as it is certain. */
  readonly onVerdict?: VerificationContext['onVerdict'];
  /** What the tests do further on, with edits that do not lie in the sandbox now. */
  readonly ahead?: Standing | undefined;
  /** The full suite is due once the fixes are kept. */
  readonly endsWithSuite?: boolean;
}

/** The same for fixes that make the same edits. */
export const keyOf = (fixes: readonly Fix[]): string =>
  editsKey(
    mergeEdits(fixes.flatMap(({ edits }) => edits)).map((edit) => ({
      ...edit,
      changes: [...edit.changes].sort((a, b) => a.start - b.start || a.end - b.end),
    })),
  );
