// Finds the part of a new text that stands where an expected part of the old text stood.

/** Most pairs of tokens that are compared, of all lines together. */
const mostPairs = 2_000_000;

/**
 * The part of one line (or lines, where `expected` has several) that differs least from `expected`, word by word; undefined when
 * less than half of the words stayed, or several parts are equally near. Where the first or the last word is another one, the
 * part reaches to the end of the line: how far the new words go is not known, and more is never less.
 */
export function partOfText(expected: string, actual: string): string | undefined {
  const lines = expected.includes('\n') ? [actual] : actual.split('\n');
  const candidates = lines.map(tokensOf);
  const wanted = tokensOf(expected);
  if (wanted.length * candidates.reduce((sum, tokens) => sum + tokens.length, 0) > mostPairs)
    return undefined;
  const found = candidates.flatMap((tokens) => nearestParts(wanted, tokens));
  const least = Math.min(...found.map(({ cost }) => cost));
  const best = new Set(found.filter(({ cost }) => cost === least).map(({ text }) => text));
  const [only] = best;
  const words = wanted.filter(isWord).length;
  if (only === undefined || best.size > 1 || least > words / 2 || least === 0) return undefined;
  // Where words are gone something may have become empty, and less is found more easily.
  return expected.includes(only) || tokensOf(only).filter(isWord).length < words ? undefined : only;
}

interface Part {
  readonly text: string;
  readonly cost: number;
}

function nearestParts(wanted: readonly string[], tokens: readonly string[]): readonly Part[] {
  if (wanted.length === 0 || tokens.length === 0) return [];
  // Cost of aligning the first `row` wanted tokens with a run of tokens that ends before `column`, and where that run began.
  let costs: Cell[] = Array.from({ length: tokens.length + 1 }, (_, start) => ({
    cost: 0,
    start,
    same: true,
  }));
  for (const token of wanted) {
    const next: Cell[] = [];
    for (let column = 0; column <= tokens.length; column++) {
      const [above, diagonal, left] = [costs[column], costs[column - 1], next[column - 1]];
      const other = tokens[column - 1];
      let best: Cell = { cost: Infinity, start: 0, same: false };
      const offer = (from: Cell | undefined, more: number, same?: boolean): void => {
        if (from && from.cost + more < best.cost)
          best = { cost: from.cost + more, start: from.start, same: same ?? from.same };
      };
      if (other === token) offer(diagonal, 0, true);
      else if (other !== undefined) offer(diagonal, weight(token), false);
      if (other !== undefined) offer(left, weight(other) * 0.9);
      offer(above, weight(token) * 1.5, false);
      next.push(best);
    }
    costs = next;
  }
  const least = Math.min(...costs.slice(1).map(({ cost }) => cost));
  return costs.flatMap(({ cost, start, same }, end) => {
    if (cost > least || end <= start) return [];
    const [from, to] = [tokens[start] === wanted[0] ? start : 0, same ? end : tokens.length];
    return [{ text: tokens.slice(from, to).join('').trim(), cost }];
  });
}

interface Cell {
  readonly cost: number;
  readonly start: number;
  /** The last wanted token is there as it was. */
  readonly same: boolean;
}

const isWord = (token: string): boolean => /\w/.test(token);
const weight = (token: string): number => (isWord(token) ? 1 : 0.4);

function tokensOf(text: string): readonly string[] {
  return text.match(/\w+|\s+|[^\w\s]/g) ?? [];
}
