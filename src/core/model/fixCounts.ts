// How far a group of fixes reaches, told in one way wherever identical changes are shown as one.
import type { Fix } from './fix.ts';

/** "40 tests in 3 files". */
export function reachText(fixes: readonly Pick<Fix, 'failures' | 'edits'>[]): string {
  const tests = new Set(fixes.flatMap(({ failures }) => failures)).size;
  const files = new Set(fixes.flatMap(({ edits }) => edits.map(({ file }) => file))).size;
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return `${count(tests, 'test')} in ${count(files, 'file')}`;
}
