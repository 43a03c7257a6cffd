// The functions and methods at the top of a Go file.
import { closingAt, type GoToken } from './tokens.ts';

/** A function at the top of the file. */
export interface Declared {
  readonly name: string;
  /** Type of the receiver of a method. */
  readonly receiver?: string;
  readonly parameters: string;
  /** Indexes of `func` and of the braces of the body. */
  readonly first: number;
  readonly open: number;
  readonly close: number;
}

export function* declaredIn(tokens: readonly GoToken[]): Generator<Declared> {
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind === 'mark' && '([{'.includes(token.text)) at = closingAt(tokens, at);
    if (token?.text !== 'func' || token.kind !== 'word') continue;
    const first = at;
    const hasReceiver = tokens[at + 1]?.text === '(';
    const end = hasReceiver ? closingAt(tokens, at + 1) : at;
    const receiver = hasReceiver ? receiverType(tokens.slice(at + 2, end)) : undefined;
    const name = tokens[end + 1];
    let from = end + 2;
    if (tokens[from]?.text === '[') from = closingAt(tokens, from) + 1;
    if (name?.kind !== 'word' || tokens[from]?.text !== '(') continue;
    const closed = closingAt(tokens, from);
    const parameters = tokens.slice(from + 1, closed).map(({ text }) => text);
    let open = closed + 1;
    // Results may be in brackets; a declaration without a body ends with its line.
    while (open < tokens.length && tokens[open]?.text !== '{' && tokens[open]?.text !== 'func') {
      open = '(['.includes(tokens[open]?.text ?? ' ') ? closingAt(tokens, open) + 1 : open + 1;
    }
    if (tokens[open]?.text !== '{') {
      at = open - 1;
      continue;
    }
    const close = closingAt(tokens, open);
    at = close;
    yield {
      name: name.text,
      parameters: parameters.join(' '),
      first,
      open,
      close,
      ...(receiver !== undefined && { receiver }),
    };
  }
}

function receiverType(tokens: readonly GoToken[]): string {
  return tokens.filter(({ kind }) => kind === 'word').at(tokens.length > 1 ? 1 : 0)?.text ?? '';
}

/** `TestX`, `Test_x`, `Test`, not `Testify`. */
export function isTestName(name: string, prefix: string): boolean {
  return name.startsWith(prefix) && !/^\p{Ll}/u.test(name.slice(prefix.length));
}

/** The brace that opens the body: not that of a composite literal in the header, which stands in brackets or behind a type. */
export function bodyOfLoop(tokens: readonly GoToken[], from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const token = tokens[at];
    if (token?.text === '(' || token?.text === '[') at = closingAt(tokens, at);
    else if (token?.text === 'struct' && tokens[at + 1]?.text === '{') at = closingAt(tokens, at + 1);
    else if (token?.text === '{') {
      const close = closingAt(tokens, at);
      // `range []string{"a"} {`, `range map[string]T{…} {`: one more brace follows at once.
      if (tokens[close + 1]?.text === '{') return close + 1;
      return at;
    }
  }
  return to;
}
