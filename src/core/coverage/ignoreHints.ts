// Comments that take code out of the count, as istanbul, c8, v8 and node itself know them.
import ts from 'typescript';

const anyHint = /(?:istanbul|[cv]8|node:coverage)\s+ignore\s/;
const hint = /^(?:\/\/|\/\*+)\s*(?:istanbul|[cv]8|node:coverage)\s+ignore\s+(if|else|next|file)(?=\W|$)/;
const range = /(?:istanbul|[cv]8|node:coverage)\s+ignore\s+(start|stop)(?=\W|$)/g;
const disabled = /node:coverage\s+(disable|enable)(?=\W|$)/g;

type IgnoreHint = 'if' | 'else' | 'next' | 'file';

/** What the comments right before the node say about it. */
export function ignoreHint(text: string, node: ts.Node): IgnoreHint | undefined {
  if (ts.isSourceFile(node)) return anyHint.test(text) && isIgnoredFile(text) ? 'file' : undefined;
  for (const { pos, end } of ts.getLeadingCommentRanges(text, node.pos) ?? []) {
    const found = hint.exec(text.slice(pos, end))?.[1];
    if (found === 'if' || found === 'else' || found === 'next') return found;
  }
  return undefined;
}

function isIgnoredFile(text: string): boolean {
  return /(?:\/\/|\/\*+)\s*(?:istanbul|[cv]8|node:coverage)\s+ignore\s+file(?=\W|$)/.test(text);
}

/** Ranges between `ignore start` and `ignore stop`, or `node:coverage disable` and `enable`: checks for offsets. */
export function ignoredLines(text: string): readonly ((offset: number) => boolean)[] {
  if (!anyHint.test(text) && !text.includes('node:coverage')) return [];
  return [...between(text, range, 'start'), ...between(text, disabled, 'disable')].map(
    ([from, to]) =>
      (offset: number) =>
        offset >= from && offset < to,
  );
}

function between(text: string, marks: RegExp, opening: string): (readonly [number, number])[] {
  const ranges: (readonly [number, number])[] = [];
  let open: number | undefined;
  for (const { 1: word, index } of text.matchAll(marks)) {
    if (word === opening) open ??= index;
    else if (open !== undefined) {
      ranges.push([open, index]);
      open = undefined;
    }
  }
  if (open !== undefined) ranges.push([open, Infinity]);
  return ranges;
}
