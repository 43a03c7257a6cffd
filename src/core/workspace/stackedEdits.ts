// Edits that were made one on top of another: as one edit of the text below all of them, and as they are without some of them.
import { applyChanges } from '../model/edit.ts';
import type { TextChange } from '../model/fileEdit.ts';

/**
 * Changes of `text` that make `lower` and then `upper`, which was made for the text after `lower`. Changes that touch become one,
 * everything else stays as small as it is.
 */
export function composeChanges(
  text: string,
  lower: readonly TextChange[],
  upper: readonly TextChange[],
): readonly TextChange[] {
  const placed = place(lower);
  const middle = applyChanges(lower, text);
  return joinTouching([...placed, ...upper]).map((span) => {
    const isInside = ({ start, end }: Span): boolean => span.start <= start && end <= span.end;
    const below = placed.filter(isInside);
    const [first, last] = [below[0], below.at(-1)];
    const above = upper.filter(isInside).map((change) => moved(change, -span.start));
    return {
      start: first?.start === span.start ? first.change.start : back(placed, span.start),
      end: last?.end === span.end ? last.change.end : back(placed, span.end),
      newText: applyChanges(above, middle.slice(span.start, span.end)),
    };
  });
}

/** Changes made for the text after `omitted`, as they are for the text without; undefined where they touch. */
export function withoutChanges(
  changes: readonly TextChange[],
  omitted: readonly TextChange[],
): readonly TextChange[] | undefined {
  const placed = place(omitted);
  if (changes.some((change) => placed.some((one) => touch(one, change)))) return undefined;
  return changes.map(({ start, end, newText }) => ({
    start: back(placed, start),
    end: back(placed, end),
    newText,
  }));
}

/** Changes made for the same text as `others`, as they are for the text after those; undefined where they touch. */
export function afterChanges(
  changes: readonly TextChange[],
  others: readonly TextChange[],
): readonly TextChange[] | undefined {
  if (changes.some((change) => others.some((one) => touch(one, change)))) return undefined;
  return changes.map((change) =>
    moved(
      change,
      others.reduce((sum, one) => (one.end < change.start ? sum + growth(one) : sum), 0),
    ),
  );
}

/** The place in the text before the changes that a place in the text after them comes from. */
export function placeBefore(changes: readonly TextChange[], offset: number): number {
  const placed = place(changes);
  const around = placed.find(({ start, end }) => start <= offset && offset < end);
  return around === undefined
    ? back(placed, offset)
    : Math.min(around.change.start + offset - around.start, around.change.end);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A change with the range that its new text has in the text after all changes. */
interface Placed extends Span {
  readonly change: TextChange;
}

function place(changes: readonly TextChange[]): readonly Placed[] {
  let shift = 0;
  return [...changes]
    .sort((a, b) => a.start - b.start || a.end - b.end)
    .map((change) => {
      const start = change.start + shift;
      shift += growth(change);
      return { change, start, end: start + change.newText.length };
    });
}

function joinTouching(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1);
    if (last === undefined || last.end < start) joined.push({ start, end });
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  return joined;
}

/** Of a place outside of the changed ranges. */
const back = (placed: readonly Placed[], offset: number): number =>
  placed.reduce((sum, { change, end }) => (end <= offset ? sum - growth(change) : sum), offset);

const touch = (a: Span, b: Span): boolean => a.start <= b.end && b.start <= a.end;
const growth = ({ start, end, newText }: TextChange): number => newText.length - (end - start);
const moved = ({ start, end, newText }: TextChange, by: number): TextChange => ({
  start: start + by,
  end: end + by,
  newText,
});
