// Tells by their form which values may be secrets where a name says that there is one, and which are words for people.
import { looksUnlikeWords, readsLikeWords } from './entropy.ts';
import { looksLikeOne, Sureness, surenessOf } from './secretNames.ts';

/** Is a value a secret, of which a name is so sure? */
export function fits(value: string, sureness: Sureness): boolean {
  if (sureness >= Sureness.likely) return true;
  if (sureness === Sureness.worded) return !readsLikeWords(value);
  return sureness > Sureness.none && looksUnlikeWords(value);
}

/** The same of a value right behind its name. */
export const tells = (name: string, value: string): boolean => fits(value, surenessOf(name));

/** Right behind a name: also words, but none so short or common that other texts are full of them. */
export function isHeld(value: string): boolean {
  if (!/[\p{L}\p{N}]/u.test(value) || value.length > 10_000 || isLabel(value)) return false;
  if (/^[A-Za-z]+$/.test(value)) return value.length >= 8;
  return value.length >= (/^\d+$/.test(value) ? 8 : 5);
}

/** Among other values: nothing but what has the looks of a secret. */
export const isCarried = (value: string): boolean =>
  isTelling(value) && !isLabel(value) && !isPlain.test(value);

/** Of a value that holds several: a header, `ada:X`, a list, a call around it, `${TOKEN:-X}`. */
export const partsOf = (value: string): readonly string[] => value.split(/(?::-|[\s"'`:,;|/=&()<>[\]{}])+/);

/** An address of mail, a time, a version, an algorithm, a kind of content, a place of a file. */
const isPlain =
  /^(?:[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\d{4}-\d\d-\d\d.*|v?\d+(?:\.\d+)+[\w.-]*|(?:sha|md|aes|hs|rs|es|ps|utf|base|ed|rsa|p)-?\d+[\w-]*|[a-z]+\/[a-z.+-]+|\.{0,2}(?:\/[\w.-]+)+\.[a-z]{1,4})$/i;

/** No word, name or code that would be blotted out where it is none. */
export const isTelling = (text: string): boolean =>
  looksLikeOne(text) && /^[\w.~+/@!#$%^*=-]+$/.test(text) && /\d|[a-z]-\w|[!#$%^*]/.test(text);

const ofLabels =
  /(?<![\p{L}'])(?:is|are|was|must|may|should|cannot|can't|not|no|too|short|long|weak|strong|required|invalid|missing|wrong|incorrect|expired|please|enter|choose|confirm|forgot|forgotten|show|hide|your|the|at least|characters|match|mismatch|optional|minimum|maximum|ist|nicht|zu|kurz|bitte|eingeben|ungültig|erforderlich)(?!\p{L})/iu;
const states =
  /^(?:include|omit|same-origin|true|false|none|null|undefined|disabled|enabled|required|optional|basic|bearer|digest|oauth2?|string|text|hidden|on|off|auto|never|always|default|unknown|anonymous|current-password|new-password|one-time-code|accepted|declined|rejected|pending|granted|denied|expired|valid|invalid|missing|active|inactive|refreshed|revoked)$/i;

/** Words for people about a secret, its kind, or whether there is one: `Passwort`, `too short`, `Password is required`, `disabled`. */
export function isLabel(value: string): boolean {
  if (states.test(value)) return true;
  // One with a digit or a sign within is none, whatever it is called.
  if (/\d|[^\s\p{L}\p{M}.,:;!?'…*()-]/u.test(value)) return false;
  const words = value.split(/\s+/).map((word) => word.replace(/^\(|[.,:;!?…*)]+$/g, ''));
  if (!words.every((word) => /^[\p{L}\p{M}'’-]*$/u.test(word))) return false;
  if (words.length === 1) return namesSecret(value);
  return ofLabels.test(value) || words.some(namesSecret);
}

/** The name of one, and no other word with it. */
const namesSecret = (word: string): boolean =>
  /^[\p{L}]+$/u.test(word) && surenessOf(word) >= Sureness.worded;
