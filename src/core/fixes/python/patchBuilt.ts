// The edits of a text that the test puts together: of its fixed parts, when what is put in between reappears in the new text.
import type { SyntaxNode } from '@lezer/common';
import { builtText, type FixedPiece } from '../../syntax/python/builtText.ts';
import type { PythonSource } from '../../syntax/python/parsePython.ts';
import type { PythonLiteral } from '../../syntax/python/pythonLiteral.ts';
import { newFixedTexts } from '../assertion/fixedTexts.ts';
import { refuse } from '../assertion/literalChange.ts';
import type { Edits, LiteralEdit } from './patchLiteral.ts';
import { escapeText } from './writeLiteral.ts';

/** Undefined when the expression is no such text. */
export function patchBuilt(
  node: SyntaxNode,
  expected: PythonLiteral | undefined,
  actual: PythonLiteral,
  source: PythonSource,
  path: string,
): Edits | undefined {
  const pieces = builtText(node, source);
  if (pieces === undefined) return undefined;
  if (expected?.kind !== 'str' || actual.kind !== 'str')
    return refuse('The test builds a string, but the actual value is not a string.');
  const texts = newFixedTexts(pieces, expected.value, actual.value);
  const fixed = pieces.filter((piece) => piece.kind === 'fixed');
  if (texts?.length !== fixed.length)
    return refuse(
      'The values that the test inserts into the text do not each appear exactly once in the new text.',
    );
  const edits: LiteralEdit[] = [];
  for (const [index, piece] of fixed.entries()) {
    const text = texts[index] ?? '';
    if (text === piece.text) continue;
    const newText = writePiece(piece, text);
    if (newText === undefined) return refuse('The new text cannot be written in the style of the old one.');
    edits.push({ start: piece.from, end: piece.to, newText, path });
  }
  return edits;
}

function writePiece({ quote, raw, doubled }: FixedPiece, text: string): string | undefined {
  const isLong = quote.length === 3;
  const sign = quote[0] ?? '"';
  if (raw && (text.includes(sign) || /\\$|[^\P{C}\n]/u.test(text) || (text.includes('\n') && !isLong)))
    return undefined;
  const written = raw ? text : escapeText(text, sign, false, isLong);
  if (doubled === 'percent') return written.replaceAll('%', '%%');
  return doubled === 'braces' ? written.replaceAll(/[{}]/g, '$&$&') : written;
}
