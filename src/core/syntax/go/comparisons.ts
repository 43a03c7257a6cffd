// The comparisons of a plain test of Go that certainly fail it: what differs is told to its `t`.
import type { Declared } from './declarations.ts';
import { partsOf, type Span } from './goExpression.ts';
import type { GoSource } from './goSource.ts';
import { bracketAround, closingAt, type GoToken } from './tokens.ts';

export interface GoComparison {
  /** `if a != b { t.Error… }` · `if !reflect.DeepEqual(a, b) { … }` · `if d := cmp.Diff(a, b); d != "" { … }` · `assert.Equal(t, a, b)`. */
  readonly kind: 'unequal' | 'deep' | 'difference' | 'testify';
  /** Index of `if`, or of `assert`. */
  readonly at: number;
  readonly sides: readonly [Span, Span];
  /** Name of the `t` that is told. */
  readonly t: string;
  /** Index of the brace behind the condition, or of the bracket of the call. */
  readonly open: number;
  readonly hasInit: boolean;
  /** Index of the `t` in the block that is told; undefined where the call itself tells it. */
  readonly failure?: number;
}

export interface TestComparisons {
  readonly comparisons: readonly GoComparison[];
  /**
   * What is only told: arguments of `t.Errorf` and its like. By the index of the bracket of the call: that of the first token from which on
   * its arguments are told.
   */
  readonly reports: ReadonlyMap<number, number>;
}

export const noComparisons: TestComparisons = { comparisons: [], reports: new Map() };

/** None where a name that they lean on means something else in the test. */
export function comparisonsOf(source: GoSource, test: Declared & { readonly t: string }): TestComparisons {
  const { tokens } = source;
  const names = contextNames(tokens, test);
  if (names === undefined || source.hasDotImport) return noComparisons;
  const packages = new Map([...source.imports].filter(([name]) => isOnlyPackage(name, tokens, test)));
  const comparisons: GoComparison[] = [];
  const reports = new Map<number, number>();
  for (let at = test.open + 1; at < test.close; at++) {
    if (isReport(tokens, at, names)) reports.set(at + 3, at + 4);
    const found = ifAt(tokens, at, { names, packages }) ?? testifyAt(tokens, at, { names, packages });
    if (found === undefined) continue;
    comparisons.push(found);
    if (found.kind !== 'testify') continue;
    const [, , last] = partsOf(tokens, found.open).slice(0, 3);
    if (last) reports.set(found.open, last.to);
  }
  return { comparisons, reports };
}

interface Known {
  readonly names: ReadonlySet<string>;
  readonly packages: ReadonlyMap<string, string>;
}

/** The names of every `t *testing.T`; undefined where one of them is something else too. */
function contextNames(
  tokens: readonly GoToken[],
  test: Declared & { t: string },
): ReadonlySet<string> | undefined {
  const names = new Set([test.t]);
  for (let at = test.open; at < test.close; at++)
    if (tokens[at]?.text === 'func' && isContext(tokens, at + 2)) names.add(tokens[at + 2]?.text ?? '');
  for (let at = test.open; at < test.close; at++) {
    if (!names.has(tokens[at]?.text ?? '') || tokens[at - 1]?.text === '.') continue;
    if (!/^[.,)]$/.test(tokens[at + 1]?.text ?? '') && !isContext(tokens, at)) return undefined;
    // `t, err := …`
    let end = at;
    while (tokens[end + 1]?.text === ',' && tokens[end + 2]?.kind === 'word') end += 2;
    if (end > at && /^[:=]$/.test(tokens[end + 1]?.text ?? '')) return undefined;
    if (/^[,]$/.test(tokens[at - 1]?.text ?? '') && /^[:=]$/.test(tokens[at + 1]?.text ?? ''))
      return undefined;
  }
  return names;
}

const isContext = (tokens: readonly GoToken[], at: number): boolean =>
  tokens
    .slice(at + 1, at + 5)
    .map(({ text }) => text)
    .join('') === '*testing.T';

const isOnlyPackage = (name: string, tokens: readonly GoToken[], { open, close }: Declared): boolean => {
  for (let at = open; at < close; at++)
    if (tokens[at]?.text === name && tokens[at - 1]?.text !== '.' && tokens[at + 1]?.text !== '.')
      return false;
  return true;
};

/** `t.Errorf(…)`, `t.Log(…)` and their like. */
function isReport(tokens: readonly GoToken[], at: number, names: ReadonlySet<string>): boolean {
  if (!names.has(tokens[at]?.text ?? '') || tokens[at - 1]?.text === '.' || tokens[at + 1]?.text !== '.')
    return false;
  const isTold = /^(?:Error|Errorf|Fatal|Fatalf|Log|Logf)$/.test(tokens[at + 2]?.text ?? '');
  return isTold && tokens[at + 3]?.text === '(';
}

/**
 * Is the name at `at`, with the fields that are asked of it, an argument of a report by itself, or its length one? Inside of another call
 * or function it may be handed to the code.
 */
export function isReported(
  tokens: readonly GoToken[],
  at: number,
  reports: TestComparisons['reports'],
): boolean {
  let last = at;
  while (tokens[last + 1]?.text === '.' && tokens[last + 2]?.kind === 'word') last += 2;
  const around = bracketAround(tokens, at);
  const isLength = tokens[around - 1]?.text === 'len' && tokens[around - 2]?.text !== '.';
  const [from, to] = isLength ? [around - 1, last + 1] : [at, last];
  if (isLength && (around !== at - 1 || tokens[to]?.text !== ')')) return false;
  const told = reports.get(bracketAround(tokens, from));
  const isWhole = /^[(,]$/.test(tokens[from - 1]?.text ?? '') && /^[,)]$/.test(tokens[to + 1]?.text ?? '');
  return isWhole && told !== undefined && from >= told;
}

function ifAt(tokens: readonly GoToken[], at: number, known: Known): GoComparison | undefined {
  if (tokens[at]?.text !== 'if') return undefined;
  let semicolon: number | undefined;
  let open = at + 1;
  for (; tokens[open]?.text !== '{'; open++) {
    const text = tokens[open]?.text;
    if (text === undefined || /^(?:func|struct|interface)$/.test(text)) return undefined;
    if (text === ';') semicolon = open;
    if (/^[([]$/.test(text)) open = closingAt(tokens, open);
  }
  const close = closingAt(tokens, open);
  const failure = failingIn(tokens, open, close, known.names);
  if (failure === undefined || tokens[close + 1]?.text === 'else') return undefined;
  const condition = { from: semicolon === undefined ? at + 1 : semicolon + 1, to: open };
  const init = semicolon === undefined ? undefined : { from: at + 1, to: semicolon };
  const found =
    deepOf(tokens, condition, known) ??
    differenceOf(tokens, init, condition, known) ??
    unequalOf(tokens, condition);
  const t = tokens[failure]?.text ?? '';
  return found && { ...found, at, t, open, hasInit: init !== undefined, failure };
}

/** Index of the `t` that the block tells of a failure, with nothing before it but what it logs. */
function failingIn(
  tokens: readonly GoToken[],
  open: number,
  close: number,
  names: ReadonlySet<string>,
): number | undefined {
  let at = open + 1;
  while (at < close && names.has(tokens[at]?.text ?? '')) {
    const end = closingAt(tokens, at + 3);
    const isFailing = isFailure(tokens, at);
    if (!isFailing && !isLog(tokens, at)) return undefined;
    if (end >= close || !areTold(tokens, { from: at + 4, to: end }, names)) return undefined;
    if (isFailing) return endsProcess(tokens, { from: end, to: close }) ? undefined : at;
    at = end + 1;
    if (tokens[at]?.text === ';') at++;
  }
  return undefined;
}

/** Can none of these arguments end the test or skip it? */
function areTold(tokens: readonly GoToken[], { from, to }: Span, names: ReadonlySet<string>): boolean {
  for (let at = from; at < to; at++) {
    const text = tokens[at]?.text ?? '';
    if (names.has(text) && tokens[at - 1]?.text !== '.') return false;
    if (/^(?:func|panic|Exit|Goexit)$/.test(text)) return false;
  }
  return true;
}

const endsProcess = (tokens: readonly GoToken[], { from, to }: Span): boolean =>
  tokens.slice(from, to).some(({ text }) => /^(?:Exit|Goexit|recover)$/.test(text));

const isLog = (tokens: readonly GoToken[], at: number): boolean =>
  tokens[at + 1]?.text === '.' &&
  /^(?:Log|Logf|Helper)$/.test(tokens[at + 2]?.text ?? '') &&
  tokens[at + 3]?.text === '(';

const isFailure = (tokens: readonly GoToken[], at: number): boolean =>
  tokens[at + 1]?.text === '.' &&
  /^(?:Error|Errorf|Fatal|Fatalf|Fail|FailNow)$/.test(tokens[at + 2]?.text ?? '') &&
  tokens[at + 3]?.text === '(';

type Sides = Pick<GoComparison, 'kind' | 'sides'>;

function unequalOf(tokens: readonly GoToken[], { from, to }: Span): Sides | undefined {
  let found: number | undefined;
  for (let at = from; at < to; at++) {
    const text = tokens[at]?.text ?? '';
    const isUnequal =
      text === '!' && tokens[at + 1]?.text === '=' && tokens[at]?.end === tokens[at + 1]?.start;
    if (isUnequal && found === undefined) found = at++;
    else if (/^[!=<>|]$/.test(text) || (text === '&' && tokens[at + 1]?.text === '&')) return undefined;
    else if (/^[([]$/.test(text)) at = closingAt(tokens, at);
  }
  if (found === undefined || found === from || found + 2 >= to) return undefined;
  return {
    kind: 'unequal',
    sides: [
      { from, to: found },
      { from: found + 2, to },
    ],
  };
}

const equalities: Readonly<Record<string, string>> = {
  DeepEqual: 'reflect',
  'slices.Equal': 'slices',
  'maps.Equal': 'maps',
  'cmp.Equal': 'github.com/google/go-cmp/cmp',
};

function deepOf(tokens: readonly GoToken[], { from, to }: Span, { packages }: Known): Sides | undefined {
  if (tokens[from]?.text !== '!') return undefined;
  const [owner, name] = [tokens[from + 1]?.text ?? '', tokens[from + 3]?.text ?? ''];
  const path = equalities[name] ?? equalities[`${owner}.${name}`];
  if (path === undefined || packages.get(owner) !== path) return undefined;
  const sides = pairIn(tokens, from + 1, to);
  return sides && { kind: 'deep', sides };
}

function differenceOf(
  tokens: readonly GoToken[],
  init: Span | undefined,
  condition: Span,
  { packages }: Known,
): Sides | undefined {
  if (init === undefined) return undefined;
  const words = (span: Span): string =>
    tokens
      .slice(span.from, span.to)
      .map(({ text }) => text)
      .join(' ');
  const [, name, owner = ''] = /^(\w+) : = (\w+) \. Diff \(/.exec(words(init)) ?? [];
  if (name === undefined || packages.get(owner) !== 'github.com/google/go-cmp/cmp') return undefined;
  if (words(condition) !== `${name} ! = ""`) return undefined;
  const sides = pairIn(tokens, init.from + 3, init.to);
  return sides && { kind: 'difference', sides };
}

/** The two arguments of the call `package.Function(…)` that these tokens are, and nothing else. */
function pairIn(tokens: readonly GoToken[], from: number, to: number): readonly [Span, Span] | undefined {
  if (tokens[from + 1]?.text !== '.' || tokens[from + 3]?.text !== '(') return undefined;
  if (closingAt(tokens, from + 3) !== to - 1) return undefined;
  const [one, other, ...more] = partsOf(tokens, from + 3);
  return one && other && more.length === 0 ? [one, other] : undefined;
}

/** `assert.Equal(t, a, b)`, where a statement or a condition begins with it. */
function testifyAt(
  tokens: readonly GoToken[],
  at: number,
  { names, packages }: Known,
): GoComparison | undefined {
  const path = packages.get(tokens[at]?.text ?? '');
  if (!/^github\.com\/stretchr\/testify\/(?:assert|require)$/.test(path ?? '')) return undefined;
  const isCall = /^(?:Equal|Equalf)$/.test(tokens[at + 2]?.text ?? '') && tokens[at + 3]?.text === '(';
  if (!isCall || tokens[at - 1]?.text === '.') return undefined;
  const [t, one, other] = partsOf(tokens, at + 3);
  const name = tokens[t?.from ?? -1]?.text ?? '';
  if (!t || t.to !== t.from + 1 || !names.has(name) || !one || !other) return undefined;
  return { kind: 'testify', at, sides: [one, other], t: name, open: at + 3, hasInit: false };
}
