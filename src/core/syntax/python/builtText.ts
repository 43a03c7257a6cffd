// Texts that a test puts together: an f-string, `"…" % x`, `"…".format(x)`, `"…" + x`; their fixed parts with their places.
import type { SyntaxNode } from '@lezer/common';
import { childrenOf, unwrapPython, visitPython, type PythonSource } from './parsePython.ts';
import { readPythonLiteral } from './pythonLiteral.ts';

type TextPiece = FixedPiece | { readonly kind: 'inserted' };

/** What is written down between what is put in. */
export interface FixedPiece {
  readonly kind: 'fixed';
  readonly text: string;
  /** The text in the source, without quotes. */
  readonly from: number;
  readonly to: number;
  readonly quote: string;
  readonly raw: boolean;
  /** Signs that stand twice for one. */
  readonly doubled: 'braces' | 'percent' | 'none';
}

/** In their order; undefined for everything else, also for a text that nothing is put in or of which nothing is written down. */
export function builtText(whole: SyntaxNode, source: PythonSource): readonly TextPiece[] | undefined {
  const pieces = piecesOf(unwrapPython(whole), source);
  const isBuilt = pieces?.some(({ kind }) => kind === 'inserted') === true;
  return isBuilt && pieces.some((piece) => piece.kind === 'fixed' && piece.text.trim() !== '')
    ? pieces
    : undefined;
}

type Doubled = FixedPiece['doubled'];
type Pieces = readonly TextPiece[] | undefined;

function piecesOf(node: SyntaxNode, source: PythonSource): Pieces {
  const parts = childrenOf(node);
  const [first, second, third] = parts;
  if (node.name.endsWith('String')) return piecesOfTexts(node, 'none', source);
  if (node.name === 'BinaryExpression' && first && second && third && parts.length === 3) {
    const sign = source.textOf(second);
    if (sign === '%' && isText(first)) return piecesOfTexts(first, 'percent', source);
    if (sign === '+') return sumOf(first, third, source);
  }
  const [text, , method] = first?.name === 'MemberExpression' ? childrenOf(first) : [];
  if (node.name === 'CallExpression' && text && method && source.textOf(method) === 'format' && isText(text))
    return piecesOfTexts(text, 'braces', source);
  return undefined;
}

/** What is no text of its own is put in; a sum without any text is none of texts. */
function sumOf(left: SyntaxNode, right: SyntaxNode, source: PythonSource): Pieces {
  const sides = [left, right].map((side) => {
    const inner = unwrapPython(side);
    const isOpen = inner.name.endsWith('String') || inner.name === 'BinaryExpression';
    return isOpen ? piecesOf(inner, source) : [{ kind: 'inserted' } as const];
  });
  return sides.includes(undefined) ? undefined : sides.flatMap((side) => side ?? []);
}

/** `"…"` or `"…" "…"`, not an f-string. */
const isText = (node: SyntaxNode): boolean =>
  node.name === 'String' ||
  (node.name === 'ContinuedString' && childrenOf(node).every(({ name }) => name === 'String'));

function piecesOfTexts(node: SyntaxNode, doubled: Doubled, source: PythonSource): Pieces {
  const found: TextPiece[] = [];
  for (const part of node.name === 'ContinuedString' ? childrenOf(node) : [node]) {
    const pieces = piecesOfText(part, part.name === 'FormatString' ? 'braces' : doubled, source);
    if (pieces === undefined) return undefined;
    found.push(...pieces);
  }
  return found;
}

function piecesOfText(node: SyntaxNode, doubled: Doubled, source: PythonSource): Pieces {
  const whole = source.textOf(node);
  const [head = '', prefix = '', quote = ''] = /^([a-zA-Z]*)('''|"""|'|")/.exec(whole) ?? [];
  if (!/^(?:[rf]|rf|fr)?$/i.test(prefix) || !whole.endsWith(quote) || head === '') return undefined;
  const [start, end] = [node.from + head.length, node.to - quote.length];
  const fields =
    node.name === 'FormatString'
      ? fieldsInFormat(node)
      : doubled === 'none'
        ? []
        : fieldsIn(source.text.slice(start, end), start, doubled);
  const raw = /r/i.test(prefix);
  const pieces: TextPiece[] = [];
  let at = start;
  for (const field of [...fields, { from: end, to: end }]) {
    const text = fixedText(source.text.slice(at, field.from), { quote, raw, doubled });
    if (text === undefined || field.from < at) return undefined;
    pieces.push({ kind: 'fixed', text, from: at, to: field.from, quote, raw, doubled });
    if (field.from < end) pieces.push({ kind: 'inserted' });
    at = field.to;
  }
  return pieces;
}

interface Field {
  readonly from: number;
  readonly to: number;
}

function fieldsInFormat(node: SyntaxNode): readonly Field[] {
  const found: Field[] = [];
  visitPython(node, (inner) => {
    if (inner.name !== 'FormatReplacement') return true;
    found.push(inner);
    return false;
  });
  return found;
}

const tokens: Readonly<Record<Exclude<Doubled, 'none'>, RegExp>> = {
  braces: /\{\{|\}\}|\{[^{}]*\}/g,
  percent: /%%|%(?:\(\w+\))?[#0\- +]*\d*(?:\.\d+)?[hlL]?[diouxXeEfFgGcrsa]/g,
};

function fieldsIn(body: string, start: number, doubled: Exclude<Doubled, 'none'>): readonly Field[] {
  return [...body.matchAll(tokens[doubled])]
    .filter(([token]) => !/^(?:\{\{|\}\}|%%)$/.test(token))
    .map(({ 0: token, index }) => ({ from: start + index, to: start + index + token.length }));
}

/** Undefined where a sign stands alone that should stand twice, or is written by its number. */
function fixedText(
  body: string,
  { quote, raw, doubled }: Pick<FixedPiece, 'quote' | 'raw' | 'doubled'>,
): string | undefined {
  const single = {
    none: body,
    percent: body.replaceAll('%%', ''),
    braces: body.replaceAll(/\{\{|\}\}/g, ''),
  };
  const isOpen = { none: false, percent: single.percent.includes('%'), braces: /[{}]/.test(single.braces) };
  if (isOpen[doubled] || (doubled !== 'none' && !raw && /\\[xuUN0-7]/.test(body))) return undefined;
  const plain =
    doubled === 'percent'
      ? body.replaceAll('%%', '%')
      : doubled === 'braces'
        ? body.replaceAll('{{', '{').replaceAll('}}', '}')
        : body;
  const written = `${raw ? 'r' : ''}${quote}${plain}${quote}`;
  const literal = readPythonLiteral(written, 0, written.length);
  return literal?.kind === 'str' && literal.parts.length === 1 ? literal.value : undefined;
}
