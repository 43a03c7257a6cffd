// Notices failures that no iteration moves, so that the cycle stops trying them (CONTRACTS T9).
import type { TestResult } from '../model/testResult.ts';

/** Iterations with the same failure after which it is left alone. */
const stuckAfter = 3;

/** Counts, for each test, the iterations in a row that ended with the same failure. */
export class StuckFailures {
  readonly #seen = new Map<string, { signature: string; count: number }>();

  /** Notes the tests that were tried and fail at the end of an iteration, each with as many steps below it as `stepsOf` tells. */
  note(failing: readonly TestResult[], stepsOf: (id: string) => number): void {
    const now = new Map<string, { signature: string; count: number }>();
    for (const result of failing) {
      const signature = failureSignature(result, stepsOf(result.id));
      const before = this.#seen.get(result.id);
      now.set(result.id, { signature, count: before?.signature === signature ? before.count + 1 : 1 });
    }
    this.#seen.clear();
    for (const [id, entry] of now) this.#seen.set(id, entry);
  }

  isStuck(id: string): boolean {
    return (this.#seen.get(id)?.count ?? 0) >= stuckAfter;
  }
}

/**
 * The identity of a failure: its kind and message without places, times and addresses, and after how many steps that got the
 * test further it is: the next assertion often fails in the words of the last.
 */
export function failureSignature({ outcome, failure }: TestResult, steps: number): string {
  const message = (failure?.message ?? '')
    .replace(/0x[\da-f]+/gi, '0x')
    .replace(/:\d+(?::\d+)?\b/g, ':')
    .replace(/\b\d+(?:\.\d+)?\s*ms\b/g, 'ms');
  return `${outcome}/${failure?.kind ?? ''}/${steps}/${message}`;
}
