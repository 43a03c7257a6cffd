// What the grammar takes for an error though Python does not, in a form that it knows. Every place in the text stays where it is.

/**
 * A mark of the byte order and other signs that are no text, `yield` without a value, `for *a, b in`, numbers such as `1.`, `case str():`,
 * `\{{` in a text, `with f() as (a, b):`, and `with (…):` around several.
 */
export function asTheGrammarKnows(text: string): string {
  const known = text
    .replace(/^\uFEFF/, '\n')
    .replaceAll('\f', ' ')
    .replace(/^([ \t]*)yield(?=[ \t]*(?:#.*)?\r?$)/gm, '$1pass ')
    .replace(/([=(][ \t]*)yield(?=[ \t]*(?:\)|(?:#.*)?\r?$))/gm, '$1None ')
    .replace(/\bfor\b((?:(?!\bin\b)[^:\n])*?)\*(?=\w)/g, 'for$1 ')
    .replace(/(\d)\.(?![\w.])/g, '$11')
    .replace(/\\(?=\{\{)/g, ' ')
    .replace(/^[ \t]*case\b.*$/gm, (line) => line.replace(/\([ \t]*\)/g, blank))
    // Each of the names becomes an expression of its own: nothing takes them for more than a use.
    .replace(
      /\bas[ \t]*\(([\w\s,.]*)\)(?=\s*[:,])/g,
      (all, names: string) => `as ${names.padEnd(all.length - 3)}`,
    );
  return openedWiths(known);
}

const blank = (text: string): string => text.replace(/[^]/g, ' ');

/** `with (a as b, c as d):` without the parentheses and on one line. */
function openedWiths(text: string): string {
  let known = text;
  for (const { index } of text.matchAll(/^[ \t]*(?:async[ \t]+)?with[ \t]*\(/gm)) {
    const open = text.indexOf('(', index);
    const items = itemsIn(known, open);
    if (items === undefined || !/\bas\b/.test(items.top)) continue;
    const inner = items.top.replace(/,(\s*)$/, ' $1');
    known = `${known.slice(0, open)} ${joined(known.slice(open + 1, items.close), inner)} ${known.slice(items.close + 1)}`;
  }
  return known;
}

/** The text with everything blank that is blank at the top, and without the ends of its lines there. */
const joined = (whole: string, top: string): string =>
  Array.from({ length: whole.length }, (_, at) => {
    const sign = top[at] ?? ' ';
    return sign === inside ? (whole[at] ?? ' ') : /\s/.test(sign) ? ' ' : sign;
  }).join('');

/** Stands for what is in parentheses or in a text. */
const inside = '\0';

interface Items {
  /** What stands between the parentheses and in no further ones; comments are blank. */
  readonly top: string;
  readonly close: number;
}

/** Undefined where the parenthesis does not end right before a `:`. */
function itemsIn(text: string, open: number): Items | undefined {
  const token =
    /#[^\n]*|("""|''')(?:\\[^]|(?!\1)[^])*\1|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'|[([{]|[)\]}]|[^]/gy;
  token.lastIndex = open + 1;
  let depth = 0;
  let top = '';
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [piece] = match;
    if (/^[)\]}]/.test(piece) && depth-- === 0)
      return /^[ \t]*:/.test(text.slice(token.lastIndex)) ? { top, close: match.index } : undefined;
    const isTop = depth === 0 && /^[^"'([{]/.test(piece);
    top += piece.startsWith('#')
      ? blank(piece)
      : isTop && !/^[)\]}]/.test(piece)
        ? piece
        : inside.repeat(piece.length);
    if (/^[([{]/.test(piece)) depth++;
  }
  return undefined;
}
