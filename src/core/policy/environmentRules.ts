// A fix that names the environment of a test file: one comment at its head, of a browser that is known, and not a byte more.
import type { FileChange, Finding } from './fileFacts.ts';

const browser = '(?:jsdom|happy-dom|jest-environment-jsdom|@happy-dom\\/jest-environment)';
const mark = `@(?:vitest|jest)-environment[ \\t]+${browser}`;
const comment = new RegExp(`(?:\\/\\/[ \\t]*${mark}|\\/\\*\\*?\\s*(?:\\*\\s*)?${mark}\\s*\\*\\/)\\r?\\n`);
const onlyComments = /^\uFEFF?(?:#![^\n]*\n)?(?:\s+|\/\/[^\n]*\n|\/\*[^]*?\*\/)*$/;

/** What such a fix does besides; the environment that a file chose itself stays. */
export function environmentRules({ before, after }: FileChange): readonly Finding[] {
  const found = after === undefined ? null : comment.exec(after);
  if (before !== undefined && after !== undefined && found !== null) {
    const [above, below] = [after.slice(0, found.index), after.slice(found.index + found[0].length)];
    const isNew = !/@(?:vitest|jest)-environment\b/.test(before);
    if (isNew && above + below === before && onlyComments.test(above)) return [];
  }
  const text = 'A fix that sets the environment of a test file must not change anything else.';
  return [{ rule: 'not-one-to-one', line: 1, text }];
}
