// The smallest edits that turn one literal of Python into another: what stays the same is not touched.
import type { SyntaxNode } from '@lezer/common';
import { isRefusal, refuse, type Refusal } from '../assertion/literalChange.ts';
import {
  noNames,
  partsOf,
  readPythonValue,
  sameLiteral,
  type PythonLiteral,
  type ValueNames,
} from '../../syntax/python/pythonLiteral.ts';
import { changedLines } from './changedLines.ts';
import { writeArgument, writeLiteral } from './writeLiteral.ts';

export interface LiteralEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  /** Where in the value: `total.currency`, `[2]`. */
  readonly path: string;
}

/** An expression that is to expect another value. */
export interface PatchRequest {
  readonly node: SyntaxNode;
  readonly actual: PythonLiteral;
  readonly expected: PythonLiteral | undefined;
  readonly path: string;
}

/** `was` lies in the text; the edits are in the order of the text and certainly give the new value, or there are none. */
export function patchLiteral(
  was: PythonLiteral,
  now: PythonLiteral,
  text: string,
  names: ValueNames = noNames,
): readonly LiteralEdit[] | Refusal {
  const edits = change({ was, now, text, path: '' });
  if (isRefusal(edits)) return edits;
  const sorted = [...edits].sort((a, b) => a.start - b.start);
  let patched = '';
  let at = was.start;
  for (const { start, end, newText } of sorted) {
    if (start < at) return refuse('The changed parts of the value are nested in each other.');
    patched += text.slice(at, start) + newText;
    at = end;
  }
  patched += text.slice(at, was.end);
  // In brackets, as it may stand in some: there its lines may end anywhere.
  const written = readPythonValue(`(${patched})`, 0, patched.length + 2, names);
  if (written === undefined || !sameLiteral(written, now))
    return refuse('The new value cannot be written in the style of the old one.');
  return sorted;
}

interface Change {
  readonly was: PythonLiteral;
  readonly now: PythonLiteral;
  readonly text: string;
  readonly path: string;
}

export type Edits = readonly LiteralEdit[] | Refusal;

function change(request: Change): Edits {
  const { was, now } = request;
  if (sameLiteral(was, now)) return [];
  if ((was.kind === 'str' && now.kind === 'str') || (was.kind === 'bytes' && now.kind === 'bytes'))
    return changeText(was, now, request);
  if (was.kind === 'dict' && now.kind === 'dict') return changeEntries(was, now, request);
  if ('items' in was && 'items' in now && was.kind === now.kind && was.kind !== 'set')
    return changeItems(was.items, now.items, request);
  if (was.kind === 'call' && now.kind === 'call') return changeArguments(was, now, request);
  return whole(request);
}

type Call = Extract<PythonLiteral, { kind: 'call' }>;

/** Those that differ; new ones behind them. */
function changeArguments(was: Call, now: Call, request: Change): Edits {
  const isKept = was.args.every(({ name }, index) => now.args[index]?.name === name);
  const last = was.args.at(-1);
  if (was.callee !== now.callee || now.args.length < was.args.length || !isKept || last === undefined)
    return whole(request);
  const { path } = request;
  const edits = was.args.map(({ name, value }, index): Edits => {
    const next = now.args[index]?.value ?? value;
    const inPlace = was.args.length === 1 ? path : `${path}[${index}]`;
    const place = name === undefined ? inPlace : within(path, name);
    return change({ ...request, was: value, now: next, path: place });
  });
  const added = now.args.slice(was.args.length).map((one) => `, ${writeArgument(one, firstText(was))}`);
  if (added.length > 0)
    edits.push([{ start: last.value.end, end: last.value.end, newText: added.join(''), path }]);
  return joinEdits(edits);
}

function whole({ was, now, text, path }: Change): Edits {
  if (hasComment(text.slice(was.start, was.end)))
    return refuse('The value that would change contains comments.');
  return [{ start: was.start, end: was.end, newText: writeLiteral(now, firstText(was)), path }];
}

type Text = Extract<PythonLiteral, { kind: 'str' | 'bytes' }>;

/** Of a text in several parts only the one part that differs. */
function changeText(was: Text, now: Text, { text, path }: Change): Edits {
  const [only] = was.parts;
  if (was.parts.length === 1 && only !== undefined) {
    const newText = changedLines(only, now.value, text) ?? writeLiteral(now, only);
    return [{ start: only.start, end: only.end, newText, path }];
  }
  const start = commonStart(was.value, now.value);
  const end = commonStart(reversed(was.value.slice(start)), reversed(now.value.slice(start)));
  let from = 0;
  for (const part of was.parts) {
    const to = from + part.value.length;
    if (from <= start && was.value.length - end <= to) {
      const value = now.value.slice(from, now.value.length - (was.value.length - to));
      const newText = writeLiteral({ ...now, value }, part);
      return [{ start: part.start, end: part.end, newText, path }];
    }
    from = to;
  }
  return refuse('The text is written in several parts, and more than one of them would change.');
}

const reversed = (text: string): string => text.split('').reverse().join('');

function commonStart(a: string, b: string): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count++;
  return count;
}

function changeItems(was: readonly PythonLiteral[], now: readonly PythonLiteral[], request: Change): Edits {
  const { path } = request;
  if (was.length === now.length)
    return joinEdits(
      was.map((item, index) =>
        change({ ...request, was: item, now: now[index] ?? item, path: `${path}[${index}]` }),
      ),
    );
  let start = 0;
  while (start < was.length && start < now.length && same(was[start], now[start])) start++;
  let end = 0;
  while (end < was.length - start && end < now.length - start && same(was.at(-1 - end), now.at(-1 - end)))
    end++;
  const old = was.slice(start, was.length - end);
  const fresh = now.slice(start, now.length - end);
  const isLoneTuple = request.was.kind === 'tuple' && now.length === 1;
  if (was.length === 0 || now.length === 0 || isLoneTuple) return whole(request);
  const pairs = Math.min(old.length, fresh.length);
  const edits: Edits[] = old
    .slice(0, pairs)
    .map((item, index) =>
      change({ ...request, was: item, now: fresh[index] ?? item, path: `${path}[${start + index}]` }),
    );
  const further = fresh.slice(pairs).map((item) => writeLiteral(item, firstText(was[0] ?? item)));
  if (further.length > 0) edits.push(insert(was, start + pairs, further, request));
  if (old.length > pairs) edits.push(remove(was, start + pairs, old.length - pairs, request));
  return joinEdits(edits);
}

const same = (a: PythonLiteral | undefined, b: PythonLiteral | undefined): boolean =>
  a !== undefined && b !== undefined && sameLiteral(a, b);

interface Placed {
  readonly start: number;
  readonly end: number;
}

/** After the item before, as the items stand there: in one line, or each in its own. */
function insert(
  items: readonly Placed[],
  index: number,
  written: readonly string[],
  { text, path }: Change,
): Edits {
  const before = items[index - 1];
  const after = items[index];
  const [first, second] = items;
  const gap = first && second ? text.slice(first.end, second.start) : ', ';
  const separator = /^\s*,\s*$/.test(gap) ? gap : ', ';
  if (before !== undefined)
    return [
      { start: before.end, end: before.end, newText: written.map((one) => separator + one).join(''), path },
    ];
  if (after === undefined) return refuse('There is no place for the new items of the value.');
  return [
    { start: after.start, end: after.start, newText: written.map((one) => one + separator).join(''), path },
  ];
}

function remove(items: readonly Placed[], index: number, count: number, { text, path }: Change): Edits {
  const first = items[index];
  const last = items[index + count - 1];
  const before = items[index - 1];
  const after = items[index + count];
  if (first === undefined || last === undefined) return [];
  const span =
    before !== undefined
      ? { start: before.end, end: last.end }
      : { start: first.start, end: after?.start ?? last.end };
  if (hasComment(text.slice(span.start, span.end)))
    return refuse('The value that would change contains comments.');
  return [{ ...span, newText: '', path }];
}

function changeEntries(
  was: Extract<PythonLiteral, { kind: 'dict' }>,
  now: Extract<PythonLiteral, { kind: 'dict' }>,
  request: Change,
): Edits {
  const { path } = request;
  const rest = [...now.entries];
  const edits: Edits[] = [];
  const gone: number[] = [];
  for (const [index, [key, value]] of was.entries.entries()) {
    const at = rest.findIndex(([other]) => sameLiteral(other, key));
    const [found] = at < 0 ? [] : rest.splice(at, 1);
    if (found === undefined) gone.push(index);
    else edits.push(change({ ...request, was: value, now: found[1], path: pathTo(path, key) }));
  }
  const pairs = was.entries.map(([key, value]) => ({ start: key.start, end: value.end }));
  const entry = ([key, value]: readonly [PythonLiteral, PythonLiteral], like: PythonLiteral): string =>
    `${writeLiteral(key, firstText(like))}: ${writeLiteral(value, firstText(like))}`;
  if (gone.length === 0 && rest.length === 0) return joinEdits(edits);
  const [[firstKey] = []] = was.entries;
  if (firstKey === undefined || gone.length === was.entries.length) return whole(request);
  // A key that was renamed keeps its place.
  const renamed = gone.length === rest.length ? gone.splice(0) : [];
  for (const index of renamed) {
    const pair = pairs[index];
    const next = rest.shift();
    if (pair === undefined || next === undefined) continue;
    if (hasComment(request.text.slice(pair.start, pair.end)))
      return refuse('The value that would change contains comments.');
    edits.push([{ ...pair, newText: entry(next, firstKey), path: pathTo(path, next[0]) }]);
  }
  for (const index of gone) edits.push(remove(pairs, index, 1, request));
  if (rest.length > 0 && gone.length > 0) return whole(request);
  if (rest.length > 0)
    edits.push(
      insert(
        pairs,
        pairs.length,
        rest.map((one) => entry(one, firstKey)),
        request,
      ),
    );
  return joinEdits(edits);
}

function pathTo(path: string, key: PythonLiteral): string {
  if (key.kind === 'str' && /^[\p{L}_][\p{L}\p{N}_]*$/u.test(key.value)) return within(path, key.value);
  return `${path}[${writeLiteral(key)}]`;
}

/** A path, behind another one. */
export const within = (path: string, inner: string): string =>
  path === '' || inner === '' || inner.startsWith('[') ? path + inner : `${path}.${inner}`;

/** All edits, or the first refusal. */
export function joinEdits(all: readonly Edits[]): Edits {
  const joined: LiteralEdit[] = [];
  for (const edits of all) {
    if (isRefusal(edits)) return edits;
    joined.push(...edits);
  }
  return joined;
}

/** A `#` may stand in a text as well: then, too, nothing is taken away. */
const hasComment = (text: string): boolean => /#.*\n/.test(text);

/** The first text in a value, whose quotes tell how others are written. */
function firstText(literal: PythonLiteral): Text['parts'][number] | undefined {
  if (literal.kind === 'str' || literal.kind === 'bytes') {
    const [part] = literal.parts;
    return part === undefined ? undefined : { ...part, prefix: '', quote: part.quote[0] ?? '"' };
  }
  for (const one of partsOf(literal)) {
    const found = firstText(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
