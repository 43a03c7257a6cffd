// Finds the string literals of code that a name gives away: of a variable, a key, a list, a call, a function or a column.
import type { SecretPlace } from './knownSecrets.ts';
import { looksLikeOne, Sureness, surenessOf, surenessWithin } from './secretNames.ts';

/** Each alternative is unrolled and escapes are read outside of literals as within, so that no line is read twice for the same quote. */
const literal = [
  String.raw`"""[\s\S]*?"""`,
  String.raw`'''[\s\S]*?'''`,
  String.raw`"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"`,
  String.raw`'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'`,
  '`(?!``)[^`\\\\]*(?:\\\\[\\s\\S][^`\\\\]*)*`',
].join('|');
const tokens = new RegExp(
  String.raw`(?<=[=(,:[!&|?]\s{0,30})\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.){0,200}\]){1,300}\/|` +
    String.raw`(?<![\p{L}\p{N}_$])(?<prefix>[bBrRfFuU]{0,2})(?<literal>${literal})|(?<name>[\p{L}_$][\p{L}\p{M}\p{N}_$ー]*)|\\[\s\S]|` +
    String.raw`=>|[=!]==?|\|\|=?|\?\?=?|:=|[-=:+,;()[\]{}.?\n]|\S`,
  'gu',
);
const keywords = new Set(
  'const let var new await async yield if else for while in of not and or is function static readonly public private export'.split(
    ' ',
  ),
);

interface Frame {
  readonly kind: 'block' | 'call' | 'group' | 'list' | 'object' | 'index';
  readonly callee: string;
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
  readonly returns: Sureness;
  readonly cases: Sureness;
}
interface Held {
  readonly sureness: Sureness;
  readonly isDirect: boolean;
}
const nothing: Held = { sureness: Sureness.none, isDirect: false };
const within = (sureness: Sureness): Held => ({
  sureness: Math.min(sureness, Sureness.likely),
  isDirect: false,
});

/** `least`: how sure a name must be. */
export function* literalSecrets(text: string, least: Sureness): Generator<SecretPlace> {
  const frames: Frame[] = [frameOf('block')];
  let previous = '\n';
  let afterClass = false;
  let defined = '';
  let closed: Frame | undefined;
  for (const { index, 0: token, groups = {} } of text.matchAll(tokens)) {
    const frame = frames.at(-1) ?? frameOf('block');
    const { name, literal: whole } = groups;
    if (whole !== undefined) {
      const quote = /^(?:"""|'''|["'`])/.exec(whole)?.[0] ?? '';
      const start = index + token.length - whole.length + quote.length;
      const content = text.slice(start, index + token.length - quote.length);
      frame.last = content;
      const isNames = content.length <= 80 && /^[#.]?[\w$-]+(?:\s*[,|]\s*[\w$-]+)*$/.test(content);
      const told = isNames ? Math.max(...content.split(/[,|]/).map((one) => surenessWithin(one))) : 0;
      const isKey =
        previous !== 'case' &&
        /^\s{0,20}(?::(?!=)|=>)/.test(text.slice(index + token.length, index + token.length + 24));
      if (!isKey && isSecret(content, frame.value, least, told > 0))
        yield* trimmed(content, start, !frame.value.isDirect);
      if (!isKey && told > 0 && frame.kind !== 'block' && frame.kind !== 'index' && !frame.value.isDirect) {
        frame.base = within(Math.max(told, frame.base.sureness));
        frame.all = Math.max(frame.all, told);
        frame.several = true;
      }
      previous = 'literal';
      continue;
    }
    if (name !== undefined) {
      if (name === 'return') {
        const returns = Math.max(frame.returns, frame.kind === 'block' ? surenessWithin(defined) : 0);
        frame.value = within(returns);
      } else if (name === 'case') frame.value = within(frame.cases);
      else if (!keywords.has(name)) {
        if (previous === 'def') defined = name;
        afterClass = previous === 'class';
        const found = afterClass ? Sureness.none : surenessWithin(name);
        frame.names = Math.max(frame.names, found);
        frame.all = Math.max(frame.all, found);
        frame.last = name;
      }
      previous = name;
      continue;
    }
    const isNamed = previous === 'literal' || previous === ']' || previous === '?' || /^[\w$]/.test(previous);
    switch (token) {
      case '=':
      case ':=':
      case '||=':
      case '??=': {
        const own = isNamed ? surenessOf(frame.last) : Sureness.none;
        if (own > Sureness.none) frame.value = { sureness: own, isDirect: true };
        else if (frame.names > Sureness.none && !frame.value.isDirect) frame.value = within(frame.names);
        break;
      }
      case ':':
      case '=>':
        if (!isNamed && token === '=>') frame.value = within(frame.value.sureness);
        else if (isNamed && !afterClass) {
          const own = surenessOf(frame.last);
          if (own > Sureness.none)
            frame.value = {
              sureness: token === ':' ? surer(own, frame) : Math.min(own, Sureness.likely),
              isDirect: true,
            };
          else if (token === ':') frame.value = frame.base;
        }
        break;
      case '||':
      case '??':
      case '==':
      case '===':
      case '!=':
      case '!==':
        if (isNamed && surenessOf(frame.last) > Sureness.none)
          frame.value = { sureness: Math.min(surenessOf(frame.last), Sureness.likely), isDirect: true };
        break;
      case ',':
        if (frame.kind === 'block') frame.several ||= frame.value.sureness === Sureness.none;
        else if (
          frame.kind === 'call' &&
          /equal|same|match|assert|^is$/i.test(frame.callee) &&
          isNamed &&
          previous !== 'literal'
        )
          frame.base = within(Math.max(frame.base.sureness, surenessWithin(frame.last)));
        if (frame.kind !== 'block' || !frame.several) {
          frame.value = frame.base;
          frame.names = Sureness.none;
        }
        break;
      case ';':
      case '\n':
        if (token === ';' || (frame.kind === 'block' && !/^(?:[=:+,.(?[{|]+|=>)$/.test(previous))) {
          frame.value = frame.base;
          frame.names = Sureness.none;
          frame.several = false;
        }
        if (token === '\n') continue;
        break;
      case '(':
      case '[':
      case '{':
        frames.push(opened(token, frame, previous, isNamed, closed));
        break;
      case ')':
      case ']':
      case '}': {
        if (frames.length === 1) break;
        frames.pop();
        closed = frame;
        const outer = frames.at(-1) ?? frame;
        if (frame.kind === 'index') outer.last = frame.last;
        if (frame.kind === 'index' || frame.kind === 'block') break;
        if (frame.kind !== 'call') {
          outer.names = Math.max(outer.names, frame.all);
          outer.all = Math.max(outer.all, frame.all);
          // A row of names: those of a table's columns.
          if (frame.several && outer.kind !== 'block')
            outer.base = within(Math.max(outer.base.sureness, frame.base.sureness));
        } else if (/^(?:expect|assertThat|that)$/.test(frame.callee))
          outer.value = within(surenessWithin(frame.last));
        // A field gives its name to the value that is typed into it.
        else if (/^(?:get|find|query|locator|by|label)/i.test(frame.callee))
          outer.value = within(Math.max(outer.value.sureness, surenessWithin(frame.last)));
        break;
      }
    }
    previous = token;
  }
}

/** The parts of credentials have short names. */
const surer = (own: Sureness, { kind, base }: Frame): Sureness =>
  own >= Sureness.likely && kind === 'object' && base.sureness >= Sureness.likely ? Sureness.sure : own;

function frameOf(kind: Frame['kind'], more: Partial<Frame> = {}): Frame {
  const value = more.base ?? nothing;
  return {
    kind,
    callee: '',
    base: nothing,
    value,
    several: false,
    names: 0,
    all: 0,
    last: '',
    returns: 0,
    cases: 0,
    ...more,
  };
}

function opened(token: string, frame: Frame, previous: string, isNamed: boolean, closed?: Frame): Frame {
  const isWord = isNamed && previous !== 'literal' && previous !== '?' && !keywords.has(previous);
  if (token === '(') {
    if (!isWord && previous !== ')') return frameOf('group', { base: frame.value });
    const callee = previous === 'switch' ? previous : frame.last;
    const own = surenessWithin(callee);
    return frameOf('call', { callee, base: within(Math.max(own, frame.value.sureness)) });
  }
  if (token === '[') {
    if (isWord || previous === ')' || previous === 'literal') return frameOf('index');
    return frameOf('list', { base: inside(frame) });
  }
  if (previous === '=>') return frameOf('block', { returns: frame.value.sureness });
  if (previous === ')' && closed !== undefined)
    return frameOf('block', {
      returns: surenessWithin(closed.callee),
      cases: closed.callee === 'switch' ? closed.all : 0,
    });
  if (isWord && previous !== 'return') return frameOf('block');
  return frameOf('object', { base: inside(frame) });
}

/** A list of tokens has words of a language as often. */
function inside({ value, last }: Frame): Held {
  if (!value.isDirect) return value;
  const sureness = surenessWithin(last);
  return within(sureness === Sureness.none ? value.sureness : sureness);
}

const algorithm = /^(?:sha|md|aes|hs|rs|es|ps|utf|base)-?\d+/i;

function isSecret(content: string, { sureness, isDirect }: Held, least: Sureness, isName: boolean): boolean {
  if (sureness < Math.max(least, Sureness.vague) || content.trim() === '') return false;
  if (isDirect && sureness > Sureness.vague) return !/^(?:include|omit|same-origin)$/.test(content);
  return !isName && !algorithm.test(content) && (sureness > Sureness.vague || looksLikeOne(content));
}

function* trimmed(content: string, start: number, isWeak: boolean): Generator<SecretPlace> {
  const from = start + content.length - content.trimStart().length;
  yield { start: from, end: from + content.trim().length, isWeak };
}

/** A text within a text, as JSON has it, and where each of its characters stands. */
export function* textsWithin(
  text: string,
): Generator<{ readonly inner: string; readonly at: readonly number[] }> {
  for (const { index, 0: token, groups = {} } of text.matchAll(tokens)) {
    const whole = groups['literal'];
    if (whole === undefined || whole.length < 12 || !/["'`\\]/.test(whole.slice(1, -1))) continue;
    const first = index + token.length - whole.length + 1;
    let inner = '';
    const at: number[] = [];
    for (const { index: start, 0: one } of whole.slice(1, -1).matchAll(/\\[\s\S]|[\s\S]/g)) {
      at.push(first + start);
      inner += one === '\\n' ? '\n' : one.slice(-1);
    }
    at.push(index + token.length - 1);
    yield { inner, at };
  }
}
