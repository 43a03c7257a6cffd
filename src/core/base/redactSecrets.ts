// Blots out secrets in texts that leave the machine: logs, reports, packs that are handed over.
import { looksRandom } from './entropy.ts';
import { knownSecrets, type SecretPlace } from './knownSecrets.ts';

/**
 * A quoted value up to its quote, or to the end of the line without one: nothing here can fail after it has begun,
 * and no two places can begin in the same text, so that each pattern reads a text of any size only once.
 */
const quoted =
  String.raw`"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|` +
  '`(?:[^`\\\\]|\\\\.)*`?' +
  String.raw`|\\{1,8}"[^"\n]*"?`;
const separator = String.raw`(?:\\{0,8}["']\]?)?\s*(?::=|[:=](?![=>]))\s*`;
const comparison = String.raw`(?:\\?["'][\])]?)?\s*(?:=>|[=!]==?|\|\||\?\?)\s*`;
const secretKey = String.raw`(?:(?:password|passwd|passphrase|token|api[_-]?(?:key|hash)|secret)(?:[_-]?(?:access|private))?(?:[_-]?(?:key|value|hash|string))?|(?:private|access|account|signing|encryption)[_-]?key)`;

/** The first group is kept, the second one is the secret. */
const namedSecrets: readonly RegExp[] = [
  new RegExp(
    String.raw`(authorization${separator})(${quoted}|(?:(?:bearer|basic|digest|token)\s+)?[^\s,;"'\\]+)`,
    'gi',
  ),
  new RegExp(String.raw`(cookie${separator})(${quoted}|[^\s=;,"'()]{1,200}=[^\n"']*)`, 'gi'),
  new RegExp(`(${secretKey}${separator})(${quoted}|[^\\s"',;&]+)`, 'gi'),
  // With a type between the name and its value.
  new RegExp(String.raw`(${secretKey}\??\s*:\s*[\w.<>[\]|]{1,60}\s*=\s*)(${quoted})`, 'gi'),
  new RegExp(String.raw`(<(?:\w+[:_.-]?)?${secretKey}>)([^<]{1,500})(?=<\/)`, 'gi'),
  // A block of YAML, also within a string.
  new RegExp(String.raw`(${secretKey}["']?:[ \t]*[|>][-+]?\\{1,4}n[ \t]+)([^\\\n]+)`, 'gi'),
  new RegExp(String.raw`(${secretKey}["']?:[ \t]*[|>][-+]?\n)((?:[ \t]+\S[^\n]*(?:\n|$))+)`, 'gi'),
  // Short names are parts of many others, and `credentials` has words of its own in a request: texts in quotes and lines of an environment only.
  new RegExp(
    String.raw`((?:(?:\b|_)(?:pw|pwd|creds?|credentials)|[a-z\d](?:Pw|Pwd|Creds?|Credentials))${separator})(?!["'](?:include|omit|same-origin)["'])(${quoted})`,
    'g',
  ),
  /(\b(?:[A-Z\d]+_)*(?:PW|PWD|PASS|CREDS?|CREDENTIALS)=)([^\s"';&]+)/g,
  /([?&]sig=)([\w%+/-]{20,}=*)/g,
  /(\bbearer\s+)([\w.~+/-]{16,}=*)/gi,
  /(:\/\/[^\s/:@"'`]*:)([^\s/"'`<>]+)(?=@)/g,
];

/** In a text for a model, whatever may be one. A tokenizer has functions and lists of tokens, too. */
const likelySecrets: readonly RegExp[] = [
  new RegExp(
    String.raw`((?:\b|_)(?:pass|passcode|pin|otp|jwt|auth|mnemonic|sid|dsn|session[_-]?(?:id|key))(?:${separator}|${comparison}))(${quoted})`,
    'gi',
  ),
  new RegExp(String.raw`([a-z\d](?:Pass|Passcode|Pin|Otp|Jwt|Auth|Dsn)${separator})(${quoted})`, 'g'),
  new RegExp(String.raw`((?:${secretKey}|\b(?:pwd?|creds|credentials))${comparison})(${quoted})`, 'gi'),
  // An argument after the name, and one of a function of that name.
  new RegExp(
    String.raw`(["'][\w.-]{0,40}(?:${secretKey}|authorization|cookie|pwd?)["']\s*,\s*)(${quoted})`,
    'gi',
  ),
  new RegExp(String.raw`((?:set|with|use|add)_?\w{0,20}${secretKey}\(\s*)(${quoted})`, 'gi'),
  new RegExp(String.raw`((?:password|passphrase|secret|api_?key)s?(?:\(|\s*[:=]\s*\[)\s*)(${quoted})`, 'gi'),
  new RegExp(String.raw`(--(?:\w+-)*(?:${secretKey}|pwd?)\s+)(${quoted}|[^\s"',;&]+)`, 'gi'),
  /(\bpwd=)([^\s"';&]+)/gi,
];

/** What stands for a secret, in a text for a model with a number. */
export const blot = '[redacted]';
export const blots = /\[redacted(?::\d+)?\]/g;

/** Does what a key of this name holds count as a secret? */
export function isSecretName(name: string): boolean {
  return nameOfSecret.test(name);
}
const nameOfSecret = new RegExp(`(?:authorization|cookie|${secretKey})$`, 'i');

/** Replaces the values of keys that name secrets, passwords in addresses, cookies, well-known tokens and private keys. */
export function redactSecrets(text: string): string {
  return replacePlaces(text, secretPlaces(text), () => blot);
}

/** Of each secret in the text, in order, apart from each other. `likely`: what may well be none, too, and what looks random. */
export function secretPlaces(text: string, likely = false): readonly SecretPlace[] {
  const found = [...knownSecrets(text), ...namedPlaces(text, namedSecrets)];
  if (likely) found.push(...namedPlaces(text, likelySecrets), ...randomPlaces(text));
  return apart(found);
}

/** The text with something else at these places, which are in order and apart. */
export function replacePlaces(
  text: string,
  places: readonly SecretPlace[],
  by: (secret: string) => string,
): string {
  let result = '';
  let done = 0;
  for (const { start, end } of places) {
    result += text.slice(done, start) + by(text.slice(start, end));
    done = end;
  }
  return result + text.slice(done);
}

/** In order; what overlaps is one place. */
export function apart(places: readonly SecretPlace[]): readonly SecretPlace[] {
  const result: SecretPlace[] = [];
  for (const { start, end } of places.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || start >= last.end) result.push({ start, end });
    else result[result.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  return result;
}

function* namedPlaces(text: string, patterns: readonly RegExp[]): Generator<SecretPlace> {
  for (const pattern of patterns)
    for (const { index, 1: key = '', 2: value = '' } of text.matchAll(pattern)) {
      if (isNoSecret(value)) continue;
      // The quotes stay, so that what is left reads as before.
      const open = /^(?:\\*"|['`])/.exec(value)?.[0] ?? '';
      const close = open !== '' && value.length > open.length && value.endsWith(open) ? open : '';
      const start = index + key.length + open.length;
      const end = index + key.length + value.length - close.length;
      if (end > start) yield { start, end };
    }
}

/** A type, nothing, or what was blotted out before. */
const isNoSecret = (value: string): boolean =>
  /^(?:string|number|boolean|unknown|str|bytes|any|undefined|null|None|nil|true|false)$/.test(value) ||
  (value.includes('[redacted') && !/\w/.test(value.replaceAll(blots, '')));

function* randomPlaces(text: string): Generator<SecretPlace> {
  for (const { index, 0: run } of text.matchAll(/(?<![\w+/=-])[\w+/-]{20,}={0,2}/g)) {
    if (
      text.slice(Math.max(0, index - 7), index) === 'base64,' ||
      /^sha\d{3}-/.test(run) ||
      !looksRandom(run)
    )
      continue;
    yield { start: index, end: index + run.length };
  }
}
