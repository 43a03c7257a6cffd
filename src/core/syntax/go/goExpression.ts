// Reads an expression of Go as far as it is written down: literals, and composite literals with literals in them.
import { closingAt, goText, type GoToken } from './tokens.ts';

export interface Span {
  /** Indexes of its first token and of the one behind it. */
  readonly from: number;
  readonly to: number;
}

export interface GoEntry {
  readonly key: Span | undefined;
  /** Of a field, or of a name that is a key. */
  readonly name: string | undefined;
  readonly value: GoExpression;
}

export type GoLeaf = Span &
  (
    | { readonly kind: 'string'; readonly value: string }
    /** `text`: as it is written, with its sign. */
    | { readonly kind: 'int' | 'float' | 'rune'; readonly text: string }
    | { readonly kind: 'bool'; readonly value: boolean }
  );

export type GoExpression =
  | GoLeaf
  /** `type`: the text before the brace; empty where Go lets it be left out. */
  | (Span & { readonly kind: 'composite'; readonly type: string; readonly entries: readonly GoEntry[] })
  | (Span & { readonly kind: 'other' });

/** What is nested deeper is not read. */
const deepest = 100;

export function readGoExpression(
  tokens: readonly GoToken[],
  from: number,
  to: number,
  depth = 0,
): GoExpression {
  const other: GoExpression = { kind: 'other', from, to };
  const [first, second] = [tokens[from], tokens[from + 1]];
  if (first === undefined || to <= from || depth > deepest) return other;
  if (to === from + 1) return leafOf(first, { from, to }) ?? other;
  if (to === from + 2 && /^[-+]$/.test(first.text) && second?.kind === 'number') {
    const leaf = leafOf(second, { from, to });
    if (leaf?.kind === 'int' || leaf?.kind === 'float')
      return { ...leaf, text: first.text === '-' ? `-${leaf.text}` : leaf.text };
    return other;
  }
  if (converted.test(first.text) && second?.text === '(' && closingAt(tokens, from + 1) === to - 1) {
    const inner = readGoExpression(tokens, from + 2, to - 1, depth + 1);
    return inner.kind === 'composite' ? other : inner;
  }
  const brace = braceOf(tokens, from, to);
  if (brace === undefined) return other;
  const type = tokens.slice(from, brace).map(({ text }) => text);
  const entries = partsOf(tokens, brace).map((part) => entryOf(tokens, part, depth + 1));
  return { kind: 'composite', type: type.join(''), entries, from, to };
}

/** Types that a literal may be turned into: what it says stays. */
const converted = /^(?:string|u?int(?:8|16|32|64)?|float(?:32|64)|byte|rune)$/;

function leafOf(token: GoToken, span: Span): GoLeaf | undefined {
  const { kind, text } = token;
  if (kind === 'word')
    return /^(?:true|false)$/.test(text) ? { kind: 'bool', value: text === 'true', ...span } : undefined;
  if (kind === 'text') {
    const value = plainText(text);
    return value === undefined ? undefined : { kind: 'string', value, ...span };
  }
  if (kind !== 'number' || text.endsWith('i')) return undefined;
  if (text.startsWith("'")) return { kind: 'rune', text, ...span };
  const isHex = /^0[xX]/.test(text);
  const isFloat = isHex ? /[.pP]/.test(text) : /[.eE]/.test(text);
  return { kind: isFloat ? 'float' : 'int', text, ...span };
}

/** Undefined for texts with bytes that stand for no character of their own. */
function plainText(literal: string): string | undefined {
  if (
    literal.startsWith('"') &&
    /\\(?:[xX][89a-fA-F]|[2-7]|[uU](?:0000)?[dD][89a-fA-F])/.test(literal.replace(/\\\\/g, ''))
  )
    return undefined;
  return goText(literal);
}

/** The brace of a composite literal that ends the tokens; what stands before it is a type, or nothing. */
function braceOf(tokens: readonly GoToken[], from: number, to: number): number | undefined {
  if (tokens[to - 1]?.text !== '}') return undefined;
  for (let at = from; at < to; at++) {
    const { kind, text } = tokens[at] ?? { kind: 'mark', text: '' };
    if (text === '{') {
      const isType = tokens[at - 1]?.text === 'struct' && at > from;
      const close = closingAt(tokens, at);
      if (!isType) return close === to - 1 ? at : undefined;
      at = close;
    } else if (text === '[') at = closingAt(tokens, at);
    else if (kind === 'word' ? /^(?:func|interface|chan|true|false|nil)$/.test(text) : !/^[.*&]$/.test(text))
      return undefined;
  }
  return undefined;
}

/** The parts between a bracket and the one that closes it, at its commas. */
export function partsOf(tokens: readonly GoToken[], open: number): readonly Span[] {
  return partsBetween(tokens, { from: open + 1, to: closingAt(tokens, open) });
}

/** The parts of a list of expressions, at its commas. */
export function partsBetween(tokens: readonly GoToken[], { from, to: close }: Span): readonly Span[] {
  const parts: Span[] = [];
  for (let at = from; at < close; at++) {
    const text = tokens[at]?.text ?? '';
    if (text === ',') {
      parts.push({ from, to: at });
      from = at + 1;
    } else if (/^[([{]$/.test(text)) at = closingAt(tokens, at);
  }
  if (from < close) parts.push({ from, to: close });
  return parts;
}

function entryOf(tokens: readonly GoToken[], { from, to }: Span, depth: number): GoEntry {
  for (let at = from; at < to; at++) {
    const text = tokens[at]?.text ?? '';
    if (text === ':') {
      const name = at === from + 1 && tokens[from]?.kind === 'word' ? tokens[from]?.text : undefined;
      return { key: { from, to: at }, name, value: readGoExpression(tokens, at + 1, to, depth) };
    }
    if (/^[([{]$/.test(text)) at = closingAt(tokens, at);
  }
  return { key: undefined, name: undefined, value: readGoExpression(tokens, from, to, depth) };
}

/** Every literal among the values of an expression; keys are none. */
export function leavesOf(expression: GoExpression): readonly GoLeaf[] {
  if (expression.kind === 'other') return [];
  if (expression.kind !== 'composite') return [expression];
  return expression.entries.flatMap(({ value }) => leavesOf(value));
}

/** The number that a literal stands for, as a text that is the same for the same number; undefined where it cannot be told. */
export function numberOf(text: string): string | undefined {
  if (text.startsWith("'")) {
    const inner = text.slice(1, -1);
    const value = inner === `\\'` ? "'" : inner === '"' ? '"' : plainText(`"${inner}"`);
    const [char, ...more] = Array.from(value ?? '');
    return text.length > 2 && text.endsWith("'") && char !== undefined && more.length === 0
      ? String(char.codePointAt(0))
      : undefined;
  }
  const sign = text.startsWith('-') ? '-' : '';
  const digits = text.slice(sign.length).replaceAll('_', '');
  if (/^(?:0[xXbBoO][\da-fA-F]+|\d+)$/.test(digits)) {
    const octal = /^0\d+$/.test(digits) ? `0o${digits.slice(1)}` : digits;
    try {
      const value = BigInt(octal);
      return value === 0n ? '0' : sign + value.toString();
    } catch {
      return undefined;
    }
  }
  if (!/^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(digits)) return undefined;
  const value = Number(digits);
  if (!Number.isFinite(value)) return undefined;
  return value === 0 ? '0' : sign + (Number.isSafeInteger(value) ? String(value) : value.toString());
}
