// Compares things that may be in a file but must not be added to it: per test, kind and key, counted.
import { oncePerFile, type FileFacts, type Finding, type Rule } from './fileFacts.ts';

/** One occurrence of something that a fix must not add. */
export interface Mark extends Finding {
  /** The test, hook or function it is in. */
  readonly owner: string;
  /** What counts as the same thing. */
  readonly key: string;
}

/** A rule that reports every mark that the older version does not have as often in the same test. */
export function noNewMarks(collect: (facts: FileFacts) => Iterable<Mark>): Rule {
  const marksOf = oncePerFile((facts) => [...collect(facts)]);
  return function* (before, after) {
    const now = marksOf(after);
    if (now.length === 0) return;
    const had = new Map<string, number>();
    for (const mark of marksOf(before)) had.set(keyOf(mark), (had.get(keyOf(mark)) ?? 0) + 1);
    for (const mark of now) {
      const key = keyOf(mark);
      const left = had.get(key) ?? 0;
      if (left > 0) had.set(key, left - 1);
      else yield { rule: mark.rule, line: mark.line, text: mark.text };
    }
  };
}

const keyOf = (mark: Mark): string => JSON.stringify([mark.rule, mark.owner, mark.key]);
