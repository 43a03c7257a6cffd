// Whether a regular expression accepts more kinds of text than the one in whose place it stands, in JavaScript and Python alike.

type PatternDialect = 'javascript' | 'python';

/**
 * One sentence; undefined when only plain text between the same signs changed, an anchor was added, or text took the place of signs that
 * were open. Whatever else is built in another way counts as wider: whether it is cannot be told. In Python, and where signs say which
 * text may be left out, no piece of the text may become less.
 */
export function widerPattern(was: string, is: string, dialect: PatternDialect): string | undefined {
  if (was === is) return undefined;
  const [old, now] = [piecesOf(was, dialect), piecesOf(is, dialect)];
  const unread = [...old, ...now].find(({ sign }) => isUnread.test(sign));
  if (unread !== undefined)
    return `The pattern contains ${unread.sign}, so what it accepts cannot be determined.`;
  const isKept = dialect === 'python' || old.some(({ sign }) => scopes.test(sign));
  let isLess = false;
  let at = 0;
  let run: Counts = countsOf(now[0]?.text ?? '');
  const settle = (end: number): void => {
    const before = countsIn(old.slice(at, end));
    isLess ||= (isKept || end > at + 1) && (run.letters < before.letters || run.signs < before.signs);
    at = end;
  };
  for (const { sign, text } of now.slice(1)) {
    const found = old.findIndex((piece, index) => index > at && piece.sign === sign);
    const isThere = found > at && old.slice(at + 1, found).every(({ sign: gone }) => isOpen(gone));
    if (isThere) {
      settle(found);
      run = countsOf(text);
    } else if (anchor.test(sign)) run = sum(run, countsOf(text));
    else return `The pattern became open where it was fixed (${sign}).`;
  }
  const lost = old.slice(at + 1).find(({ sign }) => !isOpen(sign));
  if (lost !== undefined) return `The pattern lost its ${lost.sign}.`;
  settle(old.length);
  return isLess ? 'The pattern requires less text than before.' : undefined;
}

/** The characters of a pattern that stand for themselves, in order. */
export const plainText = (pattern: string, dialect: PatternDialect): string =>
  piecesOf(pattern, dialect)
    .map(({ text }) => text)
    .join('');

/** A sign with a meaning, and the plain text that follows it; the first of a pattern has no sign. */
interface Piece {
  readonly sign: string;
  readonly text: string;
}

interface Counts {
  /** Letters and digits. */
  readonly letters: number;
  /** Everything but white space. */
  readonly signs: number;
}

const countsOf = (text: string): Counts => ({
  letters: text.match(/[\p{L}\p{N}]/gu)?.length ?? 0,
  signs: text.match(/\S/gu)?.length ?? 0,
});

const sum = (one: Counts, other: Counts): Counts => ({
  letters: one.letters + other.letters,
  signs: one.signs + other.signs,
});

/** Of the text, with a character for every sign but the first that stood for one. */
const countsIn = (pieces: readonly Piece[]): Counts =>
  pieces
    .map(({ sign, text }, index) =>
      countsOf(index > 0 && oneOf.test(sign) && sign !== '\\s' ? `${text}_` : text),
    )
    .reduce(sum, { letters: 0, signs: 0 });

const anchor = /^(?:[\^$]|\\[bAZ])$/;
/** One character of several. */
const oneOf = /^(?:\.|\\[dDwWsS]|\[.+)$/s;
/** Of a character: it may be there more often than once, or not at all. */
const mayRepeat = /^(?:[*+?]|\{[01]?,\d*\})[?+]?$/;
/** Text in its place is one of the texts that it accepted. */
const isOpen = (sign: string): boolean => oneOf.test(sign) || mayRepeat.test(sign);
/** They say which text is asked for together, or may be left out. */
const scopes = /^(?:\||\(\?<?[=!]|\).)/s;
/** What must not be there, with groups in it; comments and white space that are no text. */
const isUnread = /^\(\?(?:<?!|[a-zA-Z]*x[a-zA-Z-]*[:)])$/;

const repetition = String.raw`(?:[*+?]|\{\d*,\d*\}|\{\d+\})[?+]?`;
const escape = String.raw`\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[NpP]\{[^}]*\}|k<[^>]*>|\d+|[^])`;
const group = String.raw`\(\?<?!(?:\\[^]|[^()\\])*\)|\(\?#[^)]*\)|\((?:\?(?:P?<\w+>|P[=>][^)]*\)?|<?[=!]|[a-zA-Z-]*[:)]?))?`;
const tokens: Readonly<Record<PatternDialect, RegExp>> = {
  javascript: tokenWith(String.raw`\[\^?(?:\\[^]|[^\]])*\]`),
  // The first bracket of a class is one of its characters.
  python: tokenWith(String.raw`\[\^?\]?(?:\\[^]|[^\]])*\]`),
};

function tokenWith(characterClass: string): RegExp {
  return new RegExp(`${escape}|${characterClass}|${group}|\\)(?:${repetition})?|${repetition}|[^]`, 'gu');
}

function piecesOf(pattern: string, dialect: PatternDialect): readonly Piece[] {
  const pieces: { readonly sign: string; text: string }[] = [{ sign: '', text: '' }];
  for (const [token] of pattern.matchAll(tokens[dialect])) {
    const last = pieces.at(-1);
    const isText = /^(?:[^.^$|*+?()[\\]|\\[^a-zA-Z\d])$/u.test(token);
    if (isText && last !== undefined) last.text += token.replace('\\', '');
    else pieces.push({ sign: token, text: '' });
  }
  return pieces;
}
