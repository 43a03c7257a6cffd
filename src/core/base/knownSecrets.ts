// Finds tokens and keys that are known by their form: by the rules of gitleaks, and by those of its forms that are shorter than it wants them.
import { bitsPerCharacter } from './entropy.ts';
import { gitleaksRules } from './gitleaksRules.ts';

/** Offsets in a text. */
export interface SecretPlace {
  readonly start: number;
  readonly end: number;
  /** One of several that a name gives away: it may be a user's, and is a secret elsewhere only when it is no short word. */
  readonly isWeak?: boolean;
}

/** Messages cut a token short and tests make one up: each begins with what nothing else begins with, so that a text of any size is read once. */
const shorterForms: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  /\bgh[pousr]_[A-Za-z0-9]{10,}/g,
  /\bgithub_pat_\w{10,}/g,
  /\bnpm_[A-Za-z0-9]{20,}/g,
  /(?<![\w-])sk-[\w-]{10,}/g,
  /\b(?:AKIA|ASIA|ABIA|ACCA)(?=[A-Z]*\d)[A-Z0-9]{6,}/g,
  /\b(?:hf|api_org)_[A-Za-z]{12,}/g,
  /\bAIza[\w-]{30,}/g,
  /\bGOCSPX-[\w-]{20,}/g,
  /\bya29\.[\w-]{20,}/g,
  /\bhv[sb]\.[\w-]{20,}/g,
  /\bwhsec_[A-Za-z0-9+/=]{16,}/g,
  /\bsq0csp-[\w-]{20,}/g,
  /(?<![\w-])xox[abeoprs]-[\w-]{8,}/g,
  /\bhooks\.slack\.com\/services\/[\w/]{16,}/g,
  /\bdiscord(?:app)?\.com\/api\/webhooks\/[\w/-]{16,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /\bkey-[0-9a-f]{32}\b/g,
  /\b[0-9a-f]{32}-us\d{1,2}\b/g,
  /\b\d{8,10}:AA[\w-]{32,}/g,
  /\b[MN][A-Za-z\d]{23,25}\.[\w-]{6}\.[\w-]{27,}/g,
  /\bglsa_[A-Za-z0-9]{30,}/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
];

/** The places may overlap, and have no order. */
export function* knownSecrets(text: string): Generator<SecretPlace> {
  for (const pattern of shorterForms)
    for (const { index, 0: all } of text.matchAll(pattern)) yield { start: index, end: index + all.length };
  const there = wordsIn(text.toLowerCase());
  for (const { words, entropy, pattern } of rules) {
    if (!words.some((word) => there.has(word))) continue;
    for (const match of text.matchAll(pattern())) {
      const secret = match.slice(1).find((group) => group !== undefined && group !== '') ?? match[0];
      if (bitsPerCharacter(secret) < entropy) continue;
      const start = match.index + match[0].lastIndexOf(secret);
      // Rules without an end take as much as makes them sure.
      const rest = /^[\w-]*/.exec(text.slice(start + secret.length, start + secret.length + 500))?.[0] ?? '';
      yield { start, end: start + secret.length + rest.length };
    }
  }
}

/** A pattern is read only when one of its words was seen. */
const rules = gitleaksRules
  .trim()
  .split('\n')
  .map((line) => {
    const [, entropy = '', words = '', source = ''] = line.split('\t');
    let read: RegExp | undefined;
    return {
      words: words.split(','),
      entropy: Number(entropy),
      pattern: (): RegExp => (read ??= new RegExp(source, 'g')),
    };
  });

/** The longest first: where one is, those that it begins with are, too. */
const words = [...new Set(rules.flatMap((rule) => rule.words))].toSorted((a, b) => b.length - a.length);
const anyWord = new RegExp(`(?=(${words.map((word) => word.replaceAll(/[^\w-]/g, '\\$&')).join('|')}))`, 'g');

/** In one pass: a text is looked through for two hundred words otherwise. */
function wordsIn(lower: string): ReadonlySet<string> {
  const longest = new Set(Array.from(lower.matchAll(anyWord), ([, word = '']) => word));
  return new Set(words.filter((word) => [...longest].some((one) => one.startsWith(word))));
}
