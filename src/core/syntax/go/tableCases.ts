// The cases of a table test whose table stands in the file as literals: `for _, tc := range tests { t.Run(tc.name, …) }`.
import { closingAt, goText, type GoToken, type GoTokens } from './tokens.ts';

interface Case {
  readonly name: string;
  /** Offsets of the case in the text. */
  readonly start: number;
  readonly end: number;
}

/**
 * Cases in their order, or undefined when only a run can tell their names. `before` is the index of a token behind the table, `header`
 * what stands between `for` and the body, `title` the expression that names the subtest.
 */
export function casesOf(
  { tokens }: GoTokens,
  before: number,
  header: string,
  title: string,
): readonly Case[] | undefined {
  const loop = /^(\w+)(?:\s*,\s*(\w+))?\s*:=\s*range\s+(\w+)$/.exec(header);
  const [, key, value, table] = loop ?? [];
  if (table === undefined) return undefined;
  const field = value === undefined ? undefined : new RegExp(`^${value}\\.(\\w+)$`).exec(title)?.[1];
  if (field === undefined && title !== key && title !== value) return undefined;
  const open = literalOf(tokens, table, before);
  if (!open) return undefined;
  const cases: Case[] = [];
  for (const element of elementsOf(tokens, open.brace)) {
    const name =
      field === undefined ? plainName(element, title === key, open) : fieldOf(element, field, open);
    const [first, last] = [element[0], element.at(-1)];
    if (name === undefined || !first || !last) return undefined;
    cases.push({ name, start: first.start, end: last.end });
  }
  const distinct = new Set(cases.map(({ name }) => name));
  return cases.length > 0 && distinct.size === cases.length && !distinct.has('') ? cases : undefined;
}

interface Literal {
  readonly brace: number;
  readonly isMap: boolean;
  /** Names of the fields of a struct that is written in place, in order. */
  readonly fields: readonly string[];
}

/** The only composite literal that the name is given before the token. */
function literalOf(tokens: readonly GoToken[], name: string, before: number): Literal | undefined {
  let found: Literal | undefined;
  for (let at = 0; at < before; at++) {
    if (tokens[at]?.text !== name || tokens[at - 1]?.text === '.') continue;
    let from = at + 1;
    if (tokens[from]?.text === ':') from++;
    if (tokens[from]?.text !== '=') {
      // Changed by something else than being declared: `tests[0]`, `append(tests, …)`.
      if (found && tokens[at - 1]?.text !== 'range') found = undefined;
      continue;
    }
    from++;
    const isMap = tokens[from]?.text === 'map' && tokens[from + 1]?.text === '[';
    if (!isMap && tokens[from]?.text !== '[') return undefined;
    const type = closingAt(tokens, isMap ? from + 1 : from) + 1;
    const isStruct = tokens[type]?.text === 'struct' && tokens[type + 1]?.text === '{';
    const end = isStruct ? closingAt(tokens, type + 1) : type;
    let brace = end + 1;
    if (!isStruct) while (brace < before && /^[\w.*]+$/.test(tokens[brace]?.text ?? '')) brace++;
    if (tokens[brace]?.text !== '{') return undefined;
    found = { brace, isMap, fields: isStruct ? fieldsOf(tokens, type + 2, end) : [] };
    at = closingAt(tokens, brace);
  }
  return found;
}

/** Names of fields; none where a line is written in a way that is not read here. */
function fieldsOf(tokens: readonly GoToken[], from: number, to: number): readonly string[] {
  const names: string[] = [];
  for (let at = from; at < to; at++) {
    const token = tokens[at];
    if (token?.kind !== 'word') return [];
    names.push(token.text);
    while (tokens[at + 1]?.text === ',') {
      at += 2;
      names.push(tokens[at]?.text ?? '');
    }
    // The type: until the next name that no part of a type stands before.
    at++;
    for (let depth = true; depth && at < to; at++) {
      const text = tokens[at]?.text ?? '';
      if ('([{'.includes(text)) at = closingAt(tokens, at);
      const next = tokens[at + 1];
      depth = !(next?.kind === 'word' && !/^[.*\]]$|^(?:func|map|chan|struct|interface)$/.test(text));
    }
    at--;
  }
  return names;
}

/** The tokens of each element between the braces. */
function* elementsOf(tokens: readonly GoToken[], brace: number): Generator<readonly GoToken[]> {
  const close = closingAt(tokens, brace);
  let from = brace + 1;
  for (let at = from; at < close; at++) {
    const text = tokens[at]?.kind === 'mark' ? (tokens[at]?.text ?? '') : '';
    if (text === ',') {
      yield tokens.slice(from, at);
      from = at + 1;
    } else if (text !== '' && '([{'.includes(text)) at = closingAt(tokens, at);
  }
  if (from < close) yield tokens.slice(from, close);
}

function textOf(part: readonly GoToken[]): string | undefined {
  const [only, more] = part;
  return only?.kind === 'text' && more === undefined ? goText(only.text) : undefined;
}

/** The key of a map, or an element that is a string itself. */
function plainName(element: readonly GoToken[], isKey: boolean, { isMap }: Literal): string | undefined {
  if (isMap !== isKey) return undefined;
  return isMap ? textOf(element[1]?.text === ':' ? element.slice(0, 1) : []) : textOf(element);
}

function fieldOf(element: readonly GoToken[], field: string, { isMap, fields }: Literal): string | undefined {
  const value = isMap && element[1]?.text === ':' ? element.slice(2) : element;
  const brace = value.findIndex(({ text }) => text === '{');
  if (brace < 0) return undefined;
  const parts = [...elementsOf(value, brace)];
  const keyed = parts.find(([name, colon]) => name?.text === field && colon?.text === ':');
  if (keyed) return textOf(keyed.slice(2));
  if (parts.some(([, colon]) => colon?.text === ':')) return undefined;
  const index = fields.indexOf(field);
  return index < 0 ? undefined : textOf(parts[index] ?? []);
}
