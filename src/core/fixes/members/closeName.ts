// Whether one name could be another one misspelt or put in other words.

/** True for one or two letters of difference, or for names of which one holds all words of the other. */
export function isCloseName(a: string, b: string): boolean {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  const least = Math.min(left.length, right.length);
  return (
    (least >= 3 && distance(left, right) <= (least >= 8 ? 2 : 1)) || isSwap(left, right) || holdsWords(a, b)
  );
}

/** True when the name is the other one misspelt: nearly the same letters. */
export function isMisspelt(a: string, b: string): boolean {
  const least = Math.min(a.length, b.length);
  return least >= 3 && (distance(a, b) <= (least >= 8 ? 2 : 1) || isSwap(a, b));
}

/**
 * True when the one may be the other one mistyped: neighbours changed places, or a letter inside is another, too many or missing.
 * `items` for `item`, `color` for `colour` and `normalise` for `normalize` are meant.
 */
export function isMistyped(a: string, b: string): boolean {
  const [left, right] = [a, b].map((name) =>
    name
      .toLowerCase()
      .replaceAll('our', 'or')
      .replaceAll(/is(?=e|ing|ation)/g, 'iz'),
  );
  if (left === undefined || right === undefined || left === right || Math.min(a.length, b.length) < 4)
    return false;
  if (left.startsWith(right) || right.startsWith(left)) return false;
  return isSwap(left, right) || distance(left, right) === 1;
}

/** `lenght` and `length`: two neighbours changed places. */
function isSwap(a: string, b: string): boolean {
  if (a.length !== b.length || a.length < 3) return false;
  const at = a.split('').findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

function holdsWords(a: string, b: string): boolean {
  const [few, many] = [wordsOf(a), wordsOf(b)].sort((x, y) => x.length - y.length);
  return few !== undefined && few.length > 0 && few.every((word) => many?.includes(word) === true);
}

function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]?[a-z\d]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}

/** How many letters must be added, removed or replaced. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(
        Math.min(
          (next[j - 1] ?? 0) + 1,
          (row[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[b.length] ?? 0;
}
