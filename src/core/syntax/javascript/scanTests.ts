// Finds the tests of a JavaScript or TypeScript file in one pass over its characters, without a syntax tree.
import type { ScannedTest } from '../../model/testNode.ts';
import { lineMap, type LineMap } from '../lineMap.ts';
import { readLiteral } from './readLiteral.ts';
import { JsxTokenizer } from './jsxTokenizer.ts';
import { Doubt, type Brace, type Frame } from './tokenFrame.ts';
import type { TestVocabulary } from '../vocabulary.ts';
import { kindOf, modeOf, satisfiedApi, type TestApi } from './testApi.ts';

/**
 * The tests of the text, or `ambiguous` when only a full parse can tell: aliases and wrappers of the test functions,
 * broken text, anything whose reading depends on more than its neighbours. Whatever it returns equals parseTests.
 */
export function scanTests(text: string, vocabulary: TestVocabulary): readonly ScannedTest[] | 'ambiguous' {
  if (text.includes('import.meta.vitest')) return 'ambiguous';
  // `t.test('…')`: whose context `t` is takes a tree to tell.
  if (vocabulary.subtests && /\.\s*test\s*\(/.test(text)) return 'ambiguous';
  const scanner = new TestScanner(text, wordsOf(vocabulary));
  try {
    scanner.run();
  } catch (error) {
    if (error instanceof Doubt) return 'ambiguous';
    throw error;
  }
  const lines = lineMap(text);
  return scanner.found.map((test) => toScannedTest(test, lines));
}

interface RawTest {
  readonly kind: ScannedTest['kind'];
  readonly title: string;
  readonly mode: ScannedTest['mode'];
  readonly start: number;
  readonly end: number;
  readonly children: readonly RawTest[];
}

/** A chain such as `it.each` that has been read as far as its table or condition. */
interface Chain {
  readonly api: TestApi;
  readonly start: number;
  readonly repeated: boolean;
}

/** A declaring call whose closing parenthesis has not been seen yet. */
interface OpenCall extends Chain {
  readonly children: RawTest[];
  title: string | undefined;
  titleIsStatic: boolean;
  /** Where a title that is no plain literal begins. */
  readonly titleStart: number;
  commas: number;
  readonly flags: { skip: boolean; only: boolean; todo: boolean };
}

const notBeforeStatement =
  /^(?:else|return|do|await|case|default|export|throw|new|typeof|void|delete|yield|in|of|instanceof|async|const|let|var|function|class|get|set|static|extends|as|satisfies|import|from)$/;
/** A vocabulary, prepared for looking at every word of a file. */
interface Words {
  readonly vocabulary: TestVocabulary;
  /** Of the words that mean something here; most words need not be cut out. */
  readonly initials: ReadonlySet<number>;
  readonly longest: number;
  readonly typeOnlyOrRenamed: RegExp;
}

const prepared = new WeakMap<TestVocabulary, Words>();

function wordsOf(vocabulary: TestVocabulary): Words {
  const known = prepared.get(vocabulary);
  if (known) return known;
  const roots = [...vocabulary.roots.keys()];
  const declaring = vocabulary.moduleItself === undefined ? [] : ['const', 'let', 'var', 'require'];
  const meaningful = [...roots, ...declaring, 'import', 'skip', 'only', 'todo'];
  const anyRoot = `(?:${roots.join('|')})`;
  const words = {
    vocabulary,
    initials: new Set(meaningful.map((word) => word.charCodeAt(0))),
    longest: Math.max(...meaningful.map(({ length }) => length)),
    typeOnlyOrRenamed: new RegExp(
      `\\b${anyRoot}\\s+as\\b|\\bas\\s+${anyRoot}\\b|^type\\b[^]*\\b${anyRoot}\\b|\\btype\\s+${anyRoot}\\b`,
    ),
  };
  prepared.set(vocabulary, words);
  return words;
}

class TestScanner extends JsxTokenizer<OpenCall, Chain> {
  readonly found: RawTest[] = [];
  readonly #suites: OpenCall[] = [];
  readonly #words: Words;

  constructor(text: string, words: Words) {
    super(text);
    this.#words = words;
  }

  /** `const { test } = require('node:test')`: names the functions as they are, and calls none. */
  #readRequire(start: number): boolean {
    const pattern =
      /(?:const|let|var)\s+(?:\{([\w\s,$]*)\}|([\w$]+))\s*=\s*require\(\s*(?:'([^'\n]*)'|"([^"\n]*)")\s*\)(?=\s*(?:;|\n|$))/y;
    pattern.lastIndex = start;
    const [, members, whole, single, double] = pattern.exec(this.text) ?? [];
    const { moduleItself, modules, roots } = this.#words.vocabulary;
    if (moduleItself === undefined || !modules.has(single ?? double ?? '')) return false;
    const names = (members ?? '').split(',').map((name) => name.trim());
    if (whole !== undefined ? whole !== moduleItself : names.every((name) => !roots.has(name))) return false;
    this.jump(pattern.lastIndex);
    return true;
  }

  protected override onWord(start: number, end: number): void {
    const length = end - start;
    const { vocabulary, initials, longest } = this.#words;
    if (length > longest || length < 2 || !initials.has(this.text.charCodeAt(start))) return;
    const word = this.text.slice(start, end);
    if (/^(?:const|let|var)$/.test(word)) return void (this.inert === 0 && this.#readRequire(start));
    if (word === 'require') return this.#refuseModule(start);
    const api = vocabulary.roots.get(word);
    if (api) {
      if (this.inert === 0) this.#readCandidate(start, end, api);
      else if (vocabulary.subtests && '.('.includes(this.text.charAt(this.skipTrivia(end)) || ' '))
        throw new Doubt();
    } else if (word === 'import' && this.inert === 0) this.#readImport(start);
    else if (word === 'skip' || word === 'only' || word === 'todo') this.#readFlag(end, word);
  }

  /** Import clauses are jumped over: they name test functions without calling them. */
  #readImport(start: number): void {
    const pattern = /import\s+([^'"`;()]*?)\bfrom\s*(?:'([^'\n]*)'|"([^"\n]*)")/y;
    pattern.lastIndex = start;
    const found = pattern.exec(this.text);
    if (!found) return this.#refuseModule(start);
    const clause = found[1] ?? '';
    const wholeModule =
      clause.includes('*') && this.#words.vocabulary.modules.has(found[2] ?? found[3] ?? '');
    const mayRename = clause.includes('as') || clause.includes('type');
    const { moduleItself, modules, roots } = this.#words.vocabulary;
    const byDefault = /^\w+/.exec(clause)?.[0];
    if (
      moduleItself !== undefined &&
      modules.has(found[2] ?? found[3] ?? '') &&
      (/\bdefault\b/.test(clause) || (byDefault !== undefined && !roots.has(byDefault)))
    )
      throw new Doubt();
    if (wholeModule || clause.includes('/')) throw new Doubt();
    if (mayRename && this.#words.typeOnlyOrRenamed.test(clause)) throw new Doubt();
    this.jump(pattern.lastIndex);
  }

  /** Whatever `require('node:test')` or `import('node:test')` is given to may declare tests. */
  #refuseModule(start: number): void {
    const pattern = /(?:require|import)\s*\(\s*(?:'([^'\n]*)'|"([^"\n]*)")/y;
    pattern.lastIndex = start;
    const [, single, double] = pattern.exec(this.text) ?? [];
    if (this.#words.vocabulary.modules.has(single ?? double ?? '')) throw new Doubt();
  }

  #readFlag(end: number, name: 'skip' | 'only' | 'todo'): void {
    const { top } = this;
    if (!top.options || (!this.previousIs('{') && !this.previousIs(','))) return;
    const isTrue = /\s*:\s*(?:true|'[^'\\\n]+'|"[^"\\\n]+")\s*[,}]/y;
    isTrue.lastIndex = end;
    if (isTrue.test(this.text)) top.options.flags[name] = true;
  }

  #readCandidate(start: number, end: number, api: TestApi): void {
    if (this.#isOtherMember(end)) return;
    if (!this.#atStatementStart()) throw new Doubt();
    const repeated = this.isRepeated();
    if (!repeated) this.#refuseOddPlaces();
    this.#readChain({ api, start, repeated }, end);
  }

  /** `test.beforeEach`, `test.serial.before`: a call like any other. */
  #isOtherMember(end: number): boolean {
    const { otherMembers } = this.#words.vocabulary;
    if (!otherMembers) return false;
    const chain = /(?:\s*\.\s*[\w$]+)+/y;
    chain.lastIndex = end;
    const names = chain.exec(this.text)?.[0].match(/[\w$]+/g) ?? [];
    return names.some((name) => otherMembers.has(name));
  }

  #atStatementStart(): boolean {
    const { previous } = this;
    if (previous.kind === 'start') return true;
    if (previous.kind === 'punctuator') {
      if (previous.char === ';' || previous.char === '{' || previous.char === '}') return true;
      if (previous.char === ')') return this.newline && this.closedHeader === '';
      return previous.char === ']' && this.newline;
    }
    if (!this.newline) return false;
    return previous.kind === 'literal' || !notBeforeStatement.test(this.previousWord());
  }

  /** Outside of loops and functions only blocks may enclose a declaration; anything else needs a tree. */
  #refuseOddPlaces(): void {
    for (let at = this.frames.length, frame = this.top; at > 0; frame = this.frames[--at] ?? frame) {
      if (frame.kind === 'callback') return;
      if (frame.kind !== 'block') throw new Doubt();
    }
  }

  #readChain(chain: Chain, from: number): void {
    let { api } = chain;
    for (let at = this.skipTrivia(from); ;) {
      const char = this.text.charAt(at);
      if (char === '.') {
        const start = this.skipTrivia(at + 1);
        const end = this.nameEnd(start);
        const member = this.#words.vocabulary.member(api, this.text.slice(start, end));
        if (!member) throw new Doubt();
        api = member;
        at = this.skipTrivia(end);
      } else if (char === '<') at = this.skipTrivia(this.#skipTypeArguments(at));
      else if (char === '(') return this.#openCall({ api, start: chain.start, repeated: chain.repeated }, at);
      else if (char === '`' && api.needs === 'table') {
        this.inert++;
        return this.openTemplate(at, { ...chain, api: satisfiedApi(api) });
      } else throw new Doubt();
    }
  }

  #skipTypeArguments(start: number): number {
    let depth = 0;
    for (let at = start; at < this.text.length && at < start + 2000; at++) {
      const char = this.text.charAt(at);
      if (char === '<') depth++;
      else if (char === '>' && this.text.charAt(at - 1) !== '=') depth--;
      else if (char === "'" || char === '"') at = (readLiteral(this.text, at)?.end ?? Infinity) - 1;
      else if (char === '`' || char === '/') break;
      if (depth === 0) return at + 1;
    }
    throw new Doubt();
  }

  #openCall(chain: Chain, paren: number): void {
    if (chain.api.needs !== 'nothing') {
      this.inert++;
      const { start, repeated } = chain;
      this.openParen(paren, '', undefined, { api: satisfiedApi(chain.api), start, repeated });
      return;
    }
    const titleStart = this.skipTrivia(paren + 1);
    const title = this.#readStaticTitle(titleStart);
    if (chain.api.mayAnnotate && !title) throw new Doubt();
    const call: OpenCall = {
      api: chain.api,
      start: chain.start,
      repeated: chain.repeated,
      children: [],
      title: title?.value,
      titleIsStatic: title !== undefined,
      titleStart,
      commas: 0,
      flags: { skip: false, only: false, todo: false },
    };
    this.openParen(paren, '', call);
    if (chain.api.role === 'test') this.inert++;
    else this.#suites.push(call);
    if (title) this.jump(title.end);
  }

  /** The value of a string, or of strings joined by `+`; undefined when the title is an expression. */
  #readStaticTitle(start: number): { value: string; end: number } | undefined {
    let value = '';
    for (let at = start; ;) {
      const literal = readLiteral(this.text, at);
      if (!literal) {
        // A function, an object or nothing at all is no title; parentheses may hide a literal.
        if (/[)([{<.]|(?:function|class|async)\b/y.test(this.text.slice(at, at + 9))) throw new Doubt();
        return undefined;
      }
      value += literal.value;
      at = this.skipTrivia(literal.end);
      const next = this.text.charAt(at);
      if (next === ',' || next === ')') return { value, end: literal.end };
      if (next !== '+') throw new Doubt();
      at = this.skipTrivia(at + 1);
    }
  }

  protected override onComma({ call }: Frame<OpenCall, Chain>): void {
    if (!call) return;
    this.#endTitle(call);
    call.commas++;
  }

  #endTitle(call: OpenCall): void {
    if (call.title !== undefined) return;
    const end = this.previous.end;
    const text = this.text.slice(call.titleStart, end);
    call.title =
      this.lastTemplate.start === call.titleStart && this.lastTemplate.end === end ? text.slice(1, -1) : text;
  }

  /** Operators and callbacks with parameters beside a suite's title mean more than a look at them can tell. */
  protected override onArgument({ call }: Frame<OpenCall, Chain>, char: string): void {
    if (!call) return;
    if (call.title === undefined) {
      if (char === '=>') throw new Doubt();
      return;
    }
    if (call.api.role === 'test') return;
    if (char === '(' && !call.api.each && this.text.charAt(this.skipTrivia(this.at + 1)) !== ')')
      throw new Doubt();
    if (char === '=>' && !call.api.each && this.#isBareParameter()) throw new Doubt();
    if ('?|&=+'.includes(char)) throw new Doubt();
  }

  /** `x` of `x => …`. */
  #isBareParameter(): boolean {
    return /(?:,|\basync)\s*[\w$]+\s*$/.test(this.text.slice(Math.max(0, this.at - 100), this.at));
  }

  protected override onBrace(frame: Frame<OpenCall, Chain>, brace: Brace): Frame<OpenCall, Chain> {
    const { call } = frame;
    if (brace === 'function' && call?.api.role === 'suite') return this.frame('callback');
    if (brace === 'other' && call && this.previousIs(','))
      return this.frame('other', '', undefined, undefined, call);
    return this.frame(brace);
  }

  protected override onClose(frame: Frame<OpenCall, Chain>): void {
    if (frame.resume) {
      this.inert--;
      this.#readChain(frame.resume, this.at);
    } else if (frame.call) this.#closeCall(frame.call);
  }

  #closeCall(call: OpenCall): void {
    this.#endTitle(call);
    if (call.api.role === 'test') this.inert--;
    else this.#suites.pop();
    // A body after it makes it a method, a type makes it a signature, another call a wrapper.
    if ('{:.(`='.includes(this.text.charAt(this.skipTrivia(this.at)) || ' ')) throw new Doubt();
    const argumentCount = call.commas + (this.previousIs(',') ? 0 : 1);
    const { api, flags } = call;
    const siblings = this.#suites.at(-1)?.children ?? this.found;
    siblings.push({
      kind: kindOf(api, call.titleIsStatic, call.repeated),
      title: call.title ?? '',
      mode: modeOf(
        { skip: api.skip || flags.skip, only: api.only || flags.only, todo: api.todo || flags.todo },
        argumentCount,
      ),
      start: call.start,
      end: this.at,
      children: call.children,
    });
  }
}

function toScannedTest(test: RawTest, lines: LineMap): ScannedTest {
  const { kind, title, mode, start, end, children } = test;
  return {
    kind,
    title,
    mode,
    range: lines.range(start, end),
    children: children.map((child) => toScannedTest(child, lines)),
  };
}
