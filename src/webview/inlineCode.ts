// Sentences with code between backticks, as the fixers write them: the code is set as code, and stays text.
import { element, type Child } from './dom.ts';

/** Code begins and ends where a word does; a backtick that may belong to the code itself stays as it is. */
const code = /(?<=^|[\s"':,;]|(?<!\w)\()`([^`\n]+)`(?=$|[\s"'.,:;?!)])/;

/** The text in pieces, code without its backticks. */
export function codePieces(text: string): { readonly text: string; readonly isCode: boolean }[] {
  return text
    .split(code)
    .map((piece, index) => ({ text: piece, isCode: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** Children for `element`. */
export function withCode(text: string): Child[] {
  return codePieces(text).map((piece) => (piece.isCode ? element('code', {}, piece.text) : piece.text));
}
