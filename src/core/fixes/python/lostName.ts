// The member, argument or key that a failure of Python says is not there.
import type { Failure } from '../../model/testResult.ts';

/** Undefined where it speaks of something else, or of what an assertion compared. */
export function lostName(failure: Failure | undefined): string | undefined {
  if (failure === undefined || failure.kind === 'assertion') return undefined;
  return /(?:\bno attribute|\bnot have the attribute|\bunexpected keyword argument|\bKeyError:) '(\w+)'/.exec(
    failure.message,
  )?.[1];
}
