// How alike two texts, lists, paths or boxes are, each from 0 to 1.

/** Longer texts are compared by words alone: the cost of comparing letters grows with the square of the length. */
const longestByLetter = 64;

/** 1 for texts that differ in case, space or closing punctuation only. Symmetric. */
export function textSimilarity(one: string, other: string): number {
  if (one === other) return 1;
  const [left, right] = [normalized(one), normalized(other)];
  if (left === right) return 1;
  if (left === '' || right === '') return 0;
  const words = dice(wordsOf(left), wordsOf(right));
  if (left.length > longestByLetter || right.length > longestByLetter) return words;
  return Math.max(words, letterSimilarity(left, right));
}

/** 1 − edits ÷ length of the longer one (Levenshtein). */
export function letterSimilarity(one: string, other: string): number {
  const longer = Math.max(one.length, other.length);
  if (longer === 0 || one === other) return 1;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    const next = [at];
    for (let to = 1; to <= other.length; to++) {
      const changed = (row[to - 1] ?? 0) + (one[at - 1] === other[to - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return 1 - (row[other.length] ?? longer) / longer;
}

/** For ids, names and keys: by the words in `user-name`, `userName`, `user_name1`; numbers at the end count little. */
export function identifierSimilarity(one: string, other: string): number {
  if (one === other) return 1;
  const [left, right] = [identifierWords(one), identifierWords(other)];
  if (left.join(' ') === right.join(' ')) return 0.9;
  return 0.8 * Math.max(dice(left, right), letterSimilarity(left.join(''), right.join('')) ** 2);
}

/** Of addresses: the end of the path says more than the host or a version in it. */
export function addressSimilarity(one: string, other: string): number {
  if (one === other) return 1;
  const [left, right] = [addressParts(one), addressParts(other)];
  if (left.join('/') === right.join('/')) return 0.95;
  let same = 0;
  while (same < Math.min(left.length, right.length) && left.at(-1 - same) === right.at(-1 - same)) same += 1;
  const ends = same / Math.max(left.length, right.length, 1);
  return (
    0.9 * Math.max(ends, dice(left, right), letterSimilarity(left.at(-1) ?? '', right.at(-1) ?? '') * 0.7)
  );
}

/** Twice what both have, by the number of all (Sørensen–Dice); 0 where one is empty. */
export function dice(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return 0;
  const left = new Set(one);
  const right = new Set(other);
  let both = 0;
  for (const item of left) if (right.has(item)) both += 1;
  return (2 * both) / (left.size + right.size);
}

/** Of paths: the steps that both have in the same order; a step with another number counts half. */
export function pathSimilarity(one: string, other: string): number {
  if (one === other) return 1;
  const [left, right] = [one.split('/'), other.split('/')];
  let row: number[] = Array.from({ length: right.length + 1 }, () => 0);
  for (const step of left) {
    const tag = tagOf(step);
    const next = [0];
    for (let to = 1; to <= right.length; to++) {
      const there = right[to - 1] ?? '';
      const alike = there === step ? 1 : tagOf(there) === tag ? 0.5 : 0;
      next.push(Math.max((row[to - 1] ?? 0) + alike, row[to] ?? 0, next[to - 1] ?? 0));
    }
    row = next;
  }
  return (2 * (row[right.length] ?? 0)) / (left.length + right.length);
}

/** The texts that both have, by the number of all; words where that is more. */
export function contextSimilarity(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return 0;
  const [left, right] = [one.map(normalized), other.map(normalized)];
  const whole = dice(left, right);
  return whole === 1 ? 1 : Math.max(whole, dice(left.flatMap(wordsOf), right.flatMap(wordsOf)));
}

export const normalized = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s:*….!?»›→]+$/u, '')
    .trim();

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}]+/gu) ?? [];
const tagOf = (step: string): string => step.slice(0, step.indexOf('[') + 1 || step.length);

const identifierWords = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');

const addressParts = (address: string): string[] =>
  address
    .toLowerCase()
    .replace(/^(?:https?:)?\/\/[^/]*/, '')
    .split(/[/?&#=]+/)
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .map((part) => part.replace(/^index\.\w+$|\.(?:html?|php|aspx?)$/, ''))
    .filter((part) => part !== '');
