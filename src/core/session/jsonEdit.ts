// Sets one value in the text of a JSON document that others keep as well: everything else stays byte by byte as it was.

/** Names of members and indexes of elements, from the outside in. */
export type JsonPath = readonly (string | number)[];

/**
 * The text with the value at the path; objects that are missing on the way are made, in the document's own indentation. `text` is
 * valid JSON, a mark of the byte order before it included. Undefined when what lies on the way can hold no such member.
 */
export function setInJson(text: string, path: JsonPath, value: unknown): string | undefined {
  const start = skipSpace(text, text.startsWith('\uFEFF') ? 1 : 0);
  return setBelow(
    { text, unit: unitOf(text), eol: text.includes('\r\n') ? '\r\n' : '\n' },
    start,
    path,
    value,
  );
}

interface Document {
  readonly text: string;
  /** One step of indentation; empty when all is on one line. */
  readonly unit: string;
  readonly eol: string;
}

interface Entry {
  readonly key: string | number;
  /** Where the member begins: its name, or the element. */
  readonly start: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

function setBelow(document: Document, start: number, path: JsonPath, value: unknown): string | undefined {
  const { text } = document;
  const [key, ...rest] = path;
  const open = text[start];
  if (key === undefined || (open !== '{' && open !== '[')) return undefined;
  const all = entriesOf(text, start);
  // Of members with the same name the last one counts, as for every reader of JSON.
  const found = all.findLast((entry) => entry.key === key);
  if (found !== undefined) {
    const isNull = text.slice(found.valueStart, found.valueEnd) === 'null';
    if (rest.length > 0 && !isNull) return setBelow(document, found.valueStart, rest, value);
    const margin = isOnOwnLine(text, found.start) ? marginOf(text, found.start) : undefined;
    return (
      text.slice(0, found.valueStart) +
      valueText(nested(rest, value), margin, document) +
      text.slice(found.valueEnd)
    );
  }
  if (open === '[' || typeof key !== 'string') return undefined;
  return insertMember(document, start, all, key, nested(rest, value));
}

function insertMember(
  document: Document,
  start: number,
  all: readonly Entry[],
  key: string,
  value: unknown,
): string {
  const { text, unit, eol } = document;
  const last = all.at(-1);
  if (last === undefined) {
    const end = endOfValue(text, start);
    const outer = marginOf(text, start);
    if (unit === '')
      return `${text.slice(0, start)}{"${escaped(key)}":${valueText(value, undefined, document)}}${text.slice(end)}`;
    const margin = outer + unit;
    const member = `${margin}"${escaped(key)}": ${valueText(value, margin, document)}`;
    return `${text.slice(0, start)}{${eol}${member}${eol}${outer}}${text.slice(end)}`;
  }
  const margin = isOnOwnLine(text, last.start) ? marginOf(text, last.start) : undefined;
  const colon = /^"(?:[^"\\]|\\.)*"\s*:(\s*)/.exec(text.slice(last.start, last.valueStart))?.[1] ?? ' ';
  const gap = margin === undefined ? (colon === '' ? '' : ' ') : eol + margin;
  const member = `,${gap}"${escaped(key)}":${colon === '' ? '' : ' '}${valueText(value, margin, document)}`;
  return text.slice(0, last.valueEnd) + member + text.slice(last.valueEnd);
}

const escaped = (key: string): string => JSON.stringify(key).slice(1, -1);

/** On several lines where the member stands on a line of its own. */
function valueText(value: unknown, margin: string | undefined, { unit, eol }: Document): string {
  if (margin === undefined) return JSON.stringify(value);
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + margin);
}

const nested = (path: JsonPath, value: unknown): unknown =>
  path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);

/** The members of the object, or the elements of the array, that begins here. */
function entriesOf(text: string, start: number): readonly Entry[] {
  const isObject = text[start] === '{';
  const found: Entry[] = [];
  for (let at = skipSpace(text, start + 1); text[at] !== '}' && text[at] !== ']';) {
    const nameEnd = isObject ? endOfValue(text, at) : at;
    const valueStart = isObject ? skipSpace(text, skipSpace(text, nameEnd) + 1) : at;
    const valueEnd = endOfValue(text, valueStart);
    const key = isObject ? String(JSON.parse(text.slice(at, nameEnd))) : found.length;
    found.push({ key, start: at, valueStart, valueEnd });
    at = skipSpace(text, valueEnd);
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return found;
}

/** Behind the value that begins here. Works through the text once, however deep it goes. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length;) {
    const one = text[at];
    if (one === '"') at = endOfString(text, at);
    else if (one === '{' || one === '[') {
      depth++;
      at++;
    } else if (one === '}' || one === ']') {
      depth--;
      at++;
    } else if (depth > 0) at++;
    else return endOfWord(text, at);
    if (depth === 0) return at;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function endOfWord(text: string, start: number): number {
  let at = start;
  while (at < text.length && !/[\s,\]}]/.test(text[at] ?? '')) at++;
  return at;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text[at] ?? 'x')) at++;
  return at;
}

const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? (text.trim() === '{}' ? '  ' : '');

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

const isOnOwnLine = (text: string, at: number): boolean =>
  lineStart(text, at) > 0 && text.slice(lineStart(text, at), at).trim() === '';

const marginOf = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(lineStart(text, at), at))?.[0] ?? '';
