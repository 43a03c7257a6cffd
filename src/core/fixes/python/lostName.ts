// What a failure of Python says that is not there: a member, an argument, a key, a fixture, or the value of a coroutine.
import type { Failure, TestResult } from '../../model/testResult.ts';

/** Undefined where it speaks of something else, or of what an assertion compared. */
export function lostName(failure: Failure | undefined): string | undefined {
  if (failure === undefined || failure.kind === 'assertion') return undefined;
  return /(?:\bno attribute|\bnot have the attribute|\bunexpected keyword argument|\bKeyError:) '(\w+)'/.exec(
    failure.message,
  )?.[1];
}

/** Where in a file of tests a member is missed: read from the error and its traceback. */
export interface MissedMember {
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

/** Of the innermost step of the traceback that stands in a file of tests. */
export function missedMember(
  { file, failure }: TestResult,
  isTestFile: (file: string) => boolean,
): MissedMember | undefined {
  const name = lostName(failure);
  const frame = failure?.stack.find((one) => isTestFile(one.file));
  if (failure === undefined || name === undefined) return undefined;
  const place = frame ?? { file, line: failure.location?.line ?? 0 };
  return { file: place.file, line: place.line, name };
}

/** `cart` of "fixture 'cart' not found". */
export function lostFixture(failure: Failure | undefined): string | undefined {
  return /\bfixture '(\w+)' not found\b/.exec(failure?.message ?? '')?.[1];
}

/** Does the failure speak of a coroutine, or of an error that did not come? */
export function mayMissAwait({ file, failure }: TestResult): boolean {
  return file.endsWith('.py') && /\bcoroutine\b|DID NOT RAISE|\bnot raised\b/.test(failure?.message ?? '');
}
