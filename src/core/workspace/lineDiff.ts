// Which lines of two texts differ, in bounded time: to find more differences takes a time that grows with their square.
import { diffArrays, diffLines, structuredPatch, type StructuredPatchHunk } from 'diff';

/** Lines that went and came, together, up to which they are told one by one. */
const linesInDetail = 2_000;

interface LinePart {
  readonly value: string;
  readonly added: boolean;
  readonly removed: boolean;
  /** Of lines. */
  readonly count: number;
}

/**
 * What went, came and stayed. Where more differs, all between the first and the last difference went, and all that stands there now
 * came: coarser, and as true.
 */
export function diffOfLines(before: string, after: string): readonly LinePart[] {
  return diffLines(before, after, { maxEditLength: linesInDetail }) ?? coarseDiff(before, after);
}

/** The same as the hunks of a patch, with three lines around them. */
export function hunksOf(before: string, after: string): readonly StructuredPatchHunk[] {
  const options = { context, maxEditLength: linesInDetail };
  const hunks = structuredPatch('', '', before, after, '', '', options)?.hunks;
  if (hunks !== undefined) return hunks;
  const parts = coarseDiff(before, after);
  const of = (kind: 'added' | 'removed'): string[] =>
    parts.filter((part) => part[kind]).flatMap(({ value }) => linesOf(value));
  const [head, tail] = [parts[0], parts.at(-1)].map((part) =>
    part === undefined || part.added || part.removed ? [] : linesOf(part.value),
  );
  const [above, gone, come, below] = [
    head?.slice(-context) ?? [],
    of('removed'),
    of('added'),
    tail?.slice(0, context) ?? [],
  ];
  const start = (head?.length ?? 0) - above.length + 1;
  const around = above.length + below.length;
  return [
    {
      oldStart: start,
      oldLines: around + gone.length,
      newStart: start,
      newLines: around + come.length,
      lines: [...marked(' ', above), ...marked('-', gone), ...marked('+', come), ...marked(' ', below)],
    },
  ];
}

const context = 3;

const marked = (sign: string, lines: readonly string[]): string[] =>
  lines.flatMap((line) =>
    line.endsWith('\n')
      ? [`${sign}${line.slice(0, -1)}`]
      : [`${sign}${line}`, '\\ No newline at end of file'],
  );

/** Items are statements of a file, which are worth more time than its lines. */
const itemsInDetail = 5_000;

/** Like `diffOfLines`, of anything that has one text; undefined where too much differs. */
export function diffOfItems(
  before: readonly string[],
  after: readonly string[],
): readonly Pick<LinePart, 'added' | 'removed' | 'count'>[] | undefined {
  return diffArrays([...before], [...after], { maxEditLength: itemsInDetail });
}

function coarseDiff(before: string, after: string): readonly LinePart[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const limit = Math.min(old.length, now.length);
  let head = 0;
  while (head < limit && old[head] === now[head]) head++;
  let tail = 0;
  while (tail < limit - head && old[old.length - 1 - tail] === now[now.length - 1 - tail]) tail++;
  const part = (lines: readonly string[], kind: 'added' | 'removed' | 'same'): LinePart => ({
    value: lines.join(''),
    added: kind === 'added',
    removed: kind === 'removed',
    count: lines.length,
  });
  return [
    part(old.slice(0, head), 'same'),
    part(old.slice(head, old.length - tail), 'removed'),
    part(now.slice(head, now.length - tail), 'added'),
    part(tail === 0 ? [] : old.slice(-tail), 'same'),
  ].filter(({ count }) => count > 0);
}

/** With their ends. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
