// Finds the value behind the name of a secret on the same line, whatever stands between: separators and brackets of any notation, or words.
import { looksRandom, looksUnlikeWords } from './entropy.ts';
import type { SecretPlace } from './knownSecrets.ts';
import { looksLikeOne, Sureness, surenessOf } from './secretNames.ts';

/** With the word that another one makes one of: `api key`, `session id`. No name is longer: megabytes without a blank are none. */
const names =
  /(?<![\p{L}\p{N}_%])((?:%[\da-f]{2}|[\p{L}_])(?:%[\da-f]{2}|[\p{L}\p{M}\p{N}_ー-]){1,200})( (?:key|hash|phrase|code|id|string)\b)?/giu;
/** No code and no sentence has a value behind its end; `&` begins the next pair of an address. */
const ends = /[,;)}?\n]|\\[nr]|&(?=&|amp;|[\w-]+=)|\s\|/;
const farthest = 100;
const mostRuns = 7;
const runs = /[^\s"'`<>()[\]{}\\|:：=＝→*][^\s"'`<>()[\]{}\\|=]*/g;

/** Each text is read once: a name is followed up to the end of its line, and no farther than some words. */
export function* spokenSecrets(text: string): Generator<SecretPlace> {
  for (const { index, 1: word = '', 2: more = '' } of text.matchAll(names)) {
    const whole = surenessOf(word + more) >= Sureness.worded;
    const name = whole ? word + more : decoded(word);
    const sureness = surenessOf(name);
    if (sureness < Sureness.worded) continue;
    const start = index + word.length + (whole ? more.length : 0);
    const line = text.slice(start, start + farthest).replaceAll('\\t', '\t\t');
    const found =
      quotedIn(line, sureness) ??
      valueIn(line.slice(0, ends.exec(line)?.index), sureness >= Sureness.likely || /token$/i.test(name));
    if (found !== undefined) yield { start: start + found.start, end: start + found.end };
  }
  for (const { pattern, isOne } of schemes)
    for (const { index, 1: key = '', 2: value = '' } of text.matchAll(pattern))
      if (isOne(value)) yield { start: index + key.length, end: index + key.length + value.length };
}

/** `password for ada is "X"`, also where it is a word. */
function quotedIn(line: string, sureness: Sureness): SecretPlace | undefined {
  const { before = '', value = '' } = quoted.exec(line)?.groups ?? {};
  if (value === '' || sureness < Sureness.likely || !isSaid(before)) return undefined;
  return { start: before.length, end: before.length + value.length };
}
const quoted = /^(?<before>[^"'`,;:=(){}?\n]*\s(?<quote>["'`]))(?<value>[^"'`\n]{3,90})\k<quote>/;

/** `isNamed`: by a name that stands right before it in sentences. */
function valueIn(line: string, isNamed: boolean): SecretPlace | undefined {
  for (const { index, 0: run } of [...line.matchAll(runs)].slice(0, mostRuns)) {
    const value = run.replace(/[.:!]+$/, '');
    if (!looksTold(value)) continue;
    // A function, a type, or a member of one.
    if (/^[\w$]+\.[A-Za-z]/.test(value) || /^(?:[([]|<[A-Z])/.test(line.slice(index + run.length)))
      return undefined;
    const isOne =
      (looksUnlikeWords(value) && /^[\p{L}\p{N}]/u.test(value)) || isBehind(line.slice(0, index), isNamed);
    if (isOne) return { start: index, end: index + value.length };
  }
  return undefined;
}

/** Nothing but a separator, or words that say what the name holds, so that a value with words in it is one, too. */
function isBehind(between: string, isNamed: boolean): boolean {
  const words = wordsIn(between);
  if (words.length > 0) return codeOfText.test(between) || (isNamed && isSaid(between));
  if (between.includes('=')) return /^\W{0,2}=["'`]?$|^\s*=\s*\[\[$/.test(between);
  return /:[\s*"'`]|[：＝→\t]|->|<-/.test(between) || (isNamed && /[^<>([{]/.test(between));
}
/** Texts of Perl and Ruby. */
const codeOfText = /^\s*=\s*%?[qQ][qwx]?\W$/;

/** Words that lead from a name to its value: `for ada is`, `was changed to`, `of ada:`. */
function isSaid(between: string): boolean {
  const words = wordsIn(between);
  const isOf =
    /^\s(?:for|of|from)\s[^:]*[:：]\s["'`]?$/.test(between) || /^(?:is|was)$/.test(words.at(-1) ?? '');
  return words.length > 0 && words.length <= 4 && (isOf || words.every((word) => saying.test(word)));
}
const wordsIn = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_-]*[\p{L}\p{N}]/gu) ?? [];
const saying =
  /^(?:is|was|are|were|be|to|as|changed|set|reset|provided|given|used|sent|new|of|type|str|string|secret|value|bearer|basic|token|digest)$/i;

/** No word of a sentence. */
const looksTold = (value: string): boolean =>
  value.length >= 6 &&
  looksLikeOne(value) &&
  /\d|[a-z]-[a-z]*[A-Z]|[!@#$%^*+]\w/.test(value) &&
  !/[\\/]/.test(value);

/** As it stands in an address. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Words of protocols, whose values have a form. */
const schemes: readonly { readonly pattern: RegExp; readonly isOne: (value: string) => boolean }[] = [
  {
    pattern: /(\b(?:bearer|apikey)\s+)([\w.~+/-]{6,}=*)/gi,
    isOne: (value) => /\d/.test(value) && /[A-Za-z]/.test(value),
  },
  // The name and the password of somebody, in base64.
  {
    pattern: /(\bbasic\s+)([\w+/]{8,}={0,2})/gi,
    isOne: (value) => /^[\x20-\x7E]+:[\x20-\x7E]+$/.test(Buffer.from(value, 'base64').toString('latin1')),
  },
  // A line of .pgpass.
  {
    pattern: /((?<![\w.-])[\w.-]{1,60}:\d{2,5}:[\w*-]{1,60}:[\w-]{1,60}:)([^\s"'`:]{6,})/g,
    isOne: looksLikeOne,
  },
  { pattern: /(\bkey=)([\w+/-]{20,}={0,2})/gi, isOne: looksRandom },
];
