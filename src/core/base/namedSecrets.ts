// Finds the secrets that a name gives away in texts of any kind: settings, headers, addresses, command lines and messages.
import { readsLikeWords } from './entropy.ts';
import type { SecretPlace } from './knownSecrets.ts';
import { Sureness, surenessOf } from './secretNames.ts';
import { fits } from './secretValues.ts';
import { settingSecrets } from './settingSecrets.ts';
import { spokenSecrets } from './spokenSecrets.ts';
import { tableSecrets, tagSecrets } from './tableSecrets.ts';

/**
 * A quoted value up to its quote, or to the end of the line without one: nothing here can fail after it has begun,
 * and no two places can begin in the same text, so that each pattern reads a text of any size only once.
 */
const quoted =
  String.raw`"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|` +
  '`(?:[^`\\\\]|\\\\.)*`?' +
  String.raw`|\\{1,8}"[^"\n]*"?`;
const separator = String.raw`(?:\\{0,8}["']\]?)?\s*(?::=|[:=：＝](?![=>]))\s*`;
const comparison = String.raw`(?:\\?["'][\])]?)?\s*(?:=>|[=!]==?|\|\||\?\?)\s*`;
export const secretKey = String.raw`(?:(?:password|passwd|passphrase|token|api[_-]?(?:key|hash)|secret)(?:[_-]?(?:access|private))?(?:[_-]?(?:key|value|hash|string))?|(?:private|access|account|signing|encryption)[_-]?key|passwort|kennwort|mot[_ -]?de[_ -]?passe|contrase[nñ]a|senha|wachtwoord|has[lł]o|пароль|密[码碼]|パスワード|비밀번호)`;

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
  // A block of YAML, also within a string.
  new RegExp(String.raw`(${secretKey}["']?:[ \t]*[|>][-+]?\\{1,4}n[ \t]+)([^\\\n]+)`, 'gi'),
  new RegExp(String.raw`(${secretKey}["']?:[ \t]*[|>][-+]?\n)((?:[ \t]+\S[^\n]*(?:\n|$))+)`, 'gi'),
  // Short names are parts of many others, and `credentials` has words of its own in a request: texts in quotes and lines of an environment only.
  new RegExp(
    String.raw`((?:(?:\b|_)(?:pw|pwd|creds?|credentials)|[a-z\d](?:Pw|Pwd|Creds?|Credentials))${separator})(?!["'](?:include|omit|same-origin)["'])(${quoted})`,
    'g',
  ),
  /(\b(?:[A-Z\d]+_)*(?:PW|PWD|PASS|CREDS?|CREDENTIALS)=)([^\s"';&]+)/g,
  /([?&](?:sig|signature|x-amz-signature|x-amz-security-token|x-goog-signature)=)([\w%+/.-]{6,}=*)/gi,
  new RegExp(String.raw`(\bcookies?["']?\s*[:=]\s*\[\s*)(${quoted})`, 'gi'),
  /(\bbearer\s+)([\w.~+/-]{16,}=*)/gi,
  /(:\/\/[^\s/:@"'`]*:)([^\s/"'`<>]+)(?=@)/g,
];

/** Names that mostly hold one. */
const likelySecrets: readonly RegExp[] = [
  new RegExp(
    String.raw`((?:\b|_)(?:pass|passcode|pin|otp|jwt|auth|mnemonic|sid|dsn|session[_-]?(?:id|key))(?:${separator}|${comparison}))(${quoted})`,
    'gi',
  ),
  new RegExp(String.raw`([a-z\d](?:Pass|Passcode|Pin|Otp|Jwt|Auth|Dsn)${separator})(${quoted})`, 'g'),
  new RegExp(String.raw`((?:${secretKey}|\b(?:pwd?|creds|credentials))${comparison})(${quoted})`, 'gi'),
  new RegExp(String.raw`(--(?:\w+-)*(?:${secretKey}|pwd?)\s+)(${quoted}|[^\s"',;&]+)`, 'gi'),
  /(\bpwd=)([^\s"';&]+)/gi,
  // A line of .npmrc, and SQL.
  /((?:^|[\s"'`:])_auth\s?=\s?)([^\s"'`;&]+)/gim,
  new RegExp(String.raw`(\bidentified\s+by\s+)(${quoted})`, 'gi'),
  // A login of Oracle.
  /(\b(?:login|connect|conn|sqlplus)\s+[\w.-]{1,60}\/)([^\s@/"'`]+)(?=@)/gi,
  // Command lines.
  /(\b(?:mysql\w{0,9}|mariadb)\s[^\n"'`]{0,99}?(?<!-)-p)([^\s"'`]+)/g,
  /(\blogin\s[^\n"'`]{0,99}?\s-p[ =]?)([^\s"'`]+)/g,
  /(\bsshpass\s+-p\s*)([^\s"'`]+)/g,
  /(\s-u\s+[\w.@-]{1,60}:)([^\s"'`]+)/g,
];

/** `[redacted:N]` is written for a model, which may write it another way. */
export const blots = /\[redacted(?::\d+)?\]/g;

/** Both values of the title of a fix: `expect password 'new' (was 'old')`. */
function* titleSecrets(text: string): Generator<SecretPlace> {
  if (!text.includes(' (was ')) return;
  const title = /(?<![\w.$-])([\w.$()-]{2,80})( (["'`]))([^\n]{1,300}?)(\3 \(was \3)([^\n]{1,300}?)\3/g;
  for (const {
    index,
    1: name = '',
    2: open = '',
    4: now = '',
    5: between = '',
    6: was = '',
  } of text.matchAll(title)) {
    const told = surenessOf(name.replace(/\(\)$/, '').replace(/^.*\./, ''));
    if (told < Sureness.worded || (!fits(now, told) && !fits(was, told))) continue;
    const start = index + name.length + open.length;
    const old = start + now.length + between.length;
    yield { start, end: start + now.length };
    yield { start: old, end: old + was.length };
  }
}

export function* namedPlaces(text: string): Generator<SecretPlace> {
  for (const pattern of [...namedSecrets, ...likelySecrets])
    for (const { index, 1: key = '', 2: found = '' } of text.matchAll(pattern)) {
      const at = index + key.length;
      const open = /^(?:\\*"|['`])/.exec(found)?.[0] ?? '';
      const value = open === '' ? plainValue(text, at, found, index) : found;
      if (isNoSecret(value) || isWords(key, value)) continue;
      // The quotes stay, so that what is left reads as before.
      const close = open !== '' && value.length > open.length && value.endsWith(open) ? open : '';
      const start = at + open.length;
      const end = at + value.length - close.length;
      if (end > start) yield { start, end };
    }
  for (const place of [
    ...settingSecrets(text),
    ...tableSecrets(text),
    ...tagSecrets(text),
    ...spokenSecrets(text),
    ...titleSecrets(text),
  ])
    if (!isBlotted(text.slice(place.start, place.end)) && place.end > place.start) yield place;
}

/** Behind a name that other things have as often. */
const isWords = (key: string, value: string): boolean =>
  surenessOf(key) <= Sureness.worded && readsLikeWords(value.replaceAll(/^\W|\W$/g, ''));

/** Without quotes, code has no value of its own: what is called, a bracket, the prefix of a text. A line of an environment has anything. */
function plainValue(text: string, at: number, value: string, index: number): string {
  const line = text.slice(Math.max(text.lastIndexOf('\n', index) + 1, index - 80), at);
  if (/^(?:export\s+)?[A-Z\d_]+=$/.test(line)) return value.replace(/`$/, '');
  if (/^(?:[([{<>=|&?!`]|[\w$.:]+\()/.test(value)) return '';
  if (isCode(text, at, value, line)) return '';
  if (/^(?:async|await|new|function|lambda|typeof|class)$/.test(value)) return '';
  if (/^[bru]{1,2}$|^f$|^rf$|^fr$/i.test(value) && /["'\\]/.test(text.charAt(at + value.length))) return '';
  return /^[^([{]*?(?=[)\]}`])/.exec(value)?.[0] ?? value;
}

const environment =
  /^(?:process\.env|import\.meta\.env|os\.environ|os\.getenv|Deno\.env|Bun\.env|ENV|\$env:|env)\b[.[(]|^(?:this|self|req|request|props|options|opts|args|params|ctx|context|config|settings|secrets)\??\.[A-Za-z]/;
const path = /^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)*$/;

/** A name in place of a value: `password: given, …`, `const token = isLive ? …`, `secret = process.env.SECRET`. */
function isCode(text: string, at: number, value: string, line: string): boolean {
  if (environment.test(value)) return true;
  const name = /^[^)\]}`]*/.exec(value)?.[0] ?? '';
  if (!path.test(name)) return false;
  const next = text.slice(at + name.length, at + name.length + 8);
  if (/^\s*(?:\?[^\w\s]?\s|===?|!==?|\|\||&&|\?\?)/.test(next) || /^\s+\?/.test(next)) return true;
  const isDeclared = /^\s*(?:export\s+)?(?:const|let|var|final|val|this\.|self\.)/.test(line);
  if (isDeclared && /^;?\s*(?:\n|$)/.test(next)) return true;
  if (/\d/.test(name)) return /\s$/.test(line) && next.startsWith(';');
  if (/\s$/.test(line)) return /^\s*[;,)}]/.test(next);
  // A keyword of a call.
  return /^[,)]/.test(next) && /\(/.test(line);
}

/** A type, nothing, or what was blotted out before. */
const isNoSecret = (value: string): boolean =>
  value === '' ||
  /^["']?[^\w\s]{1,2}["']?$|^(["'`])\w{0,2}\1$/.test(value) ||
  /^(?:string|number|boolean|unknown|str|bytes|any|undefined|null|None|nil|true|false)$/.test(value) ||
  isBlotted(value);

/** Nothing else is left of it. */
export const isBlotted = (value: string): boolean =>
  value.includes('[redacted') && !/\w/.test(value.replaceAll(blots, ''));
