// What a provider outside of Testmend, a model or an agent, is asked about: failures that no fixer here has an answer to.
import type { FileEdit } from '../../model/edit.ts';
import type { TestResult } from '../../model/testResult.ts';
import { testTextAt } from '../../syntax/testTextAt.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';

/** Failing tests that share one text, as the rows of a table do. */
export interface OutsideWork {
  readonly first: FailingTest;
  readonly results: readonly TestResult[];
}

/** One for each failing test text without a proposal that may be kept, in the order of the failures; tests of test files only. */
export function outsideWork(context: FixContext): readonly OutsideWork[] {
  const { failing, proposed = [] } = context;
  const mended = new Set(proposed.filter(({ trust }) => trust !== 'propose').flatMap((fix) => fix.failures));
  const work = new Map<string, { first: FailingTest; results: TestResult[] }>();
  for (const one of failing) {
    const { result } = one;
    if (mended.has(result.id) || !context.isTestFile(result.file)) continue;
    const key = `${result.file}:${result.line}`;
    const known = work.get(key);
    if (known === undefined) work.set(key, { first: one, results: [result] });
    else known.results.push(result);
  }
  return [...work.values()];
}

/**
 * The work whose tests the edits touch; all of it when they also touch something outside of the tests, or another file. `work`: of one
 * file, whose text is `text`.
 */
export function touchedWork(
  edits: readonly FileEdit[],
  work: readonly OutsideWork[],
  text: string,
): readonly OutsideWork[] {
  const places = work.map((one) => ({ one, place: placeOf(one, text) }));
  const touched = new Set<OutsideWork>();
  for (const { file, changes } of edits)
    for (const { start, end } of changes) {
      const own = places.filter(
        ({ one, place }) => one.first.result.file === file && place.start <= start && end <= place.end,
      );
      if (own.length === 0) return work;
      for (const { one } of own) touched.add(one);
    }
  return work.filter((one) => touched.has(one));
}

/** Offsets of the text of a test in its file. */
export function placeOf(
  { first }: OutsideWork,
  text: string,
): { readonly start: number; readonly end: number } {
  const { file, line } = first.result;
  const before = text.split('\n').slice(0, line - 1);
  const start = before.reduce((sum, one) => sum + one.length + 1, 0);
  const own = testTextAt(file, text, line);
  return { start, end: text.indexOf(own, start) + own.length + 1 };
}
