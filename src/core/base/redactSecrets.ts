// Blots out secrets in texts that leave the machine: logs, reports, packs that are handed over.
import { bareSecrets } from './knownSecrets.ts';

/**
 * A quoted value up to its quote, or to the end of the line without one: nothing here can fail after it has begun,
 * and no two places can begin in the same text, so that each pattern reads a text of any size only once.
 */
const quoted =
  String.raw`"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|` +
  '`(?:[^`\\\\]|\\\\.)*`?' +
  String.raw`|\\"[^"\n]*"?`;
const separator = String.raw`(?:\\?["'])?\s*[:=]\s*`;
const secretKey = String.raw`(?:(?:password|passwd|passphrase|token|api[_-]?(?:key|hash)|secret)(?:[_-]?(?:access|private))?(?:[_-]?(?:key|value|hash|string))?|(?:private|access|account|signing|encryption)[_-]?key)`;

/** The first group is kept, the second one is the secret. */
const namedSecrets: readonly RegExp[] = [
  new RegExp(
    String.raw`(authorization${separator})(${quoted}|(?:(?:bearer|basic|digest|token)\s+)?[^\s,;"'\\]+)`,
    'gi',
  ),
  new RegExp(String.raw`(cookie${separator})(${quoted}|[^\s=;,"'()]{1,200}=[^\n"']*)`, 'gi'),
  new RegExp(`(${secretKey}${separator})(${quoted}|[^\\s"',;&]+)`, 'gi'),
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

/** What stands for a secret. */
export const blot = '[redacted]';

/** Does what a key of this name holds count as a secret? */
export function isSecretName(name: string): boolean {
  return nameOfSecret.test(name);
}
const nameOfSecret = new RegExp(`(?:authorization|cookie|${secretKey})$`, 'i');

/** Replaces the values of keys that name secrets, passwords in addresses, cookies, well-known tokens and private keys. */
export function redactSecrets(text: string): string {
  const bare = bareSecrets.reduce((result, pattern) => result.replace(pattern, '[redacted]'), text);
  return namedSecrets.reduce(
    (result, pattern) => result.replace(pattern, (_all, key: string, value: string) => key + blotted(value)),
    bare,
  );
}

/** The quotes stay, so that what is left reads as before. */
function blotted(value: string): string {
  const open = /^(?:\\?"|['`])/.exec(value)?.[0] ?? '';
  const close = open !== '' && value.length > open.length && value.endsWith(open) ? open : '';
  return `${open}[redacted]${close}`;
}
