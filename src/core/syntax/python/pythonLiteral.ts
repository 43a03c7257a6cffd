// Reads a literal of Python strictly: only what is certainly a value written down, each part with its place.
import type { PythonObject } from '../../model/value.ts';

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
  /** Written: `date(2020, 1, 2)`, `Color.RED`, where the reader is told to take them for values. */
  | { readonly kind: 'call'; readonly callee: string; readonly args: readonly WrittenArgument[] }
  | { readonly kind: 'name'; readonly path: string }
  /** Recorded; never written. */
  | { readonly kind: 'object'; readonly object: RecordedObject }
);

export interface WrittenArgument {
  readonly name: string | undefined;
  readonly value: PythonLiteral;
}

export interface RecordedObject extends Omit<PythonObject, 'args' | 'plain'> {
  readonly plain: PythonLiteral | undefined;
  readonly args:
    | readonly { readonly name: string; readonly value: PythonLiteral; readonly isDefault: boolean }[]
    | undefined;
}

/** Which calls and dotted names are nothing but values that are written down. */
export interface ValueNames {
  isCallee(name: string): boolean;
  isConstant(path: string): boolean;
}

export interface StringPart {
  readonly start: number;
  readonly end: number;
  /** Lower case, without `b` and `u`: empty or `r`. */
  readonly raw: boolean;
  readonly prefix: string;
  readonly quote: string;
  readonly value: string;
}

export const noNames: ValueNames = { isCallee: () => false, isConstant: () => false };

/** The one literal that fills the text from `start` to `end`; undefined for everything else, f-strings and calls among it. */
export function readPythonLiteral(text: string, start: number, end: number): PythonLiteral | undefined {
  return read(new Reader(text, end), start, end);
}

/** The same where calls and dotted names that are nothing but values count, too. */
export function readPythonValue(
  text: string,
  start: number,
  end: number,
  names: ValueNames,
): PythonLiteral | undefined {
  return read(new Reader(text, end, names), start, end);
}

/** What was recorded of a running test. */
export function readRecorded(text: string, objects: readonly PythonObject[]): PythonLiteral | undefined {
  return read(new Reader(text, text.length, undefined, objects), 0, text.length);
}

function read(reader: Reader, start: number, end: number): PythonLiteral | undefined {
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
  if (literal.kind === 'call')
    return ['call', literal.callee, literal.args.map(({ name, value }) => [name ?? '', plainLiteral(value)])];
  if (literal.kind === 'name') return ['name', literal.path];
  if (literal.kind === 'object') {
    const { type, key, args } = literal.object;
    return ['object', type, key, args?.map(({ name, value }) => [name, plainLiteral(value)])];
  }
  return [literal.kind, 'value' in literal ? literal.value : ''];
}

/** What it is made of, one level down. */
export function partsOf(literal: PythonLiteral): readonly PythonLiteral[] {
  if ('items' in literal) return literal.items;
  if ('entries' in literal) return literal.entries.flat();
  if (literal.kind === 'call') return literal.args.map(({ value }) => value);
  return literal.kind === 'object' ? (literal.object.args ?? []).map(({ value }) => value) : [];
}

/** The literal and everything in it. */
export function visitLiteral(literal: PythonLiteral, enter: (literal: PythonLiteral) => void): void {
  enter(literal);
  for (const one of partsOf(literal)) visitLiteral(one, enter);
}

class NoLiteral extends Error {}

const no = (): never => {
  throw new NoLiteral();
};

const deepest = 100;
const number =
  /(?:0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:(?:\d(?:_?\d)*)?\.\d(?:_?\d)*|\d(?:_?\d)*\.?)(?:[eE][+-]?\d(?:_?\d)*)?)(?![\w.])/y;
const dottedName = /(?!\d)[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/y;
const stringHead = /([rR]?[bB]?|[bB][rR]|[uU])('''|"""|'|")/y;

class Reader {
  at = 0;
  depth = 0;
  readonly #text: string;
  readonly #end: number;
  readonly #names: ValueNames | undefined;
  readonly #objects: readonly PythonObject[];

  constructor(text: string, end: number, names?: ValueNames, objects: readonly PythonObject[] = []) {
    this.#text = text;
    this.#end = end;
    this.#names = names;
    this.#objects = objects;
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
    if (this.#matches(stringHead)) return this.#string();
    if (this.#match(/set\([ \t]*\)/y) !== undefined) return { kind: 'set', items: [], start, end: this.at };
    if (char === '@') return this.#recorded(start);
    const path = this.#match(dottedName);
    return path === undefined ? this.#number(start, false) : this.#named(path, start);
  }

  #recorded(start: number): PythonLiteral {
    const index = Number(this.#match(/@\d+/y)?.slice(1) ?? no());
    const object = this.#objects[index] ?? no();
    // What an object consists of was written down before it.
    const args = object.args?.map(([name, text, isDefault]) => ({
      name,
      value: readRecorded(text, this.#objects.slice(0, index)) ?? no(),
      isDefault,
    }));
    const plain =
      object.plain === undefined ? undefined : readRecorded(object.plain, this.#objects.slice(0, index));
    return { kind: 'object', object: { ...object, args, plain }, start, end: this.at };
  }

  #named(path: string, start: number): PythonLiteral {
    if (this.#text[this.at] !== '(')
      return this.#names?.isConstant(path) === true ? { kind: 'name', path, start, end: this.at } : no();
    return this.#names?.isCallee(path) === true ? this.#call(path, start) : no();
  }

  #call(callee: string, start: number): PythonLiteral {
    const args: WrittenArgument[] = [];
    const { items } = this.#items(')', () => {
      const name = this.#match(/[^\W\d]\w*(?=\s*=(?!=))/uy);
      if (name !== undefined) {
        this.space();
        this.at++;
      } else if (args.some((one) => one.name !== undefined)) no();
      const value = this.value();
      args.push({ name, value });
      return value;
    });
    const names = args.flatMap(({ name }) => name ?? []);
    return items.length === args.length && new Set(names).size === names.length
      ? { kind: 'call', callee, args, start, end: this.at }
      : no();
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

  #items(close: string, item = () => this.value()): { items: readonly PythonLiteral[]; trailing: boolean } {
    this.#open();
    const items: PythonLiteral[] = [];
    let trailing = false;
    for (this.space(); this.#text[this.at] !== close; this.space()) {
      if (items.length > 0 && !trailing) no();
      items.push(item());
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
