// What the names of a side of a comparison were given in the test: `got := w.Code` says more than `got`.
import { bodyOfLoop, type Declared } from './declarations.ts';
import { partsBetween, type Span } from './goExpression.ts';
import type { GoSource } from './goSource.ts';
import { statementEnd } from './statements.ts';
import { bracketAround, closingAt, placesOf, type GoToken } from './tokens.ts';

interface Given {
  readonly value: Span;
  /** Indexes between which the name has this value, as far as that is known. */
  readonly from: number;
  readonly to: number;
}

/** What is known of the names of one test by now. */
export type GivenNames = Map<string, readonly Given[]>;

/** The side itself first. `at`, `open`: of the comparison. Functions and what stands in braces are not looked into. */
export function givenTo(
  side: Span,
  { at, open }: { readonly at: number; readonly open: number },
  source: GoSource,
  test: Declared,
  names: GivenNames,
): readonly Span[] {
  const parts = [side];
  const seen = new Set<string>();
  for (const part of parts)
    for (const index of outsideOfBraces(source.tokens, part)) {
      const token = source.tokens[index];
      const isName = token?.kind === 'word' && source.tokens[index - 1]?.text !== '.';
      if (!isName || seen.has(token.text) || source.tokens[index + 1]?.text === '(') continue;
      seen.add(token.text);
      const given = names.get(token.text) ?? valuesOf(token.text, source, test);
      names.set(token.text, given);
      for (const { value, from, to } of given) if (from < open && at <= to) parts.push(value);
    }
  return parts;
}

/** The words of a side, or of what it was given. */
export const wordsOf = ({ tokens }: GoSource, part: Span): string =>
  outsideOfBraces(tokens, part)
    .flatMap((index) => (tokens[index]?.kind === 'word' ? (tokens[index]?.text ?? '') : []))
    .join(' ');

/** Does the file count something of this name up: `calls++`, `f.calls += 1`, `calls.Add(1)`, `atomic.AddInt32(&calls, 1)`? */
export function isCountedUp({ tokens }: GoSource, { from, to }: Span): boolean {
  for (let at = from; at < to; at++) {
    const token = tokens[at];
    if (/^[[{]$/.test(token?.text ?? '')) at = closingAt(tokens, at);
    if (token?.kind === 'word' && placesOf(tokens, token.text).some((place) => isCount(tokens, place)))
      return true;
  }
  return false;
}

function isCount(tokens: readonly GoToken[], at: number): boolean {
  const [next, second, third] = [1, 2, 3].map((step) => tokens[at + step]?.text ?? '');
  if (next === '+' && /^[+=]$/.test(second ?? '')) return true;
  if (next === '.' && /^(?:Add|Inc)$/.test(second ?? '') && third === '(') return true;
  const call = bracketAround(tokens, at);
  return /^Add(?:Int|Uint)(?:32|64)$/.test(tokens[call - 1]?.text ?? '') && tokens[call + 1]?.text === '&';
}

function outsideOfBraces(tokens: readonly GoToken[], { from, to }: Span): readonly number[] {
  const found: number[] = [];
  for (let at = from; at < to; at++)
    if (tokens[at]?.text === '{') at = closingAt(tokens, at);
    else found.push(at);
  return found;
}

function valuesOf(name: string, source: GoSource, { open, close }: Declared): readonly Given[] {
  const { tokens } = source;
  return placesOf(tokens, name).flatMap((at) => {
    if (at <= open || at >= close || tokens[at - 1]?.text === '.') return [];
    let [first, last] = [at, at];
    while (tokens[first - 1]?.text === ',' && tokens[first - 2]?.kind === 'word') first -= 2;
    while (tokens[last + 1]?.text === ',' && tokens[last + 2]?.kind === 'word') last += 2;
    const from = givenBehind(source, first, last);
    if (from === undefined || tokens[from]?.text === 'func') return [];
    const isDeclared = tokens[last + 1]?.text !== '=';
    const known = isDeclared ? { from, to: scopeEnd(tokens, first, close) } : { from: open, to: close };
    if (tokens[from]?.text === 'range')
      return [{ value: { from: from + 1, to: bodyOfLoop(tokens, from, close) }, ...known }];
    const value = { from, to: statementEnd(source, from) };
    const values = partsBetween(tokens, value);
    const isEach = values.length === (last - first) / 2 + 1;
    return [{ value: (isEach ? values[(at - first) / 2] : undefined) ?? value, ...known }];
  });
}

/** Index behind `:=`, `=` or `var name T =`, where names stand before it. */
function givenBehind(source: GoSource, first: number, last: number): number | undefined {
  const { tokens } = source;
  const [next, second, third] = [1, 2, 3].map((step) => tokens[last + step]);
  if (next?.text === ':' && second?.text === '=') return last + 3;
  if (next?.text === '=') return second?.text === '=' && second.start === next.end ? undefined : last + 2;
  // `got += …`
  if (/^[-+*/%&|^]$/.test(next?.text ?? '') && second?.text === '=' && third?.text !== '=') return last + 3;
  if (!/^(?:var|const)$/.test(tokens[first - 1]?.text ?? '')) return undefined;
  const end = statementEnd(source, last);
  for (let at = last + 1; at < end; at++) if (tokens[at]?.text === '=') return at + 1;
  return undefined;
}

/** Where the scope of a name ends that is declared at `first`: with its block, or with what stands behind its header. */
function scopeEnd(tokens: readonly GoToken[], first: number, close: number): number {
  const isHeader = /^(?:if|for|switch)$/.test(tokens[first - 1]?.text ?? '');
  if (!isHeader) return closingAt(tokens, bracketAround(tokens, first));
  let end = closingAt(tokens, bodyOfLoop(tokens, first, close));
  // What stands behind `else` knows the name too.
  while (tokens[end + 1]?.text === 'else') end = closingAt(tokens, bodyOfLoop(tokens, end + 2, close));
  return end;
}
