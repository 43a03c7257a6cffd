// Tests that a file ran before the change and no longer runs once it loads again: a shorter list of cases is no mere matter of its import.
import type { TestResult } from '../model/testResult.ts';

/**
 * Why a person must look, with the tests that are missing; undefined when none is. A test with a computed name may have another one now: as
 * many new tests at the same depth of the same file stand for those that vanished.
 */
export function lostTests(before: readonly TestResult[], after: readonly TestResult[]): string | undefined {
  const ran = (test: TestResult): boolean => test.outcome !== 'skipped';
  const running = new Set(after.filter(ran).map(({ id }) => id));
  const known = new Set(before.map(({ id }) => id));
  const files = new Set(before.map(({ file }) => file));
  const vanished = before.filter((test) => ran(test) && !running.has(test.id));
  const fresh = after.filter((test) => ran(test) && files.has(test.file) && !known.has(test.id));
  const place = (test: TestResult): string => JSON.stringify([test.file, test.suites.length]);
  const missing = vanished.filter((test) => {
    const here = place(test);
    const isHere = (other: TestResult): boolean => place(other) === here;
    return vanished.filter(isHere).length > fresh.filter(isHere).length;
  });
  if (missing.length === 0) return undefined;
  const names = missing.slice(0, 3).map(({ title }) => `"${title}"`);
  const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
  return `Fewer tests run than before the change: ${names.join(', ')}${more} ${missing.length === 1 ? 'is' : 'are'} missing.`;
}
