// Finds a known secret again in other notations: HTML, addresses, JSON, code of any language, base64, in capitals, and cut short.
import { looksUnspoken } from './entropy.ts';
import type { SecretPlace } from './knownSecrets.ts';

/** Shorter ones are not looked for where nothing but their text tells of them; single words and what is shorter than `bare` only in quotes. */
const shortest = 3;
const bare = 6;
/** As long as this, with digits and letters, it stands in no other word by chance. */
const unlikely = 8;
/** Runners cut long values: so much of the beginning is as good as all. */
const beginning = 12;

/** Each place of the secret, its signs in any notation, also of its first 12 signs where it was cut. */
export function* placesOf(secret: string, text: string): Generator<SecretPlace> {
  const cases = secret.length >= unlikely ? [secret, secret.toUpperCase(), secret.toLowerCase()] : [secret];
  for (const form of new Set(cases)) yield* placesOfForm(form, text);
  if (secret.length >= unlikely) for (const form of base64Of(secret)) yield* placesOfForm(form, text, true);
}

/** `isFree`: it may stand within other letters. */
function* placesOfForm(secret: string, text: string, isFree = false): Generator<SecretPlace> {
  if (secret.length < shortest) return;
  const signs = Array.from(secret);
  const sought = signs.slice(0, beginning);
  // No notation changes letters and digits: most texts lack them, and need no pattern.
  const runs = sought.join('').match(/[A-Za-z\d]+/g) ?? [''];
  if (!text.includes(runs.reduce((longest, run) => (run.length > longest.length ? run : longest)))) return;
  const isShort = secret.length < bare || (/^[A-Za-z]+$/.test(secret) && !looksUnspoken(secret));
  const isUnlikely = isFree || (secret.length >= unlikely && /\d/.test(secret) && /[A-Za-z]/.test(secret));
  const pattern = new RegExp(sought.map(spellingsOf).join(''), 'g');
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const start = found.index;
    const end = endOf(signs.slice(beginning), text, pattern.lastIndex);
    pattern.lastIndex = end;
    const before = text.slice(Math.max(0, start - 8), start);
    const isBound =
      isShort && !isFree
        ? /["'`]$/.test(before) && /^\\?["'`]/.test(text.slice(end, end + 2))
        : isUnlikely ||
          (/(?:^|[^\w]|\\[nrt]|\u001b\[[\d;]{0,5}m)$/.test(before) && !/\w/.test(text.charAt(end)));
    if (isBound) yield { start, end };
  }
}

/** Of as many of these signs as stand there. */
function endOf(signs: readonly string[], text: string, start: number): number {
  let end = start;
  for (const sign of signs)
    if (/^[A-Za-z\d]$/.test(sign) && text.startsWith(sign, end)) end++;
    else {
      const next = new RegExp(spellingsOf(sign), 'y');
      next.lastIndex = end;
      if (!next.test(text)) break;
      end = next.lastIndex;
    }
  return end;
}

const escapes: Readonly<Record<string, string>> = { '\n': 'n', '\r': 'r', '\t': 't' };

/** A pattern for a sign (one code point) as HTML, addresses, forms, JSON and literals of code write it, also one within another. */
function spellingsOf(sign: string): string {
  if (/^[A-Za-z\d]$/.test(sign)) return sign;
  const hex = (code: number, length: number): string =>
    code
      .toString(16)
      .padStart(length, '0')
      .replaceAll(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
  const code = sign.codePointAt(0) ?? 0;
  const bytes = Array.from(Buffer.from(sign), (byte) => hex(byte, 2));
  const units = Array.from({ length: sign.length }, (_, index) => hex(sign.charCodeAt(index), 4));
  const escape = escapes[sign];
  const spellings = [
    // Any name: the signs beside it say which one it must be.
    String.raw`&(?:amp;)*(?:#0*${code}|#[xX]0*${hex(code, 1)}|[A-Za-z]{2,12}\d{0,2});`,
    bytes.map((byte) => `%(?:25)*${byte}`).join(''),
    bytes.map((byte) => String.raw`\\{1,8}x${byte}`).join(''),
    units.map((unit) => String.raw`(?:\\{1,8}|%)u${unit}`).join(''),
    String.raw`\\{1,8}(?:x${hex(code, 2)}|u\{0*${hex(code, 1)}\})`,
    ...(escape === undefined ? [] : [String.raw`\\{1,8}${escape}`]),
    ...(sign === ' ' ? [String.raw`\+`] : []),
    String.raw`\\{0,8}${sign.replace(/[\\^$.*+?()[\]{}|/-]/, String.raw`\$&`)}`,
  ];
  return `(?:${spellings.join('|')})`;
}

/** The signs of the secret within base64 of any text around it, for each of the three ways to lie across groups of three bytes. */
function base64Of(secret: string): readonly string[] {
  const forms = [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
    const whole = bytes.toString('base64').replace(/=+$/, '');
    const own = whole.slice(shift === 0 ? 0 : shift + 1, bytes.length % 3 === 0 ? whole.length : -1);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [...new Set(forms)];
}
