// Writes a value as a literal of Go, in the way that the literal in whose place it stands was written.
import type { Value } from '../../model/value.ts';
import { numberOf, readGoExpression, type GoLeaf } from '../../syntax/go/goExpression.ts';
import { goTokens } from '../../syntax/go/tokens.ts';
import { refuse, type Refusal } from '../assertion/literalChange.ts';

/** `like`: the old literal, `written` its text. What is written reads as the value again, or there is nothing. */
export function writeGoLiteral(value: Value, like: GoLeaf, written: string): string | Refusal {
  const text = literalOf(value, like, written);
  if (text === undefined) return refuse(`The actual value cannot replace ${written}.`);
  const { tokens } = goTokens(text);
  const read = readGoExpression(tokens, 0, tokens.length);
  return saysValue(read.kind === 'composite' || read.kind === 'other' ? undefined : read, value)
    ? text
    : refuse(`The actual value cannot replace ${written}.`);
}

/** Does the literal stand for the value? */
export function saysValue(leaf: GoLeaf | undefined, value: Value): boolean {
  if (leaf === undefined) return false;
  if (leaf.kind === 'string') return value.kind === 'string' && value.value === leaf.value;
  if (leaf.kind === 'bool') return value.kind === 'boolean' && value.value === leaf.value;
  const number = numberOf(leaf.text);
  return value.kind === 'number' && number !== undefined && number === numberOf(value.text);
}

function literalOf(value: Value, like: GoLeaf, written: string): string | undefined {
  if (like.kind === 'string') return value.kind === 'string' ? textOf(value.value, written) : undefined;
  if (like.kind === 'bool') return value.kind === 'boolean' ? String(value.value) : undefined;
  if (value.kind !== 'number' || !/^-?[\d.]+(?:e[+-]?\d+)?$/.test(value.text)) return undefined;
  // Go has no literal for the negative zero, which is equal to zero.
  if (value.text === '-0') return like.kind === 'float' ? '0.0' : '0';
  if (like.kind === 'rune') return runeOf(Number(value.text));
  const isWhole = /^-?\d+$/.test(value.text);
  if (isWhole && /^0[xX]/.test(written) && !value.text.startsWith('-')) {
    const digits = BigInt(value.text).toString(16);
    return written.slice(0, 2) + (/[A-F]/.test(written.slice(2)) ? digits.toUpperCase() : digits);
  }
  return like.kind === 'float' && isWhole ? `${value.text}.0` : value.text;
}

function runeOf(code: number): string | undefined {
  if (!Number.isInteger(code) || code < 0 || code > 0x10_ffff || (code >= 0xd800 && code < 0xe000))
    return undefined;
  const char = String.fromCodePoint(code);
  return char === "'" ? `'\\''` : char === '"' ? `'"'` : `'${escaped(char)}'`;
}

/** Between back quotes where the old text stood there and the new one can. */
function textOf(value: string, written: string): string {
  if (written.startsWith('`') && !/[`\r\uFEFF]|[^\P{C}\n\t]/u.test(value)) return `\`${value}\``;
  return `"${escaped(value)}"`;
}

function escaped(value: string): string {
  const names: Readonly<Record<string, string>> = {
    '\n': '\\n',
    '\r': '\\r',
    '\t': '\\t',
    '\\': '\\\\',
    '"': '\\"',
  };
  return Array.from(value, (char) => {
    const name = names[char];
    if (name !== undefined) return name;
    if (!/[\p{C}\u2028\u2029]/u.test(char)) return char;
    const code = char.codePointAt(0) ?? 0;
    if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code < 0x1_0000
      ? `\\u${code.toString(16).padStart(4, '0')}`
      : `\\U${code.toString(16).padStart(8, '0')}`;
  }).join('');
}
