// Values as source text: new literals in the style of the old ones, and what a literal already says.
import ts from 'typescript';
import type { Value } from '../../model/value.ts';
import { bareClass, isBareMark } from './bareObjects.ts';
import { unwrap, type TextStyle } from './sourceTree.ts';

/** Longest line that a new object or array is written on. */
const lineWidth = 72;

/**
 * Source text of a value, or undefined when it has no literal (functions, class instances, what was cut off). An object without a
 * prototype has one where the file writes such objects.
 */
export function valueSource(value: Value, style: TextStyle, baseIndent = ''): string | undefined {
  switch (value.kind) {
    case 'undefined':
    case 'null':
      return value.kind;
    case 'boolean':
      return String(value.value);
    case 'number':
    case 'bigint':
      return value.text;
    case 'string':
      return stringSource(value.value, quoteFor(value.value, style.quote, style.json));
    case 'regexp':
      return `/${value.source}/${value.flags}`;
    case 'date':
      return value.iso === 'Invalid Date' ? undefined : `new Date(${stringSource(value.iso, style.quote)})`;
    case 'array':
      return listSource(value.items, ['[', ']'], style, baseIndent, (item, indent) =>
        valueSource(item, style, indent),
      );
    case 'object':
      return objectSource(value, style, baseIndent);
    case 'set': {
      const items = valueSource({ kind: 'array', items: value.items }, style, baseIndent);
      return items === undefined ? undefined : `new Set(${items})`;
    }
    case 'map': {
      const pairs = value.entries.map((pair): Value => ({ kind: 'array', items: pair }));
      const items = valueSource({ kind: 'array', items: pairs }, style, baseIndent);
      return items === undefined ? undefined : `new Map(${items})`;
    }
    case 'error':
    case 'opaque':
      return undefined;
  }
}

function objectSource(
  { className, entries }: Value & { kind: 'object' },
  style: TextStyle,
  baseIndent: string,
): string | undefined {
  const bare = className === bareClass ? style.bare : undefined;
  if ((className !== undefined && bare === undefined) || !entries.every(([key]) => hasKeySource(key, style)))
    return undefined;
  const parts: readonly (readonly [string, Value])[] = bare === 'mark' ? [bareMark, ...entries] : entries;
  const source = listSource(parts, ['{', '}'], style, baseIndent, (part, indent) => {
    const [key, item] = part;
    const inner = valueSource(item, style, indent);
    const name = part === bareMark ? key : keySource(key, style);
    return inner === undefined ? undefined : `${name}: ${inner}`;
  });
  return source === undefined || bare !== 'copy' ? source : `Object.assign(Object.create(null), ${source})`;
}

const bareMark: readonly [string, Value] = ['__proto__', { kind: 'null' }];

function listSource<T>(
  items: readonly T[],
  [open, close]: readonly [string, string],
  style: TextStyle,
  baseIndent: string,
  render: (item: T, indent: string) => string | undefined,
): string | undefined {
  if (items.length === 0) return open + close;
  const indent = baseIndent + style.indent;
  const sources = items.map((item) => render(item, indent));
  if (sources.some((source) => source === undefined)) return undefined;
  const pad = open === '{' && style.spaced ? ' ' : '';
  const line = open + pad + sources.join(', ') + pad + close;
  if (baseIndent.length + line.length <= lineWidth && !line.includes('\n')) return line;
  const end = style.json ? '' : ',';
  return `${open}${style.eol}${indent}${sources.join(`,${style.eol}${indent}`)}${end}${style.eol}${baseIndent}${close}`;
}

const registered = '@@for:';

/** False for symbols that no literal can name. */
export function hasKeySource(key: string, style: TextStyle): boolean {
  return !key.startsWith('@@') || (key.startsWith(registered) && !style.json);
}

/** A property name, quoted where it has to be; symbols only where `hasKeySource` says so. */
export function keySource(key: string, style: TextStyle): string {
  if (key.startsWith(registered))
    return `[Symbol.for(${stringSource(key.slice(registered.length), style.quote)})]`;
  // Written plainly it would be the prototype.
  if (key === '__proto__' && !style.json) return `[${stringSource(key, style.quote)}]`;
  if (
    !style.json &&
    (/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) || /^(?:0|[1-9]\d{0,14})$/.test(key))
  )
    return key;
  return stringSource(key, style.quote);
}

export type Quote = "'" | '"' | '`';

/** The quote a literal's source begins with; a single one for everything else. */
export function quoteOf(source: string): Quote {
  const first = source.charAt(0);
  return first === '"' || first === '`' ? first : "'";
}

/** Is a text, number, truth value or null written out? */
export function isLiteral(node: ts.Expression): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node) ||
    node.kind === ts.SyntaxKind.TrueKeyword ||
    node.kind === ts.SyntaxKind.FalseKeyword ||
    node.kind === ts.SyntaxKind.NullKeyword
  );
}

/** The quotes that were meant, or the other ones where only they need no escape. JSON knows but one kind. */
function quoteFor(text: string, meant: Quote, json: boolean): Quote {
  if (json || meant === '`' || !text.includes(meant)) return meant;
  const other = meant === "'" ? '"' : "'";
  return text.includes(other) ? meant : other;
}

/** The quotes of the literal `old` for another text; a literal with an escaped quote shows that its file wants it so. */
export function quoteInPlaceOf(old: string, text: string, json: boolean): Quote {
  const quote = quoteOf(old);
  return old.includes(`\\${quote}`) ? quote : quoteFor(text, quote, json);
}

export function stringSource(value: string, quote: Quote): string {
  return quote + escapeText(value, quote) + quote;
}

/** Escapes for the inside of a literal. `newline` is what a line break becomes; by default an escape. */
function escapeText(text: string, quote: Quote, newline = '\\n'): string {
  let result = '';
  for (let index = 0; index < text.length; index++) {
    const character = text.charAt(index);
    const next = text.charAt(index + 1);
    if (character === '\\') result += '\\\\';
    else if (character === quote) result += '\\' + quote;
    else if (character === '$' && next === '{' && quote === '`') result += '\\$';
    else if (character === '\n') result += newline;
    else result += escapes.get(character) ?? escapeUnprintable(character, next);
  }
  return result;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\v', '\\v'],
  ['\u2028', '\\u2028'],
  ['\u2029', '\\u2029'],
]);

function escapeUnprintable(character: string, next: string): string {
  const code = character.charCodeAt(0);
  if (code === 0) return /\d/.test(next) ? '\\x00' : '\\0';
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return `\\x${code.toString(16).padStart(2, '0')}`;
  return invisible.test(character) ? `\\u${code.toString(16).padStart(4, '0')}` : character;
}

/** Characters without a width, and those that turn the direction of what follows: a reader would see another text. */
const invisible = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/;

/**
 * The inside of a string or template literal, rewritten to a new text: what stays at its beginning and its end stays as it is
 * written there. Undefined when the inside cannot be read (a broken escape).
 */
export function rewriteText(raw: string, quote: Quote, text: string, eol: string): string | undefined {
  const units = textUnits(raw);
  if (units === undefined) return undefined;
  const wanted = Array.from(text);
  let start = 0;
  while (start < units.length && start < wanted.length && units[start]?.text === wanted[start]) start++;
  let end = 0;
  while (
    end < units.length - start &&
    end < wanted.length - start &&
    units[units.length - 1 - end]?.text === wanted[wanted.length - 1 - end]
  )
    end++;
  const newline = quote === '`' && /\r|\n/.test(raw) ? eol : '\\n';
  const middle = escapeText(wanted.slice(start, wanted.length - end).join(''), quote, newline);
  const head = units.slice(0, start).map((unit) => unit.raw);
  const tail = units.slice(units.length - end).map((unit) => unit.raw);
  // A `$` kept at the end of one part must not meet a `{` that begins the next, nor `\0` a digit.
  const joined = [head.join(''), middle, tail.join('')].filter((part) => part !== '');
  return joined.reduce((left, right) => {
    if (quote === '`' && /(?:^|[^\\])(?:\\\\)*\$$/.test(left) && right.startsWith('{'))
      return `${left.slice(0, -1)}\\$${right}`;
    return left.endsWith('\\0') && /^\d/.test(right) ? `${left.slice(0, -2)}\\x00${right}` : left + right;
  }, '');
}

/** The characters of a literal with the way each is written. */
function textUnits(raw: string): { raw: string; text: string }[] | undefined {
  const units: { raw: string; text: string }[] = [];
  const pattern =
    /\\u\{[\da-fA-F]+\}|(?:\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2})|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\\r\n|\\[\s\S]|\r\n|[\s\S]/gu;
  for (const [part] of raw.matchAll(pattern)) {
    const text = unitText(part);
    if (text === undefined) return undefined;
    units.push({ raw: part, text });
  }
  return units;
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
  ['\n', ''],
  ['\r\n', ''],
  ['\r', ''],
]);

function unitText(part: string): string | undefined {
  if (!part.startsWith('\\')) return part === '\r\n' || part === '\r' ? '\n' : part;
  const rest = part.slice(1);
  if (/^[ux]./.test(rest)) {
    const codes = [...part.matchAll(/\\[ux]\{?([\da-fA-F]+)\}?/g)].map((match) =>
      Number.parseInt(match[1] ?? '', 16),
    );
    return part.startsWith('\\u{') ? String.fromCodePoint(...codes) : String.fromCharCode(...codes);
  }
  if (rest === 'u' || rest === 'x' || /^[1-9]/.test(rest)) return undefined;
  return simpleEscapes.get(rest) ?? rest;
}

/** A number in the manner of the old literal: separators, hexadecimal and fixed decimals stay where they can. */
export function numberSource(text: string, like: string): string {
  if (text.startsWith('-')) return `-${numberSource(text.slice(1), like.replace(/^-\s*/, ''))}`;
  if (!/^\d+(?:\.\d+)?$/.test(text)) return text;
  const hex = /^0([xX])[\da-fA-F_]+$/.exec(like);
  if (hex !== null && /^\d+$/.test(text)) {
    const digits = Number(text).toString(16);
    return `0${hex[1]}${(/[A-F]/.test(like) ? digits.toUpperCase() : digits).padStart(like.length - 2, '0')}`;
  }
  const [whole = '', fraction = ''] = text.split('.');
  const old = /^[\d_]+\.(\d*0)$/.exec(like)?.[1] ?? '';
  const decimals = fraction.length < old.length ? fraction.padEnd(old.length, '0') : fraction;
  const grouped = /^\d{1,3}(?:_\d{3})+/.test(like) ? whole.replace(/\B(?=(?:\d{3})+$)/g, '_') : whole;
  return decimals === '' ? grouped : `${grouped}.${decimals}`;
}

/** The value a literal stands for, without running anything; undefined when it is no pure literal. */
export function staticValue(expression: ts.Expression): Value | undefined {
  const node = unwrap(expression);
  if (ts.isStringLiteralLike(node)) return { kind: 'string', value: node.text };
  if (ts.isNumericLiteral(node)) return { kind: 'number', text: String(Number(node.text)) };
  if (ts.isBigIntLiteral(node))
    return { kind: 'bigint', text: `${BigInt(node.text.slice(0, -1).replaceAll('_', ''))}n` };
  switch (node.kind) {
    case ts.SyntaxKind.TrueKeyword:
      return { kind: 'boolean', value: true };
    case ts.SyntaxKind.FalseKeyword:
      return { kind: 'boolean', value: false };
    case ts.SyntaxKind.NullKeyword:
      return { kind: 'null' };
    default:
  }
  if (ts.isIdentifier(node)) {
    if (node.text === 'undefined') return { kind: 'undefined' };
    return node.text === 'NaN' || node.text === 'Infinity' ? { kind: 'number', text: node.text } : undefined;
  }
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken) {
    const inner = staticValue(node.operand);
    return inner?.kind === 'number' || inner?.kind === 'bigint'
      ? { ...inner, text: `-${inner.text}` }
      : undefined;
  }
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map((element) => staticValue(element));
    return items.every((item) => item !== undefined) ? { kind: 'array', items } : undefined;
  }
  if (ts.isObjectLiteralExpression(node)) {
    const entries: [string, Value][] = [];
    for (const property of node.properties) {
      if (isBareMark(property)) continue;
      const key = ts.isPropertyAssignment(property) ? propertyKey(property.name) : undefined;
      const value = ts.isPropertyAssignment(property) ? staticValue(property.initializer) : undefined;
      if (key === undefined || value === undefined) return undefined;
      entries.push([key, value]);
    }
    return { kind: 'object', entries };
  }
  return undefined;
}

/** A property's name when it is written out. */
export function propertyKey(name: ts.PropertyName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) return name.text;
  if (ts.isNumericLiteral(name)) return String(Number(name.text));
  if (ts.isComputedPropertyName(name)) {
    const symbol = registeredSymbol(name.expression);
    if (symbol !== undefined) return registered + symbol;
    const value = staticValue(name.expression);
    if (value?.kind === 'string') return value.value;
    return value?.kind === 'number' ? value.text : undefined;
  }
  return undefined;
}

/** The name in `Symbol.for('name')`. */
function registeredSymbol(expression: ts.Expression): string | undefined {
  const node = unwrap(expression);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: owner, name } = node.expression;
  const value = node.arguments[0] && staticValue(node.arguments[0]);
  const isRegistry = ts.isIdentifier(owner) && owner.text === 'Symbol' && name.text === 'for';
  return isRegistry && value?.kind === 'string' ? value.value : undefined;
}
