// Tells assertions about the calls of mocks from all others.
import type { CapturedAssertion } from '../../model/value.ts';

/** Is this an assertion about the calls of a mock? */
export function isAboutCalls({ kind, matcher }: CapturedAssertion): boolean {
  return kind === 'calls' || matcher.endsWith('CalledTimes');
}
