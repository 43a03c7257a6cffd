// Identical changes, told as one in the same way everywhere: which fixes they are, and how far they reach together.
import type { Fix } from './fix.ts';

/** "40 tests in 3 files". */
export function reachText(fixes: readonly Pick<Fix, 'failures' | 'edits'>[]): string {
  const tests = new Set(fixes.flatMap(({ failures }) => failures)).size;
  const files = new Set(fixes.flatMap(({ edits }) => edits.map(({ file }) => file))).size;
  const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
  return `${count(tests, 'test')} in ${count(files, 'file')}`;
}

/**
 * Equal for fixes that make the same change: fixer, trust, and old → new. A fix that changes no expectation says by its evidence
 * what it follows, however often and under whatever path a file names it.
 */
export function changeKey({ provider, trust, expectation, evidence, edits }: Fix): string {
  if (expectation !== undefined) return JSON.stringify([provider, trust, expectation.old, expectation.new]);
  const texts = new Set(edits.flatMap(({ changes }) => changes.map(({ newText }) => newText)));
  const followed = trust === 'mechanical' && evidence.length > 0 ? evidence : [...texts];
  return JSON.stringify([provider, trust, [...followed].sort()]);
}
