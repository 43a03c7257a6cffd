// Errors of the compiler as a run reports them.
import type { FoundError } from './typeAnswer.ts';

/** Does a failure to load come from the types of the test? */
export const isTypeError = (message: string): boolean =>
  /\berror\b.{0,20}\bTS\d{4,5}\b|\bTS\d{4,5}:/.test(message);

/**
 * Are the errors found the ones that the run reported, line by line? Where they are not, the run checks by other rules, and
 * nothing that is found here holds there.
 */
export function areReported(errors: readonly FoundError[], file: string, message: string): boolean {
  const reported = [
    ...message.matchAll(/^(?<at>\S+?)[:(](?<line>\d+)[:,]\d+\)?(?: -|:) error TS(?<code>\d+):/gm),
  ]
    .filter(({ groups }) => groups?.['at'] !== undefined && `/${file}`.endsWith(`/${groups['at']}`))
    .map(({ groups }) => `${groups?.['line']} ${groups?.['code']}`);
  const found = errors.map(({ line, code }) => `${line} ${code}`);
  return reported.length > 0 && reported.sort().join() === found.sort().join();
}
