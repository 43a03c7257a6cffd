// Turns offsets in a text into 1-based lines and columns.
import type { Position, Range } from '../model/position.ts';

export interface LineMap {
  position(offset: number): Position;
  range(start: number, end: number): Range;
}

/** Lines end at `\n`, `\r\n` or `\r`, as in editors; columns count UTF-16 units from 1. */
export function lineMap(text: string): LineMap {
  const starts = lineStarts(text);
  const position = (offset: number): Position => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
  return { position, range: (start, end) => ({ start: position(start), end: position(end) }) };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  if (!text.includes('\r')) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    return starts;
  }
  for (const found of text.matchAll(/\r\n|\n|\r/g)) starts.push(found.index + found[0].length);
  return starts;
}
