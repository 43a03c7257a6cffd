// Finds the tests of a Go file in its tokens: functions, subtests, tables of cases, methods of testify's suites.
import type { ScannedTest } from '../../model/testNode.ts';
import { lineMap, type LineMap } from '../lineMap.ts';
import { bodyOfLoop, declaredIn, isTestName, type Declared } from './declarations.ts';
import { casesOf } from './tableCases.ts';
import { closingAt, goText, goTokens, subtestName, type GoToken, type GoTokens } from './tokens.ts';

interface Source extends GoTokens {
  readonly text: string;
  readonly lines: LineMap;
  /** Methods that are tests, by the type they belong to. */
  readonly methods: ReadonlyMap<string, readonly ScannedTest[]>;
}

/**
 * Tests, fuzz tests and examples with an output; benchmarks and TestMain are none. Titles of subtests are as `go test` prints them; a
 * computed one makes a template.
 */
export function findGoTests(text: string): readonly ScannedTest[] {
  const source = goTokens(text);
  const lines = lineMap(text);
  const functions = [...declaredIn(source.tokens)];
  const methods = new Map<string, ScannedTest[]>();
  for (const declared of functions) {
    const { receiver, name, parameters } = declared;
    if (receiver === undefined || !isTestName(name, 'Test') || parameters !== '') continue;
    const known = methods.get(receiver) ?? [];
    const context = { ...source, text, lines, methods: new Map<string, readonly ScannedTest[]>() };
    methods.set(receiver, [...known, testOf(declared, context)]);
  }
  const context = { ...source, text, lines, methods };
  return functions
    .filter((declared) => isTest(declared, source))
    .map((declared) => testOf(declared, context));
}

function isTest({ name, parameters, receiver, open, close }: Declared, source: GoTokens): boolean {
  if (receiver !== undefined) return false;
  if (isTestName(name, 'Test')) return /^\w+ \* (?:\w+ \. )?T(?: ,)?$/.test(parameters);
  if (isTestName(name, 'Fuzz')) return /^\w+ \* (?:\w+ \. )?F(?: ,)?$/.test(parameters);
  if (!isTestName(name, 'Example') || parameters !== '') return false;
  const from = source.tokens[open]?.start ?? 0;
  const end = source.tokens[close]?.start ?? Infinity;
  const inside = source.comments.filter(({ start }) => start > from && start < end);
  // The last block of comments, behind all code.
  const code = source.tokens[close - 1]?.end ?? 0;
  return inside.some(
    ({ text, start }) => start >= code && /^(?:\/\/|\/\*)\s*(?:unordered )?output:/i.test(text),
  );
}

function testOf({ name, first, open, close }: Declared, source: Source): ScannedTest {
  const start = source.tokens[first]?.start ?? 0;
  const end = source.tokens[close]?.end ?? source.text.length;
  const children = subtests(source, open + 1, close, '');
  return { kind: 'test', title: name, mode: 'run', range: source.lines.range(start, end), children };
}

/** `t.Run(…)` and `suite.Run(t, …)` between two tokens; `loop`: the header of the loop around them. */
function subtests(source: Source, from: number, to: number, loop: string): readonly ScannedTest[] {
  const { tokens } = source;
  const found: ScannedTest[] = [];
  for (let at = from; at < to; at++) {
    const token = tokens[at];
    if (token?.kind === 'word' && token.text === 'for') {
      const open = bodyOfLoop(tokens, at + 1, to);
      const close = closingAt(tokens, open);
      const header = source.text.slice(token.end, tokens[open]?.start ?? token.end).trim();
      found.push(...subtests(source, open + 1, Math.min(close, to), header === '' ? ';' : header));
      at = close;
      continue;
    }
    if (token?.text !== 'Run' || tokens[at - 1]?.text !== '.' || tokens[at + 1]?.text !== '(') continue;
    const close = closingAt(tokens, at + 1);
    const owner = tokens[at - 2];
    if (owner?.kind !== 'word') continue;
    const comma = commaIn(tokens, at + 2, close);
    if (comma === undefined) continue;
    if (owner.text === 'suite') found.push(...methodsOf(source, comma + 1, close));
    else found.push(...subtest(source, { first: at - 2, open: at + 1, comma, close }, loop));
    at = close;
  }
  return uniquelyNamed(found);
}

/** As Go does it: names that come again, and empty ones, get a number. */
function uniquelyNamed(tests: readonly ScannedTest[]): readonly ScannedTest[] {
  const seen = new Map<string, number>();
  return tests.map((test) => {
    if (test.kind === 'template') return test;
    const count = seen.get(test.title) ?? 0;
    seen.set(test.title, count + 1);
    if (count === 0 && test.title !== '') return test;
    return { ...test, title: `${test.title}#${String(count).padStart(2, '0')}` };
  });
}

interface Call {
  readonly first: number;
  readonly open: number;
  readonly comma: number;
  readonly close: number;
}

function subtest(source: Source, { first, open, comma, close }: Call, loop: string): readonly ScannedTest[] {
  const { tokens, text, lines } = source;
  const begin = tokens[open + 1];
  const range = lines.range(tokens[first]?.start ?? 0, tokens[close]?.end ?? text.length);
  const children = subtests(source, comma + 1, close, '');
  const written = text.slice(begin?.start ?? 0, tokens[comma]?.start ?? 0).trim();
  const literal = comma === open + 2 && begin?.kind === 'text' ? goText(begin.text) : undefined;
  if (literal !== undefined && loop === '')
    return [{ kind: 'test', title: subtestName(literal), mode: 'run', range, children }];
  const cases = loop === '' ? undefined : casesOf(source, first, loop, written);
  if (!cases) return [{ kind: 'template', title: literal ?? written, mode: 'run', range, children }];
  return cases.map(({ name, start, end }) => ({
    kind: 'test',
    title: subtestName(name),
    mode: 'run',
    range: lines.range(start, end),
    children,
  }));
}

/** The methods of the suite that the second argument names, as far as they stand in this file. */
function methodsOf({ tokens, methods }: Source, from: number, to: number): readonly ScannedTest[] {
  const named = tokens.slice(from, to).filter(({ kind }) => kind === 'word');
  return named.flatMap(({ text }) => methods.get(text) ?? []);
}

function commaIn(tokens: readonly GoToken[], from: number, to: number): number | undefined {
  for (let at = from; at < to; at++) {
    const text = tokens[at]?.kind === 'mark' ? (tokens[at]?.text ?? '') : '';
    if (text === ',') return at;
    if (text !== '' && '([{'.includes(text)) at = closingAt(tokens, at);
  }
  return undefined;
}
