// Where somebody types in a scenario file, even while the text is not valid yet.
import { isMap, isScalar } from 'yaml';
import { dataOf, parseTolerantly, scalarsOf, type DataPath } from './documentTree.ts';

export interface Cursor {
  /** Of the object for the name of a field, of the value itself otherwise. */
  readonly path: DataPath;
  readonly at: 'key' | 'value';
  /** Of the whole file, with a placeholder for the word that is being typed. */
  readonly data: unknown;
  /** Fields that the object has already. */
  readonly present: readonly string[];
  /** Nothing else stands in the item of the list: it may become anything. */
  readonly isAlone: boolean;
  /** Offsets of the word that is being typed, without its quotes. */
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** Between brackets, as everything in JSON: no line breaks by indentation. */
  readonly isFlow: boolean;
  /** The name has its colon already. */
  readonly hasColon: boolean;
  /** Spaces before the word, dashes counted. */
  readonly indentation: string;
}

const mark = 'cUrSoR0mArK';

/** Undefined where no field and no value can be completed, as in a comment. */
export function cursorAt(text: string, offset: number): Cursor | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const newline = text.indexOf('\n', offset);
  const line = text.slice(lineStart, newline < 0 ? text.length : newline).replace(/\r$/, '');
  const before = line.slice(0, offset - lineStart);
  if (/(?:^|\s)#[^"']*$/.test(before)) return undefined;
  const word = wordAt(line, before);
  const [start, end] = [lineStart + word.start, lineStart + word.end];
  const rest = line.slice(word.end).replace(/^["']/, '');
  const hasColon = /^\s*:(?:\s|$)/.test(rest);
  const opensLine = /^\s*(?:-\s+)*["']?$/.test(line.slice(0, word.start));
  const forms =
    opensLine && !hasColon && !word.isQuoted ? [`${mark}: `, mark, `${mark},`] : [mark, `${mark},`];
  const tried = forms.flatMap((form) => {
    const document = parseTolerantly(text.slice(0, start) + form + text.slice(end));
    const found = scalarsOf(document).find(({ scalar }) => scalar.value === mark);
    return found ? [{ document, found }] : [];
  });
  const [best] = tried.sort((a, b) => a.document.errors.length - b.document.errors.length);
  if (!best) return undefined;
  const { document, found } = best;
  const items = isMap(found.map) ? found.map.items : [];
  const isKey = found.at === 'key';
  const path = isKey ? found.path.slice(0, -1) : found.path;
  return {
    path,
    at: found.at,
    data: dataOf(document),
    present: items.flatMap(({ key }) => (isScalar(key) && key.value !== mark ? [String(key.value)] : [])),
    isAlone: isKey && items.length === 1 && typeof path.at(-1) === 'number',
    start,
    end,
    isQuoted: word.isQuoted,
    isFlow: isKey ? found.map?.flow === true : isFlowBefore(line.slice(0, word.start)),
    hasColon,
    indentation: ' '.repeat(word.start),
  };
}

interface Word {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

/** The word before and behind the cursor, in columns of the line. */
function wordAt(line: string, before: string): Word {
  const quoted = openQuote(before);
  if (quoted !== undefined) {
    const closing = line.indexOf(line[quoted] ?? '', before.length);
    return { start: quoted + 1, end: closing < 0 ? line.length : closing, isQuoted: true };
  }
  const start = /^(?:.*(?:[{[,]|:\s|-\s)\s*|\s*)/.exec(before)?.[0].length ?? 0;
  const behind = /^[\w-]*/.exec(line.slice(before.length))?.[0].length ?? 0;
  return { start, end: before.length + behind, isQuoted: false };
}

/** Column of the quote that is still open. An apostrophe inside a word opens nothing. */
function openQuote(before: string): number | undefined {
  let open: number | undefined;
  for (let at = 0; at < before.length; at++) {
    const sign = before[at];
    if (open === undefined) {
      if ((sign === '"' || sign === "'") && /(?:^|[\s{[,:])$/.test(before.slice(0, at))) open = at;
    } else if (sign === '\\' && before[open] === '"') at++;
    else if (sign === before[open]) open = undefined;
  }
  return open;
}

const isFlowBefore = (before: string): boolean => /[{[]/.test(before.replace(/"[^"]*"|'[^']*'/g, ''));

/** A name between `{{` and the cursor: its offsets, and whether the braces are closed behind it. */
export function placeholderAt(
  text: string,
  offset: number,
): { readonly start: number; readonly end: number; readonly isClosed: boolean } | undefined {
  const before = /\{\{\s*([\w.[\]-]*)$/.exec(text.slice(Math.max(0, offset - 200), offset));
  if (!before) return undefined;
  const behind = text.slice(offset, offset + 200);
  const end = offset + (/^[\w.[\]-]*/.exec(behind)?.[0].length ?? 0);
  return {
    start: offset - (before[1]?.length ?? 0),
    end,
    isClosed: /^\s*\}\}/.test(text.slice(end, end + 50)),
  };
}
