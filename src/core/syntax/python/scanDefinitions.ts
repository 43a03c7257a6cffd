// Finds definitions in Python text by its logical lines and their indentation, in one pass and without a syntax tree.
import { basesIn, emptyScope, markNames, type Definition, type Scope } from './definitions.ts';

/** 'ambiguous': brackets or quotes do not close, so that lines and indentation say nothing. Linear in the length of the text. */
export function scanDefinitions(text: string): Scope | 'ambiguous' {
  const scanner = new Scanner(text);
  return scanner.scan() ? scanner.module() : 'ambiguous';
}

interface OpenScope {
  readonly definitions: Definition[];
  readonly marks: Map<string, string>;
}

interface Block {
  /** Column of its header; what stands further to the right is inside. */
  readonly column: number;
  readonly scope: OpenScope | undefined;
  /** Column of what stands directly in it; undefined until something does. */
  bodyColumn?: number;
  readonly close: (end: number) => void;
}

interface LogicalLine {
  readonly start: number;
  readonly end: number;
  readonly column: number;
  /** It stands further to the right than its scope. */
  readonly conditional: boolean;
}

const tab = 9;
const newline = 10;
const formFeed = 12;
const carriageReturn = 13;
const space = 32;
const doubleQuote = 34;
const hash = 35;
const singleQuote = 39;
const backslash = 92;

const functionHead = /(?:async[ \t]+)?def[ \t]+([^\s(:[]+)/y;
const classHead = /class[ \t]+([^\s(:[]+)/y;
const assignment = /([A-Za-z_]\w*)[ \t]*(?::[^=\n]*)?=(?!=)/y;

class Scanner {
  readonly #text: string;
  readonly #module: OpenScope = { definitions: [], marks: new Map() };
  readonly #blocks: Block[] = [];
  #decorators: { readonly start: number; readonly text: string }[] = [];
  /** End of the last line of code. */
  #lastEnd = 0;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  module(): Scope {
    return this.#module;
  }

  /** False when the text does not come to an end that makes sense. */
  scan(): boolean {
    const { length } = this.#text;
    while (this.#at < length) {
      const column = this.#skipIndentation();
      if (this.#at >= length) break;
      const code = this.#text.charCodeAt(this.#at);
      if (code === newline || code === carriageReturn) this.#at++;
      else if (code === hash) this.#skipComment();
      else {
        const start = this.#at;
        const end = this.#skipLogicalLine();
        if (end < 0) return false;
        this.#take(start, column, end);
        this.#lastEnd = end;
      }
    }
    this.#closeBlocks(0);
    return true;
  }

  /** Returns the column, with tabs as Python counts them. */
  #skipIndentation(): number {
    let column = 0;
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at);
      if (code === space) column++;
      else if (code === tab) column += 8 - (column % 8);
      else if (code === formFeed) column = 0;
      else if (code === backslash && this.#isLineEnd(this.#at + 1)) this.#skipLineEnd();
      else return column;
    }
  }

  #isLineEnd(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return code === newline || code === carriageReturn;
  }

  /** From a backslash to the last character of the line end after it. */
  #skipLineEnd(): void {
    this.#at++;
    if (this.#text.charCodeAt(this.#at) === carriageReturn && this.#text.charCodeAt(this.#at + 1) === newline)
      this.#at++;
  }

  #skipComment(): void {
    while (this.#at < this.#text.length && !this.#isLineEnd(this.#at)) this.#at++;
  }

  /** Returns the end of its code, or -1 when the text ends inside of brackets or quotes. */
  #skipLogicalLine(): number {
    const text = this.#text;
    const { length } = text;
    let depth = 0;
    let end = this.#at;
    while (this.#at < length) {
      const code = text.charCodeAt(this.#at);
      switch (code) {
        case newline:
        case carriageReturn:
          if (depth === 0) return end;
          this.#at++;
          continue;
        case space:
        case tab:
        case formFeed:
          this.#at++;
          continue;
        case hash:
          this.#skipComment();
          continue;
        case doubleQuote:
        case singleQuote:
          if (!this.#skipString(code)) return -1;
          break;
        case 40: // (
        case 91: // [
        case 123: // {
          depth++;
          this.#at++;
          break;
        case 41: // )
        case 93: // ]
        case 125: // }
          if (--depth < 0) return -1;
          this.#at++;
          break;
        case backslash:
          if (this.#isLineEnd(this.#at + 1)) this.#skipLineEnd();
          this.#at++;
          continue;
        default:
          this.#at++;
      }
      end = this.#at;
    }
    return depth === 0 ? end : -1;
  }

  /** From its quote to after its end. What a prefix changes does not change where it ends. */
  #skipString(quote: number): boolean {
    const text = this.#text;
    const start = this.#at;
    const isTriple = text.charCodeAt(start + 1) === quote && text.charCodeAt(start + 2) === quote;
    for (let at = start + (isTriple ? 3 : 1); at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === backslash) {
        if (text.charCodeAt(at + 1) === carriageReturn && text.charCodeAt(at + 2) === newline) at++;
        at++;
      } else if (code === quote) {
        if (isTriple && (text.charCodeAt(at + 1) !== quote || text.charCodeAt(at + 2) !== quote)) continue;
        this.#at = at + (isTriple ? 3 : 1);
        return true;
      } else if (!isTriple && (code === newline || code === carriageReturn)) return false;
    }
    return false;
  }

  #closeBlocks(column: number): void {
    for (
      let block = this.#blocks.at(-1);
      block !== undefined && block.column >= column;
      block = this.#blocks.at(-1)
    ) {
      block.close(this.#lastEnd);
      this.#blocks.pop();
    }
  }

  #take(start: number, column: number, end: number): void {
    this.#closeBlocks(column);
    const block = this.#blocks.at(-1);
    const scope = block === undefined ? this.#module : block.scope;
    // Nothing inside of a function is a test.
    if (scope === undefined) return;
    if (block !== undefined) block.bodyColumn ??= column;
    const conditional = column > (block?.bodyColumn ?? 0);
    const text = this.#text;
    switch (text.charCodeAt(start)) {
      case 64: // @
        this.#decorators.push({ start, text: text.slice(start + 1, end).trim() });
        return;
      case 97: // async
      case 100: // def
        if (this.#define('def', functionHead, scope, { start, column, end, conditional })) return;
        break;
      case 99: // class
        if (this.#define('class', classHead, scope, { start, column, end, conditional })) return;
        break;
      case 95: // __test__
      case 112: {
        // pytestmark
        assignment.lastIndex = start;
        const found = assignment.exec(text);
        if (found?.[1] !== undefined && markNames.has(found[1]))
          scope.marks.set(found[1], text.slice(start + found[0].length, end).trim());
      }
    }
    this.#decorators = [];
  }

  #define(
    kind: Definition['kind'],
    head: RegExp,
    scope: OpenScope,
    { start: keyword, column, end, conditional }: LogicalLine,
  ): boolean {
    head.lastIndex = keyword;
    const found = head.exec(this.#text);
    const name = found?.[1];
    if (found === null || name === undefined) return false;
    const decorators = this.#decorators;
    this.#decorators = [];
    const body: OpenScope | undefined = kind === 'class' ? { definitions: [], marks: new Map() } : undefined;
    const place = scope.definitions.length;
    const definition: Definition = {
      kind,
      name,
      start: decorators[0]?.start ?? keyword,
      end,
      decorators: decorators.map((one) => one.text),
      bases: kind === 'class' ? this.#basesAfter(keyword + found[0].length, end) : [],
      conditional,
      body: body ?? emptyScope,
    };
    scope.definitions.push(definition);
    const close = (last: number): void => {
      scope.definitions[place] = { ...definition, end: Math.max(last, end) };
    };
    this.#blocks.push({ column, scope: body, close });
    return true;
  }

  #basesAfter(at: number, end: number): readonly string[] {
    const text = this.#text.slice(at, end);
    // Type parameters may come first: `class A[T](B):`.
    const open = /^\s*(?:\[[^\]]*\]\s*)?\(/.exec(text);
    if (open === null) return [];
    let depth = 1;
    for (let index = open[0].length; index < text.length; index++) {
      const char = text.charCodeAt(index);
      if (char === 40) depth++;
      else if (char === 41 && --depth === 0) return basesIn(text.slice(open[0].length, index));
    }
    return [];
  }
}
