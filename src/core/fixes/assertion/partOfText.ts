// Finds the part of a new text that stands where an expected part of the old text stood.

/** Most tokens that are compared: alignment costs their product. */
const longest = 2000;

/**
 * The part of one line (or lines, where `expected` has several) that differs least from `expected`, word by word; undefined when
 * less than half of the words stayed, or several parts are equally near. Where the first or the last word is another one, the
 * part reaches to the end of the line: how far the new words go is not known, and more is never less.
 */
export function partOfText(expected: string, actual: string): string | undefined {
  const candidates = expected.includes('\n') ? [actual] : actual.split('\n');
  const wanted = tokensOf(expected);
  const found = candidates.flatMap((text) => nearestParts(wanted, text));
  const least = Math.min(...found.map(({ cost }) => cost));
  const best = new Set(found.filter(({ cost }) => cost === least).map(({ text }) => text));
  const [only] = best;
  const words = wanted.filter((token) => /\w/.test(token)).length;
  if (only === undefined || best.size > 1 || least > words / 2 || least === 0) return undefined;
  return expected.includes(only) ? undefined : only;
}

interface Part {
  readonly text: string;
  readonly cost: number;
}

function nearestParts(wanted: readonly string[], text: string): readonly Part[] {
  const tokens = tokensOf(text);
  if (wanted.length === 0 || tokens.length === 0 || wanted.length + tokens.length > longest) return [];
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
      const options: Cell[] = [];
      if (diagonal && other === token) options.push({ ...diagonal, same: true });
      if (diagonal && other !== undefined && other !== token)
        options.push({ ...diagonal, cost: diagonal.cost + weight(token), same: false });
      if (left && other !== undefined) options.push({ ...left, cost: left.cost + weight(other) * 0.9 });
      if (above) options.push({ ...above, cost: above.cost + weight(token) * 1.5, same: false });
      const [first = { cost: Infinity, start: 0, same: false }] = options.sort((a, b) => a.cost - b.cost);
      next.push(first);
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

const weight = (token: string): number => (/\w/.test(token) ? 1 : 0.4);

function tokensOf(text: string): readonly string[] {
  return text.match(/\w+|\s+|[^\w\s]/g) ?? [];
}
