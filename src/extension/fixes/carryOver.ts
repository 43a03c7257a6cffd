// Carries an edit that was made for the saved text of a file over to the unsaved one, where the user's own changes lie elsewhere.

/** A place in a text: both from 0. */
interface Place {
  readonly line: number;
  readonly character: number;
}

/**
 * Maps a range of `saved` to `unsaved`, or undefined when the user changed something between the first and the last line of the
 * range, or anything that this cannot tell apart: all between their first and their last change counts as changed. Both texts
 * have the same line ends.
 */
export function carryOver(
  saved: string,
  unsaved: string,
): (range: { readonly start: Place; readonly end: Place }) => { start: Place; end: Place } | undefined {
  const [before, after] = [saved.split('\n'), unsaved.split('\n')];
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail += 1;
  const changedEnd = before.length - tail;
  const shift = after.length - before.length;
  const moved = (place: Place): Place => ({ ...place, line: place.line + shift });
  return ({ start, end }) => {
    if (end.line < head) return { start, end };
    if (start.line >= changedEnd) return { start: moved(start), end: moved(end) };
    return undefined;
  };
}
