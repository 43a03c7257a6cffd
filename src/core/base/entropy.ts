// Tells random texts, as keys are, from words, paths, numbers and the hashes that every repository is full of.
import { wordLikeness } from './wordLikeness.ts';

/** Shannon's, in bits. */
export function bitsPerCharacter(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** MD5, SHA-1 (commits), SHA-256, SHA-384, SHA-512. */
const hashLengths = new Set([32, 40, 64, 96, 128]);

/** Bits. Of random texts of 20 letters and digits less than one in fifty reads more like words than this, of 1,000 names less than one reads less so. */
const leastLike = -13;
/** Of fewer characters. */
const leastLikeShort = -8;
/** Without a digit: words of languages that it does not know are less like those that it knows. */
const leastLikeLetters = -20;

const leastLikeWords = -6;

/** `text`: one run of letters, digits and signs, under any name. */
export function looksRandom(text: string): boolean {
  const rest = withoutKnown(text);
  if (rest.length < 20 || !/[A-Za-z]/.test(rest)) return false;
  const isHex = /^[\da-f]+$|^[\dA-F]+$/.test(rest);
  if (bitsPerCharacter(rest) < (isHex ? 3 : 3.2)) return false;
  if (isHex && changesOfKind(rest) >= 0.28 * rest.length) return true;
  return wordLikeness(rest) < (/\d/.test(rest) ? leastLike : leastLikeLetters);
}

/** Without ids and hashes, alone or in a path, and without the alphabet. */
function withoutKnown(text: string): string {
  return (
    text
      .replaceAll(/(?<![\da-z])[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])/gi, '')
      // A ULID.
      .replaceAll(/(?<![\dA-Za-z])0[0-7][\dA-HJKMNP-TV-Z]{24}(?![\dA-Za-z])/g, '')
      .replaceAll(/(?<![\da-z])(?:[\da-f]+|[\dA-F]+)(?![\da-z])/gi, (hex) =>
        hashLengths.has(hex.length) ? '' : hex,
      )
      .replaceAll(/abcdefgh[i-z]*|ABCDEFGH[I-Z]*|0123456789/g, '')
  );
}

/** The same of a shorter one, 12 to 19 letters and digits of all three kinds. */
export function looksShuffled(text: string): boolean {
  if (!/^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z\d]{12,19}$/.test(text)) return false;
  return bitsPerCharacter(text) >= 3 && wordLikeness(text) < leastLikeShort;
}

/**
 * Letters that no word has in that order, of which a name says that they are a secret: of random ones of 10 letters nine in ten do (of 8,
 * 84 of 100), of the words of our manual and sources fewer than one in 1,000.
 */
export const looksUnspoken = (letters: string): boolean =>
  /^[A-Za-z]{8,}$/.test(letters) && wordLikeness(letters) < leastLikeWords;

/** Of random runs of 10 letters and digits nine in ten are less like words than this; of names with a number (`theme2Key`) none. */
const leastLikeNames = -10;

/** Eight characters and more in an order that no word and no name has. */
export const looksUnlikeWords = (text: string): boolean =>
  (withoutKnown(text).match(/[A-Za-z\d]{8,}/g) ?? []).some((run) =>
    /\d/.test(run) ? /[A-Za-z]/.test(run) && wordLikeness(run) < leastLikeNames : looksUnspoken(run),
  );

/**
 * Words, a colour, or what is put together of words: `yes`, `#ff8800`, `color-background-primary`, `counterValue`, `token-1`. Of several
 * words one may be rare: `bearer-only`.
 */
export function readsLikeWords(text: string): boolean {
  if (/^#(?:[\da-f]{3,4}){1,2}$/i.test(text)) return true;
  // The name of a header.
  if (/^X(?:-[A-Z][A-Za-z]{1,11}){1,4}$/.test(text)) return true;
  const runs = text.match(/[\p{L}\d]+/gu) ?? [];
  let spare = 0;
  for (const run of runs) {
    if (/^\d{1,3}$/.test(run) ? runs.length > 1 : run.length < 4 && /^[A-Za-z]+$/.test(run)) {
      if (runs.length > 1 || text.length < 5) continue;
      return false;
    }
    if (!/^[A-Za-z]+$/.test(run)) return false;
    // Of random letters of one case one in a hundred, of both one in a thousand.
    const isOneWord = /^[A-Z]?[a-z]+$|^[A-Z]+$/.test(run);
    const bits = wordLikeness(isOneWord ? run.toLowerCase() : run);
    if (bits < run.length * (isOneWord ? leastOfOneRun : 0.5)) return false;
    spare += bits - run.length * (isOneWord ? 0.25 : 0.5);
  }
  return spare >= 0;
}

/** Bits per letter, beside others: of pairs of words 93 of 100 read like words with it, of pairs of 5 random letters one in 200. */
const leastOfOneRun = -0.3;

/** Words keep to one kind of characters for a while: a capital letter belongs to what follows it. */
function changesOfKind(text: string): number {
  return (text.match(/[a-z](?=[A-Z])|[A-Za-z](?=\d)|\d(?=[A-Za-z])|[A-Z](?=[A-Z][a-z])/g) ?? []).length;
}
