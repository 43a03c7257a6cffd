// Takes Go source apart into words, literals and marks; comments are left out, but remembered.

export interface GoToken {
  readonly kind: 'word' | 'text' | 'number' | 'mark';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface GoTokens {
  readonly tokens: readonly GoToken[];
  readonly comments: readonly { readonly text: string; readonly start: number }[];
}

const pattern =
  /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|`[^`]*(?:`|$)|"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|[\p{L}_][\p{L}\p{Nd}_]*|0[xX](?:[pP][+-]|[\w.])*|\.?\d(?:[eE][+-]|[\w.])*|\S/gu;

/** Never fails: what is broken ends with its line or with the text. */
export function goTokens(text: string): GoTokens {
  const tokens: GoToken[] = [];
  const comments: { text: string; start: number }[] = [];
  for (const found of text.matchAll(pattern)) {
    const [word] = found;
    const start = found.index;
    if (word.startsWith('//') || word.startsWith('/*')) comments.push({ text: word, start });
    else tokens.push({ kind: kindOf(word), text: word, start, end: start + word.length });
  }
  return { tokens, comments };
}

function kindOf(word: string): GoToken['kind'] {
  if (/^["`]/.test(word)) return 'text';
  if (/^\.?\d/.test(word) || word.startsWith("'")) return 'number';
  return /^[\p{L}_]/u.test(word) ? 'word' : 'mark';
}

interface Brackets {
  /** By the index of a bracket that opens: that of the one which closes it. */
  readonly closing: ReadonlyMap<number, number>;
  /** By the index of a token: that of the bracket around it; -1 outside of all. */
  readonly around: readonly number[];
  /** Indexes of the words, by what they are. */
  readonly words: ReadonlyMap<string, readonly number[]>;
}

/** Found once for each list of tokens: the same ones are asked for over and over. */
const known = new WeakMap<readonly GoToken[], Brackets>();

function bracketsOf(tokens: readonly GoToken[]): Brackets {
  const found = known.get(tokens);
  if (found !== undefined) return found;
  const closing = new Map<number, number>();
  const around: number[] = [];
  const open: number[] = [];
  const words = new Map<string, number[]>();
  for (const [at, { kind, text }] of tokens.entries()) {
    if (kind === 'word') {
      const same = words.get(text);
      if (same === undefined) words.set(text, [at]);
      else same.push(at);
    }
    const isClosing = kind === 'mark' && ')]}'.includes(text);
    const opened = isClosing ? open.pop() : undefined;
    if (opened !== undefined) closing.set(opened, at);
    around.push(open.at(-1) ?? -1);
    if (kind === 'mark' && '([{'.includes(text)) open.push(at);
  }
  const brackets = { closing, around, words };
  known.set(tokens, brackets);
  return brackets;
}

/** Index of the bracket that closes the one at `open`; the number of tokens where none does. */
export function closingAt(tokens: readonly GoToken[], open: number): number {
  return bracketsOf(tokens).closing.get(open) ?? tokens.length;
}

/** Index of the innermost bracket that is open around a token; -1 where none is. */
export function bracketAround(tokens: readonly GoToken[], at: number): number {
  return bracketsOf(tokens).around[at] ?? -1;
}

/** Indexes of every token that is this word. */
export function placesOf(tokens: readonly GoToken[], word: string): readonly number[] {
  return bracketsOf(tokens).words.get(word) ?? [];
}

/** The value of a string literal; undefined for one that is broken. */
export function goText(literal: string): string | undefined {
  if (literal.startsWith('`'))
    return literal.endsWith('`') ? literal.slice(1, -1).replaceAll('\r', '') : undefined;
  if (literal.length < 2 || !literal.endsWith('"')) return undefined;
  const simple: Readonly<Record<string, string>> = {
    a: '\u0007',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
    v: '\v',
  };
  return literal
    .slice(1, -1)
    .replace(
      /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))/g,
      (_all, x?: string, u?: string, long?: string, octal?: string, one = '') => {
        const hex = x ?? u ?? long;
        if (hex !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(hex, 16), 0x10ffff));
        if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
        return simple[one] ?? one;
      },
    );
}

/** The name of a subtest as `go test` prints it: white space becomes `_`, and what cannot be printed is written out. */
export function subtestName(text: string): string {
  return Array.from(text, (char) => {
    if (/\s/u.test(char)) return '_';
    if (!/[\p{C}\u2028\u2029]/u.test(char)) return char;
    const code = char.codePointAt(0) ?? 0;
    const short = new Map([
      [7, '\\a'],
      [8, '\\b'],
    ]).get(code);
    if (short !== undefined) return short;
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  }).join('');
}
