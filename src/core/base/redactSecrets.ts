// Blots out secrets in texts that leave the machine: logs, reports, packs that are handed over.
import { looksRandom, looksShuffled, looksUnlikeWords, looksUnspoken } from './entropy.ts';
import { knownSecrets, type SecretPlace } from './knownSecrets.ts';
import { literalSecrets, textsWithin } from './literalSecrets.ts';
import { isBlotted, namedPlaces, secretKey } from './namedSecrets.ts';
import { Sureness } from './secretNames.ts';
import { placesOf } from './secretSpellings.ts';
import { isCarried, isLabel, isTelling, partsOf } from './secretValues.ts';

/** The placeholder of a secret, with a number in a text for a model. */
export const blot = '[redacted]';

/** Does what a key of this name holds count as a secret? */
export function isSecretName(name: string): boolean {
  return nameOfSecret.test(name);
}
const nameOfSecret = new RegExp(`(?:authorization|cookie|${secretKey})$`, 'i');

/** Replaces the values of keys that name secrets, passwords in addresses, cookies, well-known tokens and private keys, wherever they stand in the text. */
export function redactSecrets(text: string): string {
  return redactTold(text, new Set());
}

/** For a document of several texts, which is written twice with the same set: a secret that one text tells of is one in all. */
export function redactTold(text: string, told: Set<string>): string {
  return replaceTold(text, secretPlaces(text, 'likely'), told);
}

function learnFrom(text: string, places: readonly SecretPlace[], told: Set<string>): void {
  for (const { start, end } of places) {
    const secret = text.slice(start, end);
    const isWhole = isTelling(secret) || looksUnspoken(secret);
    if (isWhole) told.add(secret);
    // `Bearer X`, `sid=X; Path=/`: it may stand elsewhere without what is around it.
    if (!isWhole || secret.includes('='))
      for (const part of partsOf(secret)) if (isCarried(part) && looksUnlikeWords(part)) told.add(part);
  }
}

function replaceTold(text: string, places: readonly SecretPlace[], told: Set<string>): string {
  learnFrom(text, places, told);
  const elsewhere = [...told].flatMap((secret) => [...placesOf(secret, text)]);
  return replacePlaces(text, elsewhere.length === 0 ? places : apart([...places, ...elsewhere]), () => blot);
}

/**
 * A document of several texts, each of which goes through `hide`: a secret that one of them tells of is blotted out in all.
 * `told`: those that something beside it tells of. `write` is called twice: at first nothing is blotted out, and the result is dropped.
 */
export function withoutSecrets<T>(
  write: (hide: (text: string) => string) => T,
  told: Set<string> = new Set(),
): T {
  const texts = new Set<string>();
  write((text) => {
    texts.add(text);
    return text;
  });
  const read = placesIn(texts);
  // Before any is written: what its name gives away in one text stands without it in an earlier one.
  for (const [text, places] of read) learnFrom(text, places, told);
  return write((text) => {
    const places = read.get(text) ?? secretPlaces(text, 'likely');
    return replaceTold(text, places, told);
  });
}

/** Texts of one line without quotes, such as names of tests, are many and seldom have secrets: looked through together, and one by one only where something is found. */
function placesIn(texts: Iterable<string>): Map<string, readonly SecretPlace[]> {
  const read = new Map<string, readonly SecretPlace[]>();
  const each = (some: readonly string[]): void => {
    for (const text of some) read.set(text, secretPlaces(text, 'likely'));
  };
  let batch: string[] = [];
  const look = (): void => {
    if (secretPlaces(batch.join('\n'), 'likely').length > 0) each(batch);
    else for (const text of batch) read.set(text, []);
    batch = [];
  };
  for (const text of texts) {
    if (text.length > 300 || /["'`\n\r\\]/.test(text)) each([text]);
    else if (batch.push(text) === 100) look();
  }
  look();
  return read;
}

/** As JSON has it. `applies`: an edit and a patch stay as they are, for they fit a text, or do not; what they tell of goes elsewhere. */
export function jsonWithoutSecrets(document: object, told?: Set<string>, applies = true): string {
  return withoutSecrets(
    (hide) =>
      JSON.stringify(document, (key, value: unknown) => {
        if (typeof value !== 'string') return value;
        const hidden = hide(value);
        return applies && (key === 'newText' || key === 'patch') ? value : hidden;
      }),
    told,
  );
}

/** `likely`: by a name that mostly holds one. `any`: what may well be none, too, and what looks random. */
type Suspicion = 'likely' | 'any';

/** Of each secret in the text, in order, apart from each other. */
export function secretPlaces(text: string, suspicion: Suspicion): readonly SecretPlace[] {
  const found = [...knownSecrets(text), ...toldPlaces(text, suspicion, 3)];
  if (suspicion === 'any') found.push(...randomPlaces(text));
  return apart(found);
}

/** `depth`: of texts within texts. */
function* toldPlaces(text: string, suspicion: Suspicion, depth: number): Generator<SecretPlace> {
  const literals = literalSecrets(text, suspicion === 'any' ? Sureness.vague : Sureness.worded);
  for (const found of [literals, namedPlaces(text)])
    for (const place of found) {
      const value = text.slice(place.start, place.end);
      if (!isBlotted(value) && !isLabel(value)) yield place;
    }
  if (depth === 0) return;
  for (const { inner, at } of textsWithin(text))
    for (const { start, end, isWeak = false } of toldPlaces(inner, suspicion, depth - 1))
      yield { start: at[start] ?? 0, end: at[end] ?? 0, isWeak };
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
  for (const place of places.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last === undefined || place.start >= last.end) result.push(place);
    else {
      const isWeak = last.isWeak === true && place.isWeak === true;
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, place.end), isWeak };
    }
  }
  return result;
}

/** Of what is stored, not of who may read it. */
const isNamedId =
  /(?:\bid|[a-z]Id|_id|\b(?:uu|ul|nano)id|etag|digest|checksum|integrity|commit|sha)["']?\]?\s*[:=]+\s*["'`]?$/;

function* randomPlaces(text: string): Generator<SecretPlace> {
  for (const { index, 0: run } of text.matchAll(/(?<![\w+/=-])[\w+/-]{20,}={0,2}/g)) {
    if (
      text.slice(Math.max(0, index - 7), index) === 'base64,' ||
      /^sha\d{3}-/.test(run) ||
      !looksRandom(run) ||
      isNamedId.test(text.slice(Math.max(0, index - 40), index))
    )
      continue;
    yield { start: index, end: index + run.length };
  }
  // With other signs in it, in quotes only.
  for (const { index, 0: run } of text.matchAll(/(?<=(["'`]))[\w+/=!$%&*^~?@#-]{20,200}(?=\1)/g))
    if (/[!$%&*^~?@#]/.test(run) && looksRandom(run)) yield { start: index, end: index + run.length };
  for (const { index, 0: run } of text.matchAll(/(?<![\w+/=.-])[A-Za-z\d]{12,19}(?![\w+/=-])/g))
    if (looksShuffled(run)) yield { start: index, end: index + run.length };
}
