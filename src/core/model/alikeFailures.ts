// Failures that are one thing to look at: tests that fail in the same way for the same reason.
import type { Remaining } from './cycle.ts';

/** The failures in groups, in the order of their first tests. */
export function alikeFailures<T extends Pick<Remaining, 'severity' | 'fault' | 'reason' | 'message'>>(
  failures: readonly T[],
): (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const failure of failures) {
    const { severity, fault, reason, message } = failure;
    const key = JSON.stringify([severity, fault, reason, message]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [failure]);
    else group.push(failure);
  }
  return [...groups.values()];
}
