// Finds the string literals of code that a name gives away: of a variable, a key, a list, a call, a function or a column.
import type { SecretPlace } from './knownSecrets.ts';
import {
  argumentRead,
  chained,
  closing,
  comparing,
  frameOf,
  isMessage,
  isSecret,
  leftOf,
  surest,
  toldBy,
  trimmed,
  unescaped,
  within,
  type Frame,
  type Held,
} from './secretFrames.ts';
import { Sureness, surenessOf, surenessWithin } from './secretNames.ts';

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
    // A quote within a word is an apostrophe; a template may have its tag before it.
    String.raw`(?:(?<![\p{L}\p{N}_$])(?<prefix>[bBrRfFuU]{0,2})|(?=\x60))(?<literal>${literal})|` +
    String.raw`(?<name>[\p{L}_$](?:[\p{L}\p{M}\p{N}_$ー]|\\u[\da-fA-F]{4}){0,200})|\\[\s\S]|` +
    String.raw`=>|<-|::|[=!]==?|\|\|=?|\?\?=?|:=|[-=:+,;()[\]{}.?\n]|\S`,
  'gu',
);
const keywords = new Set(
  'const let var new await async yield if else for while in of not and or is function static readonly public private export'.split(
    ' ',
  ),
);

/** `least`: how sure a name must be where nothing but the word for a secret tells of a value. */
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
      const isKey =
        previous !== 'case' &&
        frame.conditions === 0 &&
        /^\s{0,20}(?::(?!=)|=>)/.test(text.slice(index + token.length, index + token.length + 24));
      // `mode === 'live' ? … : …`: what it is compared with is another name's.
      const isAside =
        /^[=!]==?$/.test(previous) && frame.last !== '' && surenessWithin(frame.last) === Sureness.none;
      if (!isKey && !isAside) {
        const item = { content, start, index: frame.index, key: frame.key, told: toldBy(content) };
        const held = surest(frame.value, frame.columns[frame.index] ?? Sureness.none);
        if (isSecret(item, held, least) && !isMessage(item, frame))
          yield* trimmed(content, start, !held.isDirect);
        else if (frame.kind !== 'block') frame.items.push(item);
        frame.subject = [item];
      }
      frame.last = content;
      previous = 'literal';
      continue;
    }
    if (name !== undefined) {
      if (name === 'return' || name === 'yield') {
        const returns = Math.max(frame.returns, frame.kind === 'block' ? surenessOf(defined) : 0);
        frame.value = within(returns);
      } else if (name === 'case') frame.value = within(frame.cases);
      else if (!keywords.has(name) || previous === '.') {
        if (/^(?:def|func|fun|fn)$/.test(previous)) defined = name;
        afterClass = previous === 'class';
        const plain = unescaped(name);
        const found = afterClass ? Sureness.none : surenessWithin(plain);
        frame.names = Math.max(frame.names, found);
        frame.all = Math.max(frame.all, found);
        if (previous !== '.') frame.receiver = '';
        else if (!chained.test(frame.last)) frame.receiver = frame.last;
        if (previous !== '.') frame.subject = [];
        frame.last = plain;
      }
      previous = name;
      continue;
    }
    const isNamed = previous === 'literal' || previous === ']' || previous === '?' || /^[\w$]/.test(previous);
    if (/^(?:[,;)\]}&|?]|\|\|=?|\?\?=?)$/.test(token)) yield* leftOf(frame, least);
    switch (token) {
      case '=':
      case ':=':
      // Of R.
      case '<-':
      case '||=':
      case '??=': {
        const own = isNamed ? surenessOf(frame.last) : Sureness.none;
        if (own > Sureness.none) frame.value = { sureness: own, isDirect: true };
        else if (frame.names > Sureness.none && !frame.value.isDirect) frame.value = within(frame.names);
        break;
      }
      case '?':
        if ((isNamed || previous === ')') && /^\s{0,20}[^\s:,)=.]/.test(text.slice(index + 1, index + 22)))
          frame.conditions++;
        break;
      case ':':
      case '=>':
        if (!isNamed && token === '=>') frame.value = within(frame.value.sureness);
        else if (isNamed && !afterClass) {
          const own = surenessOf(unescaped(frame.last));
          const isElse = token === ':' && frame.conditions > 0;
          if (isElse) frame.conditions--;
          else frame.key = unescaped(frame.last);
          if (own > Sureness.none && (!isElse || previous !== 'literal'))
            frame.value = {
              sureness: token === ':' ? surer(own, frame) : Math.min(own, Sureness.likely),
              isDirect: true,
            };
          else if (token === ':' && !isElse) frame.value = frame.base;
        } else if (token === ':' && frame.conditions > 0) frame.conditions--;
        break;
      case '==':
      case '===':
      case '!=':
      case '!==':
      case '||':
      case '??':
        if (previous === 'literal' && token.endsWith('=')) [frame.left] = frame.subject;
        if ((isNamed || previous === ')') && surenessOf(frame.last) > Sureness.none)
          frame.value = { sureness: Math.min(surenessOf(frame.last), Sureness.likely), isDirect: true };
        if (frame.left !== undefined) frame.last = '';
        break;
      case ',':
        if (frame.kind === 'block') frame.several ||= frame.value.sureness === Sureness.none;
        else argumentRead(frame, previous);
        if (frame.kind !== 'block' || !frame.several) {
          frame.value = frame.base;
          frame.names = Sureness.none;
        }
        frame.index++;
        frame.key = '';
        frame.last = '';
        frame.subject = [];
        frame.conditions = 0;
        break;
      case ';':
      case '\n':
        if (token === ';' || (frame.kind === 'block' && !/^(?:[=:+,.(?[{|]+|=>)$/.test(previous))) {
          yield* leftOf(frame, least);
          frame.value = frame.base;
          frame.names = Sureness.none;
          frame.several = false;
          frame.conditions = 0;
          if (frame.kind === 'block') frame.index = 0;
          if (token === ';') frame.columns = [];
        }
        if (token === '\n') continue;
        break;
      case '(':
      case '[':
      case '{':
        frames.push(opened({ token, frame, previous, isNamed, closed, text, start: index + 1 }));
        break;
      case ')':
      case ']':
      case '}': {
        if (frames.length === 1) break;
        argumentRead(frame, previous);
        frames.pop();
        closed = frame;
        const outer = frames.at(-1) ?? frame;
        yield* closing(frame, outer, least);
        if ((frame.kind === 'index' || frame.kind === 'group') && frame.last !== '') outer.last = frame.last;
        if (frame.kind === 'index' || frame.kind === 'block') break;
        if (frame.kind !== 'call') {
          outer.names = Math.max(outer.names, frame.all);
          outer.all = Math.max(outer.all, frame.all);
        } else if (/^(?:expect|assertThat|that)$/.test(frame.callee))
          outer.value = within(surenessWithin(frame.last));
        // A field gives its name to the value that is typed into it.
        else if (/^(?:get|find|query|locator|by|label)/i.test(frame.callee))
          outer.value = within(Math.max(outer.value.sureness, surenessWithin(frame.last)));
        outer.subject = frame.kind === 'call' && !frame.callee.startsWith('expect') ? [] : frame.items;
        break;
      }
    }
    previous = token;
  }
  // Of a text that was cut.
  for (let depth = frames.length - 1; depth >= 0; depth--) {
    const frame = frames[depth] ?? frameOf('block');
    yield* leftOf(frame, least);
    yield* closing(frame, frames[depth - 1] ?? frame, least);
  }
}

/** The parts of credentials have short names. */
const surer = (own: Sureness, { kind, base }: Frame): Sureness =>
  own >= Sureness.worded && kind === 'object' && base.sureness >= Sureness.likely ? Sureness.sure : own;

interface Opening {
  readonly token: string;
  readonly frame: Frame;
  readonly previous: string;
  readonly isNamed: boolean;
  readonly closed: Frame | undefined;
  readonly text: string;
  readonly start: number;
}

function opened(opening: Opening): Frame {
  const { token, frame, previous, isNamed, closed, text, start } = opening;
  const isWord = isNamed && previous !== 'literal' && previous !== '?' && !keywords.has(previous);
  const { columns } = frame;
  if (token === '(') {
    if (!isWord && previous !== ')') return frameOf('group', { start, base: besides(frame), columns });
    return calledWith(previous === 'switch' ? previous : frame.last, opening);
  }
  if (token === '[') {
    if (isWord || previous === ')' || previous === 'literal') return frameOf('index', { start });
    return frameOf('list', { start, base: inside(frame), columns });
  }
  if (previous === '=>') return frameOf('block', { returns: frame.value.sureness });
  if (previous === ')' && closed !== undefined)
    return frameOf('block', {
      returns: surenessOf(closed.callee),
      cases: closed.callee === 'switch' ? closed.all : 0,
    });
  // Braces of C++ begin a value, too.
  if (isWord && previous !== 'return')
    return /["']/.test(text.charAt(start))
      ? frameOf('list', { start, base: within(surenessWithin(frame.last)) })
      : frameOf('block');
  return frameOf('object', { start, base: inside(frame) });
}

/** Libraries and schemes whose functions take a secret under any name. */
const keyed = /^(?:jwt|jsonwebtoken|jws|bcrypt|bcryptjs|argon2?|scrypt|hmac)$/i;

function calledWith(callee: string, { frame, closed, text, start }: Opening): Frame {
  const { receiver } = frame;
  const own = Math.max(
    surenessWithin(callee),
    comparing.test(callee) ? surenessWithin(receiver) : Sureness.none,
    keyed.test(receiver) ? Sureness.vague : Sureness.none,
  );
  const base = surest(besides(frame), own);
  // The rows of SQL: they have the columns of the list before them.
  if (/^values$/i.test(callee) && closed !== undefined) frame.columns = columnsIn(text, closed.start);
  const hasRows = /^(?:values|param|row|tuple)$/i.test(callee);
  return frameOf('call', {
    callee,
    start,
    base: within(base.sureness),
    subjectOfCall: frame.subject,
    columns: hasRows ? frame.columns : [],
  });
}

function columnsIn(text: string, start: number): readonly Sureness[] {
  const [names = ''] = /^[\w\s,"`.[\]]{1,500}(?=\))/.exec(text.slice(start, start + 501)) ?? [];
  return names.split(',').map((name) => surenessWithin(name.trim()));
}

/** Of what stands in brackets behind a name in the same call: `set('password', String('X'))`. */
function besides({ kind, value, items, index }: Frame): Held {
  const before = items.at(-1);
  return kind === 'call' && before?.index === index - 1 && !/[,|]/.test(before.content)
    ? surest(value, before.told)
    : value;
}

/** A list of tokens has words of a language as often. */
function inside(frame: Frame): Held {
  const value = besides(frame);
  if (!value.isDirect) return value;
  const sureness = surenessWithin(frame.last);
  return within(sureness === Sureness.none ? value.sureness : sureness);
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
