// Two source texts side by side in little room: what both have in common gives way, what differs stays.
import { codeLine } from '../../model/visibleText.ts';

/** Both texts on one line each, together at most `room` characters long, cut where they are the same. */
export function shownChange(was: string, now: string, room: number): readonly [was: string, now: string] {
  const [before, after] = oneLined(was, now);
  if (before.length + after.length <= room) return [before, after];
  const quote = /^(['"`])[\s\S]*\1$/.exec(before)?.[1] ?? '';
  const isQuoted = quote !== '' && /^(['"`])[\s\S]*\1$/.test(after) && after.startsWith(quote);
  const inside = (text: string): string[] => Array.from(isQuoted ? text.slice(1, -1) : text);
  const [left, right] = [inside(before), inside(after)];
  const start = commonStart(left, right);
  const end = commonStart(left.slice(start).reverse(), right.slice(start).reverse());
  const each = Math.max(8, Math.floor(room / 2) - (isQuoted ? 2 : 0));
  const cut = (text: readonly string[]): string => {
    const kept = around(text, start, end, each);
    return isQuoted ? quote + kept + quote : kept;
  };
  return [cut(left), cut(right)];
}

/** Line breaks with their indentation become spaces, unless nothing else differs. */
function oneLined(was: string, now: string): readonly [string, string] {
  const joined = [was, now].map((text) => codeLine(text.trim()));
  const [before = '', after = ''] =
    joined[0] === joined[1] ? [was, now].map((text) => codeLine(text.replace(/\r?\n/g, '⏎'))) : joined;
  return [before, after];
}

function commonStart(left: readonly string[], right: readonly string[]): number {
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) count++;
  return count;
}

/** The part between the first `start` and the last `end` characters, with as much around it as fits. */
function around(text: readonly string[], start: number, end: number, length: number): string {
  if (text.length <= length) return text.join('');
  const stop = text.length - end;
  const spare = Math.max(0, length - 2 - (stop - start));
  const after = Math.min(end, Math.max(Math.ceil(spare / 2), spare - start));
  const from = Math.max(0, start - (spare - after));
  const to = Math.min(stop + after, from + length - 2);
  return `${from > 0 ? '…' : ''}${text.slice(from, to).join('')}${to < text.length ? '…' : ''}`;
}
