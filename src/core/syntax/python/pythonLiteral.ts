// Reads a literal of Python strictly: only what is certainly a value written down, each part with its place.

export type PythonLiteral = {
  /** Offsets into the text; of parentheses around one value only the value. */
  readonly start: number;
  readonly end: number;
} & (
  | { readonly kind: 'none' }
  | { readonly kind: 'bool'; readonly value: boolean }
  /** Canonical: digits without underscores, as the shortest float. */
  | { readonly kind: 'int' | 'float'; readonly value: string }
  | { readonly kind: 'str' | 'bytes'; readonly value: string; readonly parts: readonly StringPart[] }
  | { readonly kind: 'list' | 'tuple' | 'set'; readonly items: readonly PythonLiteral[] }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [PythonLiteral, PythonLiteral])[] }
);

export interface StringPart {
  readonly start: number;
  readonly end: number;
  /** Lower case, without `b` and `u`: empty or `r`. */
  readonly raw: boolean;
  readonly prefix: string;
  readonly quote: string;
  readonly value: string;
}

/** The one literal that fills the text from `start` to `end`; undefined for everything else, f-strings and calls among it. */
export function readPythonLiteral(text: string, start: number, end: number): PythonLiteral | undefined {
  const reader = new Reader(text, end);
  reader.at = start;
  try {
    const found = reader.value();
    reader.space();
    return reader.at === end && reader.depth === 0 ? found : undefined;
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

export function sameLiteral(a: PythonLiteral, b: PythonLiteral): boolean {
  return JSON.stringify(plainLiteral(a)) === JSON.stringify(plainLiteral(b));
}

/** The value alone, for comparisons: sets and dictionaries have no order. */
export function plainLiteral(literal: PythonLiteral): unknown {
  const sorted = (list: readonly unknown[]): readonly string[] =>
    list.map((one) => JSON.stringify(one)).sort();
  if (literal.kind === 'set') return [literal.kind, sorted(literal.items.map(plainLiteral))];
  if ('items' in literal) return [literal.kind, literal.items.map(plainLiteral)];
  if ('entries' in literal)
    return [literal.kind, sorted(literal.entries.map((pair) => pair.map(plainLiteral)))];
  return [literal.kind, 'value' in literal ? literal.value : ''];
}

class NoLiteral extends Error {}

const no = (): never => {
  throw new NoLiteral();
};

const deepest = 100;
const number =
  /(?:0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:(?:\d(?:_?\d)*)?\.\d(?:_?\d)*|\d(?:_?\d)*\.?)(?:[eE][+-]?\d(?:_?\d)*)?)(?![\w.])/y;
const stringHead = /([rR]?[bB]?|[bB][rR]|[uU])('''|"""|'|")/y;

class Reader {
  at = 0;
  depth = 0;
  readonly #text: string;
  readonly #end: number;

  constructor(text: string, end: number) {
    this.#text = text;
    this.#end = end;
  }

  /** Line ends only inside of brackets. */
  space(): void {
    const skipped = this.depth > 0 ? /(?:[ \t\n]|\r\n|#[^\r\n]*|\\\r?\n)*/y : /(?:[ \t]|\\\r?\n)*/y;
    skipped.lastIndex = this.at;
    this.at = Math.min(this.#end, this.at + (skipped.exec(this.#text)?.[0].length ?? 0));
  }

  value(): PythonLiteral {
    this.space();
    const start = this.at;
    const text = this.#text;
    const char = text[start];
    if (char === '(') return this.#tuple();
    if (char === '[') return this.#display('list', ']');
    if (char === '{') return this.#braces();
    const word = this.#match(/(?:None|True|False)(?!\w)/y);
    if (word === 'None') return { kind: 'none', start, end: this.at };
    if (word !== undefined) return { kind: 'bool', value: word === 'True', start, end: this.at };
    if (char === '-') {
      this.at++;
      this.space();
      return this.#number(start, true);
    }
    return this.#matches(stringHead) ? this.#string() : this.#number(start, false);
  }

  #matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.#text);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.at += found.length;
    if (this.at > this.#end) no();
    return found;
  }

  #number(start: number, negative: boolean): PythonLiteral {
    const found = this.#match(number)?.replaceAll('_', '') ?? no();
    const end = this.at;
    const sign = negative ? '-' : '';
    if (/^0[xob]/i.test(found)) return { kind: 'int', value: sign + BigInt(found).toString(), start, end };
    if (!/[.e]/i.test(found)) {
      if (/^0+[1-9]/.test(found)) no();
      return {
        kind: 'int',
        value: (negative && /[1-9]/.test(found) ? '-' : '') + BigInt(found).toString(),
        start,
        end,
      };
    }
    const value = Number(found);
    // 1e999 is infinite.
    return Number.isFinite(value) ? { kind: 'float', value: sign + String(value), start, end } : no();
  }

  #string(): PythonLiteral {
    const parts: StringPart[] = [];
    let end = this.at;
    while (this.#matches(stringHead)) {
      parts.push(this.#part());
      end = this.at;
      this.space();
    }
    this.at = end;
    const [first] = parts;
    const isBytes = (part: StringPart): boolean => /b/i.test(part.prefix);
    if (first === undefined || parts.some((part) => isBytes(part) !== isBytes(first))) return no();
    const value = parts.map((part) => part.value).join('');
    return { kind: isBytes(first) ? 'bytes' : 'str', value, parts, start: first.start, end };
  }

  #part(): StringPart {
    const start = this.at;
    stringHead.lastIndex = start;
    const [head = '', prefix = '', quote = ''] = stringHead.exec(this.#text) ?? [];
    const raw = /r/i.test(prefix);
    const bytes = /b/i.test(prefix);
    this.at += head.length;
    const from = this.at;
    for (;;) {
      const char = this.#text[this.at];
      if (char === undefined || this.at >= this.#end) return no();
      if (this.#text.startsWith(quote, this.at)) break;
      if (char === '\n' && quote.length === 1) return no();
      this.at += char === '\\' ? 2 : 1;
    }
    const body = this.#text.slice(from, this.at);
    this.at += quote.length;
    if (this.at > this.#end) return no();
    // A lone return of the carriage, and what no editor shows.
    if (/\r(?!\n)|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/.test(body)) return no();
    const lines = body.replaceAll('\r\n', '\n');
    if (bytes && /[^\u0000-\u007f]/.test(lines)) return no();
    const value = raw ? lines : (unescape(lines, bytes) ?? no());
    return { start, end: this.at, raw, prefix, quote, value };
  }

  #open(): void {
    this.at++;
    if (++this.depth > deepest) no();
  }

  #close(char: string): void {
    if (this.#text[this.at] !== char) no();
    this.at++;
    this.depth--;
  }

  #tuple(): PythonLiteral {
    const start = this.at;
    const { items, trailing } = this.#items(')');
    const [only] = items;
    if (items.length === 1 && only !== undefined && !trailing) return only;
    return { kind: 'tuple', items, start, end: this.at };
  }

  #display(kind: 'list' | 'set', close: string): PythonLiteral {
    const start = this.at;
    const { items } = this.#items(close);
    return { kind, items, start, end: this.at };
  }

  #items(close: string): { items: readonly PythonLiteral[]; trailing: boolean } {
    this.#open();
    const items: PythonLiteral[] = [];
    let trailing = false;
    for (this.space(); this.#text[this.at] !== close; this.space()) {
      if (items.length > 0 && !trailing) no();
      items.push(this.value());
      this.space();
      trailing = this.#text[this.at] === ',';
      if (trailing) this.at++;
    }
    this.#close(close);
    return { items, trailing };
  }

  #braces(): PythonLiteral {
    const start = this.at;
    this.#open();
    this.space();
    const entries: [PythonLiteral, PythonLiteral][] = [];
    for (let more = true; this.#text[this.at] !== '}'; this.space()) {
      if (!more) no();
      const key = this.value();
      this.space();
      if (this.#text[this.at] !== ':') {
        if (entries.length > 0) no();
        this.at = start;
        this.depth--;
        return this.#display('set', '}');
      }
      this.at++;
      entries.push([key, this.value()]);
      this.space();
      more = this.#text[this.at] === ',';
      if (more) this.at++;
    }
    this.#close('}');
    return { kind: 'dict', entries, start, end: this.at };
  }
}

const simple: Readonly<Record<string, string>> = {
  '\n': '',
  '\\': '\\',
  "'": "'",
  '"': '"',
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

function unescape(body: string, bytes: boolean): string | undefined {
  let failed = false;
  const value = body.replace(
    /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([\s\S]))/g,
    (whole: string, octal?: string, hex?: string, short?: string, long?: string, other?: string) => {
      const wide = short ?? long;
      if (bytes && wide !== undefined) return whole;
      const code = octal === undefined ? Number.parseInt(hex ?? wide ?? '', 16) : Number.parseInt(octal, 8);
      if (other === undefined) {
        if (code <= 0x10ffff && !(bytes && code > 255)) return String.fromCodePoint(code);
        failed = true;
        return '';
      }
      // Names of characters, and escapes that Python would not take.
      if (/[xuUN]/.test(other) && !(bytes && other !== 'x')) failed = true;
      return simple[other] ?? whole;
    },
  );
  return failed ? undefined : value;
}
