// Seeded random choices, so that a demo can be repeated from the seed it printed.

interface Random {
  /** A whole number from `from` to `to`, both included. */
  integer(from: number, to: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** Different items in random order; throws when there are not enough. */
  sample(items: readonly string[], count: number): string[];
}

/** mulberry32: small, fast, the same on every machine. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const integer = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    integer,
    pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
    sample(items, count) {
      if (count > items.length) throw new Error('not enough items to sample');
      const rest = [...items];
      return Array.from({ length: count }, () => rest.splice(integer(0, rest.length - 1), 1)[0] ?? '');
    },
  };
}
