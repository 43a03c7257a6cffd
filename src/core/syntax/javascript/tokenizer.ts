// Walks over JavaScript or TypeScript text token by token, knowing what every bracket is; doubt ends it.
import { endOfComment, endOfLine, isDigit, isNamePart, isSpace } from './characters.ts';
import { Doubt, type Brace, type Frame, type FrameKind } from './tokenFrame.ts';

interface PreviousToken {
  kind: 'start' | 'word' | 'property' | 'literal' | 'punctuator';
  /** Of a punctuator: itself. */
  char: string;
  start: number;
  end: number;
}

const braces: ReadonlySet<FrameKind> = new Set(['block', 'function', 'loop', 'other', 'callback']);
const controlWords: ReadonlySet<string> = new Set(['if', 'for', 'while', 'switch', 'catch', 'with']);
const expressionFollows =
  /^(?:return|typeof|case|do|else|in|instanceof|new|void|delete|throw|default|extends)$/;
const perhapsExpressionFollows = /^(?:of|await|yield)$/;
const space = 32;
const lineFeed = 10;
const carriageReturn = 13;

export abstract class Tokenizer<Call, Resume> {
  readonly text: string;
  at = 0;
  readonly frames: Frame<Call, Resume>[] = [];
  /** The innermost open bracket. */
  top: Frame<Call, Resume> = this.frame('file');
  readonly previous: PreviousToken = { kind: 'start', char: '', start: 0, end: 0 };
  /** A line ended between the previous token and this one. */
  newline = true;
  /** The control keyword of the parenthesis that closed last; empty for any other parenthesis. */
  closedHeader = '';
  /** Above 0 inside what needs no more than its brackets read: nothing is declared there. */
  inert = 0;
  readonly lastTemplate = { start: -1, end: -1 };
  #closedBrace: Frame<Call, Resume>['kind'] = 'block';

  constructor(text: string) {
    this.text = text;
  }

  /** A name or keyword that is no property; may move `at` beyond it. */
  protected abstract onWord(start: number, end: number): void;
  /** A comma directly inside the frame. */
  protected abstract onComma(frame: Frame<Call, Resume>): void;
  /** A parenthesis, an arrow or an operator directly inside the frame. */
  protected abstract onArgument(frame: Frame<Call, Resume>, char: string): void;
  /** A brace opens inside the frame; returns the frame to push. */
  protected abstract onBrace(frame: Frame<Call, Resume>, brace: Brace): Frame<Call, Resume>;
  /** A JSX element starts at `at`. */
  protected abstract openJsx(): void;
  /** Reads on inside a JSX tag, whose frame is the top one. */
  protected abstract readJsxTag(): void;
  /** Reads on between JSX tags. */
  protected abstract readJsxChildren(): void;
  /** A parenthesis or template closed; `at` is just past it. */
  protected abstract onClose(frame: Frame<Call, Resume>): void;

  frame(kind: FrameKind, name = '', call?: Call, resume?: Resume, options?: Call): Frame<Call, Resume> {
    return { kind, call, resume, options, name, start: this.at };
  }

  push(frame: Frame<Call, Resume>): void {
    this.frames.push(this.top);
    this.top = frame;
  }

  run(): void {
    const { text } = this;
    if (text.startsWith('#!')) this.at = endOfLine(text, 0);
    while (this.at < text.length) {
      const { kind } = this.top;
      if (kind === 'jsxTag') this.readJsxTag();
      else if (kind === 'jsxChildren') this.readJsxChildren();
      else this.#readToken(text.charCodeAt(this.at));
    }
    if (this.frames.length > 0) throw new Doubt();
  }

  previousIs(char: string): boolean {
    return this.previous.kind === 'punctuator' && this.previous.char === char;
  }

  previousWord(): string {
    return this.previous.kind === 'word' ? this.text.slice(this.previous.start, this.previous.end) : '';
  }

  /** Inside a loop or a function other than a describe callback, up to the nearest such callback. */
  isRepeated(): boolean {
    for (let at = this.frames.length, frame = this.top; at >= 0; frame = this.frames[--at] ?? frame) {
      if (frame.kind === 'callback') return false;
      if (frame.kind === 'function' || frame.kind === 'loop') return true;
    }
    return false;
  }

  /** Goes on at `end`, taking what lies before it for one literal. */
  jump(end: number): void {
    this.endToken('literal', '', this.at, end);
  }

  openParen(at: number, header: string, call?: Call, resume?: Resume): void {
    this.push(this.frame('paren', header, call, resume));
    this.endToken('punctuator', '(', at, at + 1);
  }

  openTemplate(at: number, resume?: Resume): void {
    this.at = at;
    this.push(this.frame('template', '', undefined, resume));
    this.at = at + 1;
    this.#readTemplate();
  }

  /** The first offset from `at` on that is neither white space nor a comment. */
  skipTrivia(at: number): number {
    const { text } = this;
    for (let here = at; ; here++) {
      const code = text.charCodeAt(here);
      if (code === 47 && text.charCodeAt(here + 1) === 47) here = endOfLine(text, here);
      else if (code === 47 && text.charCodeAt(here + 1) === 42) here = this.#endOfComment(here) - 1;
      else if (!isSpace(code)) return here;
    }
  }

  /** The offset just past the name that starts there. */
  nameEnd(start: number): number {
    const { text } = this;
    let end = start;
    while (isNamePart(text.charCodeAt(end))) end++;
    if (end === start) throw new Doubt();
    return end;
  }

  #readToken(code: number): void {
    if (code === space || code === 9) this.at++;
    else if (code === lineFeed || code === carriageReturn || code === 0x2028 || code === 0x2029) {
      this.newline = true;
      this.at++;
    } else if (isDigit(code)) this.#readNumber();
    else if (isNamePart(code)) this.#readWord();
    else if (code === 34 || code === 39) this.#readString(code);
    else if (code === 96) this.openTemplate(this.at);
    else if (code === 47) this.#readSlash();
    else if (isSpace(code)) this.at++;
    else this.#readPunctuator(this.text.charAt(this.at));
  }

  /** A token ended; `at` goes on behind it. */
  protected endToken(kind: PreviousToken['kind'], char: string, start: number, end: number): void {
    this.previous.kind = kind;
    this.previous.char = char;
    this.previous.start = start;
    this.previous.end = end;
    this.newline = false;
    this.at = end;
  }

  #readWord(): void {
    const start = this.at;
    const end = this.nameEnd(start);
    if (this.previousIs('.') || this.previousIs('#')) return this.endToken('property', '', start, end);
    this.#refuseNestedControl(start, end);
    this.onWord(start, end);
    if (this.at !== start) return;
    // `for await (`: the header belongs to `for`.
    if (this.previousWord() === 'for' && this.text.slice(start, end) === 'await') this.at = end;
    else this.endToken('word', '', start, end);
  }

  /** `for (…) if (…) {`: whose body that is depends on the whole chain. */
  #refuseNestedControl(start: number, end: number): void {
    const loops = this.previousIs(')') && (this.closedHeader === 'for' || this.closedHeader === 'while');
    if (!loops && this.previousWord() !== 'do') return;
    if (!/^(?:if|switch|try|with)$/.test(this.text.slice(start, end))) return;
    if (this.inert === 0 && !this.isRepeated()) throw new Doubt();
  }

  #readNumber(): void {
    const start = this.at;
    let end = start + 1;
    while (isNamePart(this.text.charCodeAt(end)) || this.text.charCodeAt(end) === 46) end++;
    this.endToken('literal', '', start, end);
  }

  #readString(quote: number): void {
    const { text } = this;
    const start = this.at;
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === quote) return this.endToken('literal', '', start, at + 1);
      if (code === 92)
        at += text.charCodeAt(at + 1) === carriageReturn && text.charCodeAt(at + 2) === lineFeed ? 2 : 1;
      else if (code === lineFeed || code === carriageReturn) break;
    }
    throw new Doubt();
  }

  /** Reads on inside a template, whose frame is the top one, to its end or to the next `${`. */
  #readTemplate(): void {
    const { text } = this;
    for (let at = this.at; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 92) at++;
      else if (code === 96) return this.#closeTemplate(at + 1);
      else if (code === 36 && text.charCodeAt(at + 1) === 123) {
        this.push(this.frame('substitution'));
        return this.endToken('punctuator', '(', at, at + 2);
      }
    }
    throw new Doubt();
  }

  #closeTemplate(end: number): void {
    const frame = this.pop('template');
    this.lastTemplate.start = frame.start;
    this.lastTemplate.end = end;
    this.endToken('literal', '', this.lastTemplate.start, end);
    this.onClose(frame);
  }

  #readSlash(): void {
    const { text, at } = this;
    const next = text.charCodeAt(at + 1);
    if (next === 47) this.at = endOfLine(text, at);
    else if (next === 42) {
      this.at = this.#endOfComment(at);
      if (text.slice(at, this.at).includes('\n')) this.newline = true;
    } else if (this.#expressionMayStart(true)) this.#readRegex();
    else this.endToken('punctuator', '/', at, at + 1);
  }

  #endOfComment(from: number): number {
    const end = endOfComment(this.text, from);
    if (end < 0) throw new Doubt();
    return end;
  }

  #readRegex(): void {
    const { text } = this;
    let inClass = false;
    for (let at = this.at + 1; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 92) at++;
      else if (code === lineFeed || code === carriageReturn) break;
      else if (code === 91) inClass = true;
      else if (code === 93) inClass = false;
      else if (code === 47 && !inClass) {
        let end = at + 1;
        while (isNamePart(text.charCodeAt(end))) end++;
        return this.endToken('literal', '', this.at, end);
      }
    }
    throw new Doubt();
  }

  /** Does an expression start here, rather than an operator? `strict`: an unsure answer is a doubt. */
  #expressionMayStart(strict: boolean): boolean {
    const { kind, char } = this.previous;
    if (kind === 'start') return true;
    if (kind === 'literal' || kind === 'property') return false;
    if (kind === 'word') {
      const word = this.previousWord();
      if (strict && perhapsExpressionFollows.test(word)) throw new Doubt();
      return expressionFollows.test(word);
    }
    if (char === ')') return this.closedHeader !== '';
    if (char === ']') return false;
    if (char === '}') {
      if (this.#closedBrace === 'block' || this.#closedBrace === 'loop') return true;
      if (strict) throw new Doubt();
      return false;
    }
    return true;
  }

  #readPunctuator(char: string): void {
    const { at, text } = this;
    const next = text.charAt(at + 1);
    switch (char) {
      case '(':
        this.onArgument(this.top, '(');
        return this.openParen(at, this.#controlBefore());
      case '[':
        this.push(this.frame('bracket'));
        break;
      case '{':
        return this.#openBrace();
      case ')':
        return this.#closeParen();
      case ']':
        this.pop('bracket');
        break;
      case '}':
        return this.#closeBrace();
      case ',':
        this.onComma(this.top);
        break;
      case '<':
        if (/[A-Za-z_$>]/.test(next) && this.#expressionMayStart(false) && !this.#isTypeParameterList())
          return this.openJsx();
        break;
      case '.':
        if (next === '.') return this.endToken('punctuator', '...', at, at + 3);
        if (isDigit(text.charCodeAt(at + 1))) return this.#readNumber();
        break;
      case '?':
        if (next === '.' && !isDigit(text.charCodeAt(at + 2)))
          return this.endToken('punctuator', '.', at, at + 2);
        if (next !== '?') this.onArgument(this.top, '?');
        else this.onArgument(this.top, '|');
        break;
      case '=':
        if (next === '>') {
          this.onArgument(this.top, '=>');
          return this.endToken('punctuator', '=>', at, at + 2);
        }
        this.onArgument(this.top, '=');
        break;
      case '+':
      case '-':
        if (next === char) return this.#readIncrement();
        this.onArgument(this.top, '+');
        break;
      case '&':
      case '|':
        this.onArgument(this.top, char);
        break;
      case '!':
        // A postfix `!` leaves the operand before it an operand.
        if (next !== '=' && !this.newline && !this.#expressionMayStart(false)) {
          this.at++;
          return;
        }
        break;
      case '\\':
        throw new Doubt();
      default:
    }
    this.endToken('punctuator', char, at, at + 1);
  }

  /** After an operand `++` and `--` leave it an operand. */
  #readIncrement(): void {
    if (this.newline || this.#expressionMayStart(false))
      this.endToken('punctuator', '++', this.at, this.at + 2);
    else this.at += 2;
  }

  #controlBefore(): string {
    const { kind, start, end } = this.previous;
    if (kind !== 'word' || end - start > 6) return '';
    const word = this.previousWord();
    return controlWords.has(word) ? word : '';
  }

  #openBrace(): void {
    const isJsxObject = this.top.kind === 'jsxExpression' && this.previousIs('(');
    this.push(isJsxObject ? this.frame('other') : this.onBrace(this.top, this.#braceKind()));
    this.endToken('punctuator', '{', this.at, this.at + 1);
  }

  #braceKind(): Brace {
    const { kind, char } = this.previous;
    if (kind === 'start') return 'block';
    if (kind === 'word') {
      const word = this.previousWord();
      if (word === 'do') return 'loop';
      return /^(?:else|try|finally|catch)$/.test(word) ? 'block' : 'other';
    }
    if (kind !== 'punctuator') return 'other';
    if (char === '=>') return 'function';
    if (char === ';' || char === '{') return 'block';
    // `): { a: string } {` is a body after a type.
    if (char === '}') return this.newline ? 'block' : 'other';
    if (char !== ')') return 'other';
    if (this.closedHeader === '') return 'function';
    return this.closedHeader === 'for' || this.closedHeader === 'while' ? 'loop' : 'block';
  }

  #closeParen(): void {
    const frame = this.pop('paren');
    this.closedHeader = frame.name;
    const { at } = this;
    if (frame.call === undefined && frame.resume === undefined)
      return this.endToken('punctuator', ')', at, at + 1);
    // The hook sees the token before the parenthesis as the previous one.
    this.at = at + 1;
    this.onClose(frame);
    if (this.at === at + 1) this.endToken('punctuator', ')', at, at + 1);
  }

  #closeBrace(): void {
    const frame = this.pop();
    if (frame.kind === 'substitution') {
      this.at++;
      return this.#readTemplate();
    }
    if (frame.kind === 'jsxExpression') {
      this.at++;
      return;
    }
    if (!braces.has(frame.kind)) throw new Doubt();
    this.#closedBrace = frame.kind;
    this.endToken('punctuator', '}', this.at, this.at + 1);
  }

  /** Closes the innermost bracket, which has to be of the kind. */
  protected pop(kind?: FrameKind): Frame<Call, Resume> {
    const closed = this.top;
    const outer = this.frames.pop();
    if (!outer || (kind !== undefined && closed.kind !== kind)) throw new Doubt();
    this.top = outer;
    return closed;
  }

  /** `<T extends X>(…) =>`, `<T,>(…)`, `<T>(x: T) => …` */
  #isTypeParameterList(): boolean {
    const list = /<\s*(?:const\s+)?[A-Z]\w*(?:\s+extends\b|\s*,|\s*=\s*\w|\s*>\s*\([^()]*\)\s*(?:=>|:))/y;
    list.lastIndex = this.at;
    return list.test(this.text);
  }
}
