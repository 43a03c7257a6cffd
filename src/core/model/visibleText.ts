// Makes characters visible that would hide, reorder or end text: what is shown is what stands in the file.

/**
 * Control characters but line ends and tabs, marks that change the direction of what follows, and characters without a width.
 * Joiners stay: scripts and emoji need them.
 */
const hidden =
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** The text with such characters as escapes, as a source file would write them: `\u202e`. */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(hidden, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * Quoted code or a value on one line: line breaks with their indentation become a blank, each other blank stays, and what would be
 * taken for one is an escape: `\t`, `\u00a0`. The wide blank of East Asian text is no other's like.
 */
export function codeLine(text: string): string {
  return visibleText(text.replace(/\s*\n\s*/g, ' '))
    .replaceAll('\t', String.raw`\t`)
    .replace(/[^\S \u3000]/g, (blank) => `\\u${blank.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** On one line and at most `length` characters long; the rest becomes an ellipsis. */
export function oneLine(text: string, length: number): string {
  const flat = text.replace(/\s*\n\s*/g, ' ⏎ ').trim();
  return flat.length <= length ? flat : `${flat.slice(0, length - 1).trimEnd()}…`;
}

/** What a label has room for: both of the above. */
export function shownLine(text: string, length = 300): string {
  return oneLine(visibleText(text), length);
}
