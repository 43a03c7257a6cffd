// How alike two texts or declarations are: the shared part of their pairs of neighbours, 0..1.

/** Dice coefficient over pairs of neighbouring items; 1 for equal lists. */
export function similarityOf(left: readonly string[], right: readonly string[]): number {
  const pairs = new Map<string, number>();
  const count = (items: readonly string[]): number => items.length + 1;
  const each = (items: readonly string[], visit: (pair: string) => void): void => {
    for (let i = 0; i <= items.length; i++) visit(`${items[i - 1] ?? ''}\u0001${items[i] ?? ''}`);
  };
  each(left, (pair) => pairs.set(pair, (pairs.get(pair) ?? 0) + 1));
  let shared = 0;
  each(right, (pair) => {
    const remaining = pairs.get(pair) ?? 0;
    if (remaining > 0) {
      shared++;
      pairs.set(pair, remaining - 1);
    }
  });
  return (2 * shared) / (count(left) + count(right));
}

/** Similarity of two texts by their words and signs, 0..1: a line that changed in one word is nearly the same. */
export function similarityOfWords(left: string, right: string): number {
  if (left === right) return 1;
  const words = (text: string): readonly string[] => text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
  return similarityOf(words(left), words(right));
}

/** Similarity of two texts by their trimmed, non-empty lines, 0..1. */
export function similarityOfTexts(left: string, right: string): number {
  if (left === right) return 1;
  const lines = (text: string): string[] =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  return lineShare(lines(left), lines(right));
}

function lineShare(left: readonly string[], right: readonly string[]): number {
  if (left.length + right.length === 0) return 1;
  const counts = new Map<string, number>();
  for (const line of left) counts.set(line, (counts.get(line) ?? 0) + line.length);
  let shared = 0;
  let total = 0;
  for (const line of left) total += line.length;
  for (const line of right) {
    total += line.length;
    const remaining = counts.get(line) ?? 0;
    if (remaining >= line.length) {
      shared += line.length;
      counts.set(line, remaining - line.length);
    }
  }
  return (2 * shared) / total;
}
