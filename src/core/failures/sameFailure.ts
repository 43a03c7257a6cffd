// Did a test fail twice in the same way?
import type { Failure } from '../model/testResult.ts';
import { stripAnsi } from './stripAnsi.ts';

/**
 * By what was compared, where both tell it: a message may hold more than that. The same lines in another order are the same too: a loop over
 * a map of Go takes its entries in any. `plain` takes away what makes no difference.
 */
export function sameFailure(one: Failure, other: Failure, plain = withoutDurations): boolean {
  const lines = ({ message }: Failure): string =>
    message
      .split('\n')
      .map(plain)
      .toSorted((a, b) => (a < b ? -1 : 1))
      .join('\n');
  if (one.message.includes('\n') && lines(one) === lines(other)) return true;
  const sides = ({ expected, actual }: Failure): readonly string[] | undefined =>
    expected === undefined || actual === undefined ? undefined : [expected, actual];
  const [a, b] = [sides(one), sides(other)];
  const [left, right] = a && b ? [a, b] : [[one.message], [other.message]];
  return left.map(plain).join('\0') === right.map(plain).join('\0');
}

/** Without addresses of objects, which are others in each process, nor how long something took. */
const withoutDurations = (text: string): string =>
  withoutAddresses(text).replace(/\b\d+(?:\.\d+)? ?(?:ms|s)\b/g, '0 s');

/** In one line, without colours and without addresses of objects. */
export const withoutAddresses = (text: string): string =>
  stripAnsi(text)
    .replace(/\b0x[0-9a-f]+\b/gi, '0x')
    .replace(/\s+/g, ' ')
    .trim();
