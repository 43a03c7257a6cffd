// Tables of cases that a test of Go writes out and loops over: `for _, tt := range tests`.
import { bodyOfLoop, type Declared } from './declarations.ts';
import { readGoExpression, type GoEntry, type GoExpression, type Span } from './goExpression.ts';
import type { GoSource } from './goSource.ts';
import { statementEnd } from './statements.ts';
import { closingAt, type GoToken } from './tokens.ts';

export interface GoLoop {
  /** Names of the variables; `_` where there is none. */
  readonly key: string;
  readonly value: string;
  /** Name of what it goes over; empty where that stands in the header. */
  readonly table: string;
  /** What stands behind `range`. */
  readonly over: Span;
  readonly at: number;
  readonly open: number;
  readonly close: number;
}

export interface GoTable {
  readonly isMap: boolean;
  readonly rows: readonly GoRow[];
  /** Of the rows, in order, where they are known. */
  readonly fields: readonly string[] | undefined;
}

export type GoRow = GoEntry;

/** Loops with `key, value := range …` in a function, outer ones first. */
export function loopsIn({ tokens }: GoSource, { open, close }: Declared): readonly GoLoop[] {
  const loops: GoLoop[] = [];
  for (let at = open + 1; at < close; at++) {
    if (tokens[at]?.text !== 'for') continue;
    const words = tokens.slice(at + 1, at + 7).map(({ text }) => text);
    const [key = '', comma, value = '', ...rest] = words;
    if (comma !== ',' || rest.slice(0, 3).join(' ') !== ': = range') continue;
    const body = bodyOfLoop(tokens, at + 1, close);
    const over = { from: at + 7, to: body };
    const isName = over.to === over.from + 1 && tokens[over.from]?.kind === 'word';
    const table = isName ? (tokens[over.from]?.text ?? '') : '';
    loops.push({ key, value, table, over, at, open: body, close: closingAt(tokens, body) });
  }
  return loops;
}

/**
 * The table of a loop; undefined where it is not written out, or where anything but loops may use or change it. `elsewhere`: the function
 * does not declare it.
 */
export function tableOf(
  loop: GoLoop,
  source: GoSource,
  test: Declared,
  loops: readonly GoLoop[],
): GoTable | 'elsewhere' | undefined {
  const { tokens } = source;
  if (loop.table === '') return readTable(source, loop.over);
  let found: Span | undefined;
  for (let at = test.open + 1; at < test.close; at++) {
    if (tokens[at]?.text !== loop.table || tokens[at - 1]?.text === '.') continue;
    if (isUse(at, tokens, loops)) continue;
    const from = declaredAt(tokens, at);
    if (from === undefined || found !== undefined || at > loop.at) return undefined;
    found = { from, to: statementEnd(source, from) };
  }
  return found === undefined ? 'elsewhere' : readTable(source, found);
}

/** The same of `var tests = …` at the top of the file; `loops`: of all functions. */
export function sharedTable(name: string, source: GoSource, loops: readonly GoLoop[]): GoTable | undefined {
  const { tokens, functions } = source;
  let found: Span | undefined;
  for (let at = 0; at < tokens.length; at++) {
    if (tokens[at]?.text !== name || tokens[at - 1]?.text === '.' || isUse(at, tokens, loops)) continue;
    const isTop = functions.every(({ first, close }) => at < first || at > close);
    const isDeclared = tokens[at - 1]?.text === 'var' && tokens[at + 1]?.text === '=';
    if (!isTop || !isDeclared || found !== undefined) return undefined;
    found = { from: at + 2, to: statementEnd(source, at + 2) };
  }
  return found && readTable(source, found);
}

/** A loop over the table, or the number of its rows. */
function isUse(at: number, tokens: readonly GoToken[], loops: readonly GoLoop[]): boolean {
  return (
    loops.some(({ over }) => over.from === at && over.to === at + 1) ||
    (tokens[at - 2]?.text === 'len' && tokens[at - 1]?.text === '(' && tokens[at + 1]?.text === ')')
  );
}

/** Index behind `tests :=` or `var tests =`. */
function declaredAt(tokens: readonly GoToken[], at: number): number | undefined {
  const [next, second] = [tokens[at + 1]?.text, tokens[at + 2]?.text];
  if (tokens[at - 1]?.text === ',') return undefined;
  if (next === ':' && second === '=') return at + 3;
  return tokens[at - 1]?.text === 'var' && next === '=' ? at + 2 : undefined;
}

function readTable(source: GoSource, { from, to }: Span): GoTable | undefined {
  const { tokens } = source;
  const isMap = tokens[from]?.text === 'map';
  if (!isMap && tokens[from]?.text !== '[') return undefined;
  const written = readGoExpression(tokens, from, to);
  if (written.kind !== 'composite') return undefined;
  // The places of a list that are given by number are not counted here.
  if (!isMap && written.entries.some(({ key }) => key !== undefined)) return undefined;
  let type = closingAt(tokens, isMap ? from + 1 : from) + 1;
  if (tokens[type]?.text === '*') type++;
  const fields =
    tokens[type]?.text === 'struct' ? structFields(source, type + 1) : namedFields(source, tokens[type]);
  return { isMap, rows: written.entries, fields };
}

function namedFields(source: GoSource, name: GoToken | undefined): readonly string[] | undefined {
  const { tokens } = source;
  const declared: number[] = [];
  tokens.forEach(({ text }, at) => {
    if (text === name?.text && tokens[at - 1]?.text === 'type' && name?.kind === 'word') declared.push(at);
  });
  const [at, ...more] = declared;
  if (at === undefined || more.length > 0 || tokens[at + 1]?.text !== 'struct') return undefined;
  return structFields(source, at + 2);
}

/** Undefined where one is embedded, since then methods may come along. */
function structFields({ tokens, text }: GoSource, open: number): readonly string[] | undefined {
  if (tokens[open]?.text !== '{') return undefined;
  const close = closingAt(tokens, open);
  const names: string[] = [];
  for (let at = open + 1; at < close; at++) {
    if (tokens[at]?.text === ';') continue;
    const own: string[] = [];
    for (;;) {
      if (tokens[at]?.kind !== 'word') return undefined;
      own.push(tokens[at]?.text ?? '');
      if (tokens[at + 1]?.text !== ',') break;
      at += 2;
    }
    const type = at + 1;
    const end = (index: number): boolean => {
      const [last, next] = [tokens[index], tokens[index + 1]];
      return index + 1 >= close || next?.text === ';' || text.slice(last?.end, next?.start).includes('\n');
    };
    if (end(at) || tokens[type]?.text === '.') return undefined;
    at = type;
    for (;;) {
      if (/^[([{]$/.test(tokens[at]?.text ?? '')) at = closingAt(tokens, at);
      if (end(at)) break;
      at++;
    }
    names.push(...own);
  }
  return names;
}

/** What a row says of a field, or of itself; undefined where it does not say it. */
export function cellOf(
  { value }: GoRow,
  { fields }: GoTable,
  field: string | undefined,
): GoExpression | undefined {
  if (field === undefined) return value;
  if (value.kind !== 'composite') return undefined;
  const names = namesOf(value, fields);
  const index = names?.indexOf(field) ?? -1;
  return value.entries[index]?.value;
}

/** The names of what a row says, in the order in which it does; undefined where they cannot be told. */
export function namesOf(
  { entries }: Extract<GoExpression, { kind: 'composite' }>,
  fields: readonly string[] | undefined,
): readonly (string | undefined)[] | undefined {
  if (entries.some(({ key }) => key !== undefined)) return entries.map(({ name }) => name);
  return fields?.length === entries.length ? fields : undefined;
}
