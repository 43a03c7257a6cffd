// Reads the values out of the text of a snapshot as jest and vitest print objects and lists, and judges those that stand at the same place.
import { gainedTrouble, leafStops } from '../../diagnosis/leafStops.ts';
import type { Value } from '../../model/value.ts';

interface Leaf {
  readonly keys: readonly string[];
  readonly value: Value;
}

/** Reasons of single values: codes of another outcome, 0 for a number, something where nothing was stored. */
export function leafReasons(old: string, now: string): readonly string[] {
  const [was, is] = [leavesOf(old), leavesOf(now)];
  const reasons: string[] = [];
  for (const [place, { keys, value }] of is) {
    const before = was.get(place);
    const told = keys.join('.');
    if (before !== undefined && before.value.kind === value.kind)
      reasons.push(
        ...leafStops({ was: before.value, is: value, place: told || 'the value', path: keys, asked: [] }),
      );
    const trouble = before === undefined ? gainedTrouble(keys.at(-1) ?? '', value) : undefined;
    if (trouble !== undefined) reasons.push(trouble);
  }
  return reasons;
}

const something: Value = { kind: 'opaque', description: 'an item' };

/** By the place of each; items of lists that have another number of them are at other places. */
function leavesOf(text: string): ReadonlyMap<string, Leaf> {
  const lines = text.split('\n');
  const leaves = new Map<string, Leaf>();
  const open: { readonly place: string; readonly keys: readonly string[]; index: number }[] = [];
  for (const [at, line] of lines.entries()) {
    if (/^\s*[\]}],?\s*$/.test(line)) {
      open.pop();
      continue;
    }
    const [, key, written = ''] = /^\s*(?:"((?:[^"\\]|\\.)*)": )?(.*?),?\s*$/.exec(line) ?? [];
    const around = open.at(-1);
    if (written === '' || (key === undefined && around === undefined && leaves.size > 0)) continue;
    const step = key ?? `[${around === undefined ? '' : around.index++}]`;
    const keys = [...(around?.keys ?? []), ...(key === undefined ? [] : [key])];
    const isOpening = /^(?:\w+ )?[[{]$/.test(written);
    const size = isOpening && written.endsWith('[') ? `:${itemsBehind(lines, at)}` : '';
    const place = `${around?.place ?? ''}/${step}`;
    const value = valueOf(written);
    if (value !== undefined) leaves.set(place, { keys, value });
    if (isOpening) open.push({ place: place + size, keys, index: 0 });
  }
  return leaves;
}

/** How many lines stand one step deeper, up to the bracket that closes. */
function itemsBehind(lines: readonly string[], at: number): number {
  const depth = (line: string): number => line.length - line.trimStart().length;
  const own = depth(lines[at] ?? '');
  let count = 0;
  for (let next = at + 1; next < lines.length && depth(lines[next] ?? '') > own; next++)
    if (depth(lines[next] ?? '') === own + 2 && !/^\s*[\]}]/.test(lines[next] ?? '')) count++;
  return count;
}

function valueOf(written: string): Value | undefined {
  if (/^-?\d[\d.e+-]*n?$/.test(written)) return { kind: 'number', text: written };
  if (/^".*"$/.test(written)) return { kind: 'string', value: written.slice(1, -1) };
  const [, bracket, closed] = /^(?:\w+ )?([[{])([\]}]?)$/.exec(written) ?? [];
  const items = closed === '' ? [something] : [];
  if (bracket === '[') return { kind: 'array', items };
  if (bracket === '{') return { kind: 'object', entries: items.map((item) => ['', item] as const) };
  return /^(?:true|false)$/.test(written) ? { kind: 'boolean', value: written === 'true' } : undefined;
}
