// What the literal reader knows of a bracket while it reads it, and what the names in it tell of the literals beside them.
import type { SecretPlace } from './knownSecrets.ts';
import { readsLikeWords } from './entropy.ts';
import { fits } from './secretValues.ts';
import { looksLikeOne, Sureness, surenessWithin } from './secretNames.ts';

/** A literal that nothing told of when it was read. */
interface Item {
  readonly content: string;
  readonly start: number;
  /** Of the commas before it in its frame. */
  readonly index: number;
  readonly key: string;
  /** How sure the name is that the literal itself is, as of a key or a column. */
  readonly told: Sureness;
}

export interface Frame {
  readonly kind: 'block' | 'call' | 'group' | 'list' | 'object' | 'index';
  readonly callee: string;
  /** Offset behind its bracket. */
  readonly start: number;
  /** Of everything in it that has no name of its own. */
  base: Held;
  /** Of the value that is being read. */
  value: Held;
  /** It holds for the values after the next comma, too. */
  several: boolean;
  /** The surest name before the value, and of all in the frame. */
  names: Sureness;
  all: Sureness;
  last: string;
  /** Before the last point of the value that is being read: `password` of `password.should.equal`. */
  receiver: string;
  readonly returns: Sureness;
  readonly cases: Sureness;
  index: number;
  key: string;
  readonly items: Item[];
  /** Question marks whose colon is still to come. */
  conditions: number;
  /** On the left of a comparison whose right side is being read. */
  left: Item | undefined;
  /** What the next method is called on: a literal, the items of a list, the arguments of `expect`. */
  subject: readonly Item[];
  readonly subjectOfCall: readonly Item[];
  /** The surest name among the arguments of a comparison. */
  compared: Sureness;
  /** Of each column of the rows in it. */
  columns: readonly Sureness[];
}
export interface Held {
  readonly sureness: Sureness;
  readonly isDirect: boolean;
}
const nothing: Held = { sureness: Sureness.none, isDirect: false };
export const within = (sureness: Sureness): Held => ({
  sureness: Math.min(sureness, Sureness.likely),
  isDirect: false,
});
export const surest = (held: Held, sureness: Sureness): Held =>
  sureness > held.sureness ? within(sureness) : held;

export const comparing =
  /equal|same|match|assert|verify|compare|^(?:is|eq|eql|toBe|includes?|contains?|startsWith|endsWith|indexOf)$/i;
/** Words of chai between a value and what is asserted of it. */
export const chained = /^(?:should|to|be|been|not|deep|and|have|has|that|which|is|strictly)$/;

export function frameOf(kind: Frame['kind'], more: Partial<Frame> = {}): Frame {
  const value = more.base ?? nothing;
  return {
    kind,
    callee: '',
    start: 0,
    base: nothing,
    value,
    several: false,
    names: 0,
    all: 0,
    last: '',
    receiver: '',
    returns: 0,
    cases: 0,
    index: 0,
    key: '',
    items: [],
    conditions: 0,
    left: undefined,
    subject: [],
    subjectOfCall: [],
    compared: 0,
    columns: [],
    ...more,
  };
}

/** Of the name or the names of columns that a literal is. */
export function toldBy(content: string): Sureness {
  const plain = unescaped(content);
  const isNames = plain.length <= 80 && /^[#.]?[\w$-]+(?:\s*[,|]\s*[\w$-]+)*$/.test(plain);
  return isNames ? Math.max(...plain.split(/[,|]/).map((one) => surenessWithin(one))) : Sureness.none;
}

export const unescaped = (name: string): string =>
  name.includes('\\')
    ? name.replaceAll(/\\(?:u\{?|x)([\da-f]{2,6})\}?/gi, (all, code: string) => {
        const point = Number.parseInt(code, 16);
        return point <= 0x10_ffff ? String.fromCodePoint(point) : all;
      })
    : name;

/** What an assertion says when it fails stands behind both sides. */
export const isMessage = ({ index, content }: Item, { kind, callee }: Frame): boolean =>
  kind === 'call' && index > 1 && /\s/.test(content) && comparing.test(callee);

/** At the end of an argument: in a comparison its name tells of the other sides, and in any call of what comes next. */
export function argumentRead(frame: Frame, previous: string): void {
  if (frame.kind !== 'call') return;
  const { callee, items, index } = frame;
  if (comparing.test(callee)) {
    if (previous === 'literal' || !/^[\w$)\]]/.test(previous)) return;
    frame.compared = Math.max(frame.compared, surenessWithin(frame.last));
    frame.base = surest(frame.base, frame.compared);
  } else if (index === 0 && previous === 'literal') {
    const content = items.at(-1)?.content ?? '';
    if (/[,|]/.test(content) && toldBy(content) > Sureness.none)
      frame.columns = content.split(/[,|]/).map((one) => surenessWithin(one));
  }
}

/** `'X' === password`, when the right side has been read. */
export function* leftOf(frame: Frame, least: Sureness): Generator<SecretPlace> {
  const { left, last } = frame;
  if (left === undefined) return;
  frame.left = undefined;
  yield* claimed([left], surenessWithin(last), least);
}

/** Keys whose value belongs to the name that stands beside it: `{ name: 'password', value: 'X' }`. */
const valueKeys = /^(?:value|val|default(?:Value)?|text|content|data|input|answer)$/i;
const plainWord = /^[#.]?[A-Za-z_]+$/;

/** What the names in a call, a list or an object tell of the literals beside them. */
export function* closing(frame: Frame, outer: Frame, least: Sureness): Generator<SecretPlace> {
  const { kind, items, compared } = frame;
  if (items.length === 0 && frame.subjectOfCall.length === 0) return;
  if (kind === 'call' && comparing.test(frame.callee)) {
    const sides = items.filter((item) => !isMessage(item, frame));
    yield* claimed([...sides, ...frame.subjectOfCall], compared, least);
    return;
  }
  const told = Math.max(Sureness.none, ...items.map((item) => item.told).slice(0, 1000));
  if (told === Sureness.none || kind === 'block' || kind === 'index') return;
  if (kind === 'object') {
    yield* claimed(
      items.filter(({ key }) => valueKeys.test(key)),
      told,
      least,
    );
    return;
  }
  const areWords = items.every(({ content }) => plainWord.test(content));
  const isPair = items.length === 2 && items[0]?.told !== Sureness.none;
  if (areWords && kind !== 'call' && outer.index === 0 && items.length > 1 && !isPair)
    outer.columns = items.map((item) => item.told);
  for (const [at, name] of items.entries()) {
    if (name.told === Sureness.none || /[,|]/.test(name.content)) continue;
    const isItsOwn =
      /^[-#.]/.test(name.content) ||
      (kind === 'call'
        ? !areWords || (items.length === 2 && name.index === 0)
        : isPair && (!areWords || outer.kind === 'list'));
    for (let next = at + 1; items[next]?.index === name.index + 1; next++)
      yield* claimed(items.slice(next, next + 1), isItsOwn ? name.told : Sureness.hinted, least);
  }
}

function* claimed(items: readonly Item[], sureness: Sureness, least: Sureness): Generator<SecretPlace> {
  for (const item of items)
    if (isSecret(item, within(sureness), least)) yield* trimmed(item.content, item.start, true);
}

const algorithm = /^(?:sha|md|aes|hs|rs|es|ps|utf|base)-?\d+/i;

export function isSecret({ content, told }: Item, { sureness, isDirect }: Held, least: Sureness): boolean {
  if (sureness === Sureness.none || !/\w|[^\s*•.]{3}/.test(content) || /^\w{0,2}$/.test(content))
    return false;
  if (isDirect && sureness > Sureness.hinted)
    return !/^(?:include|omit|same-origin)$/.test(content) && fits(content, sureness);
  if (told > Sureness.none || algorithm.test(content)) return false;
  if (fits(content, sureness)) return true;
  return (
    sureness < Sureness.worded && least < Sureness.worded && looksLikeOne(content) && !readsLikeWords(content)
  );
}

export function* trimmed(content: string, start: number, isWeak: boolean): Generator<SecretPlace> {
  const from = start + content.length - content.trimStart().length;
  yield { start: from, end: from + content.trim().length, isWeak };
}
