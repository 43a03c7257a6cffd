// Whether the tokens of a Go file can be trusted: brackets that fit, texts that end.
import type { GoSource } from './goSource.ts';

/** Offset of what is broken; undefined where nothing is. */
export function unreadableAt({ text, tokens, comments }: GoSource): number | undefined {
  const open: { readonly closedBy: string; readonly start: number }[] = [];
  for (const { kind, text: word, start } of tokens) {
    const isBroken =
      (kind === 'text' && (word.length < 2 || !word.endsWith(word[0] ?? ''))) ||
      (word.startsWith("'") && (word.length < 3 || !word.endsWith("'")));
    if (isBroken || (kind === 'number' && !isNumber(word)) || (word.startsWith('"') && !escapes.test(word)))
      return start;
    if (kind !== 'mark') continue;
    const index = '([{'.indexOf(word);
    if (index >= 0) open.push({ closedBy: ')]}'[index] ?? '', start });
    else if (')]}'.includes(word) && open.pop()?.closedBy !== word) return start;
    else if (!/^[-+*/%&|^<>=!~.,;:()[\]{}]$/.test(word)) return start;
  }
  const comment = comments.find((one) => one.text.startsWith('/*') && !one.text.endsWith('*/'));
  if (comment !== undefined) return comment.start;
  return open.at(-1)?.start ?? (text.includes('\0') ? text.indexOf('\0') : undefined);
}

const escape = String.raw`\\(?:[abfnrtv\\]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{3}|QUOTE)`;
const escapes = new RegExp(`^"[^"\\\\\n]*(?:${escape.replace('QUOTE', '"')}[^"\\\\\n]*)*"$`, 'u');
const rune = new RegExp(`^'(?:[^'\\\\\n]|${escape.replace('QUOTE', "'")})'$`, 'u');
/** Of whole numbers, fractions and runes; `i` ends an imaginary one. */
const number =
  /^(?:0[xX][\da-fA-F_]*\.?[\da-fA-F_]*(?:[pP][+-]?[\d_]+)?|0[bB][01_]+|0[oO]?[0-7_]+|(?:[\d_]+\.?[\d_]*|\.[\d_]+)(?:[eE][+-]?[\d_]+)?)i?$/;
const isNumber = (word: string): boolean => (word.startsWith("'") ? rune.test(word) : number.test(word));
