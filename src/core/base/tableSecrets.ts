// Finds the secrets that another cell or attribute of the same table, list of values or tag gives away, and in elements.
import type { SecretPlace } from './knownSecrets.ts';
import { Sureness, surenessOf } from './secretNames.ts';
import { fits, tells } from './secretValues.ts';

/** Also of a text within code, where a line ends by an escape. */
const lineEnd = /\r?\n|\\r\\n|\\n/g;
const longestLine = 2_000;

interface Cell {
  readonly text: string;
  /** An offset in the text. */
  readonly start: number;
}

/** Each cell below the name of a secret, in CSV, TSV, Markdown and in the tables of test runners. */
export function* tableSecrets(text: string): Generator<SecretPlace> {
  let columns: readonly Sureness[] = [];
  let separator = '';
  let start = 0;
  for (const end of lineEnds(text)) {
    const line = text.slice(start, Math.min(end.at, start + longestLine));
    const cells = separator === '' ? [] : cellsOf(line, start, separator);
    if (cells.length > 1 && cells.length === columns.length) {
      for (const [index, cell] of cells.entries())
        if (/\w/.test(cell.text) && fits(cell.text.trim(), columns[index] ?? Sureness.none)) yield bare(cell);
    } else ({ columns, separator } = headerOf(line, start));
    start = end.next;
  }
}

function* lineEnds(text: string): Generator<{ readonly at: number; readonly next: number }> {
  for (const { index, 0: all } of text.matchAll(lineEnd)) yield { at: index, next: index + all.length };
  yield { at: text.length, next: text.length };
}

/**
 * A line of plain names, of which one is that of a secret. Code has a space behind its commas, too: below such ones only a value with the
 * looks of a secret counts.
 */
function headerOf(
  line: string,
  start: number,
): { readonly columns: readonly Sureness[]; readonly separator: string } {
  // In code it begins behind a quote.
  const quote = Math.max(...['"', "'", '`'].map((sign) => line.lastIndexOf(sign)));
  const names = line.slice(quote + 1);
  for (const separator of ['|', '\t', '\\t', ';', ',']) {
    if (!names.includes(separator)) continue;
    const isLoose = separator === '|' || separator.endsWith('t');
    const cells = cellsOf(names, start, separator);
    const isHeader =
      cells.length > 1 &&
      cells.every(({ text }) =>
        isLoose ? /^[\s*_]*\p{L}[\p{L}\d_ -]*[\s*]*$/u.test(text) : /^ ?[\p{L}_][\p{L}\d_-]*$/u.test(text),
      );
    if (!isHeader) continue;
    const told = cells.map(({ text }) => surenessOf(text.trim()));
    const most = isLoose || !/ /.test(names) ? Sureness.sure : Sureness.hinted;
    const columns = told.map((one) => Math.min(one, most));
    if (told.some((one) => one >= Sureness.worded)) return { columns, separator };
  }
  return { columns: [], separator: '' };
}

/** Without the empty ones at the ends of a line of Markdown. */
function cellsOf(line: string, start: number, separator: string): readonly Cell[] {
  const cells: Cell[] = [];
  let at = start;
  for (const text of line.split(separator)) {
    cells.push({ text, start: at });
    at += text.length + separator.length;
  }
  if (separator !== '|') return cells;
  if (cells[0]?.text.trim() === '') cells.shift();
  if (cells.at(-1)?.text.trim() === '') cells.pop();
  return cells;
}

/** Without spaces, quotes, and what makes a value of it in a template; it ends where the text in code does. */
function bare({ text, start }: Cell): SecretPlace {
  const open = /^(?:\s|\$\{|\\?["'`])*/.exec(text)?.[0].length ?? 0;
  const inner = /^[^"'`\\}]*/.exec(text.slice(open))?.[0].trimEnd() ?? '';
  return { start: start + open, end: start + open + inner.length };
}

/** `<input type="password" value="X">`, `<add key="ApiSecret" value="X"/>`, `<db:password type="x">X</db:password>`. */
export function* tagSecrets(text: string): Generator<SecretPlace> {
  for (const { index: at, 0: tag } of text.matchAll(/<\w[^<>]{1,500}>/g)) {
    const attributes = [
      ...tag.matchAll(/\b([\w:-]{1,40}\s*=\s*(?:\\?["'])?)((?<=["'])[^"'\\<>]*|[^\s"'\\<>]+)/g),
    ];
    const told = Math.max(...attributes.map(([, , value = '']) => surenessOf(value)));
    if (told < Sureness.worded) continue;
    for (const { index, 1: key = '', 2: value = '' } of attributes)
      if (/^(?:value|content|default)\b/i.test(key) && value !== '' && fits(value, told))
        yield { start: at + index + key.length, end: at + index + key.length + value.length };
  }
  for (const { index, 1: open = '', 2: name = '', 3: value = '' } of text.matchAll(elements)) {
    const start = index + open.length;
    if (tells(name, value.trim())) yield { start, end: start + value.length };
  }
}

const elements = /(<(?:[\w.-]{1,40}:)?([\w.-]{2,60})(?:\s[^<>]{0,300})?>\s*)([^<{\s][^<]{0,500}?)(?=\s*<\/)/g;
