// Which items of two lists belong together: the longest common run stays, what lies between is changed, added or removed.

interface AlignedItem {
  /** Index on the old side; absent for an added item. */
  readonly expected?: number;
  /** Index on the new side; absent for a removed item. */
  readonly actual?: number;
}

/** Lists of one length are compared place by place; longer ones than this too, since alignment costs their product. */
const longest = 600;

export function alignItems<T>(
  expected: readonly T[],
  actual: readonly T[],
  same: (expected: T, actual: T) => boolean,
): AlignedItem[] {
  if (expected.length === actual.length)
    return expected.map((_, index) => ({ expected: index, actual: index }));
  const steps: AlignedItem[] = [];
  let from = 0;
  let to = 0;
  const between = (expectedEnd: number, actualEnd: number): void => {
    while (from < expectedEnd && to < actualEnd) steps.push({ expected: from++, actual: to++ });
    while (from < expectedEnd) steps.push({ expected: from++ });
    while (to < actualEnd) steps.push({ actual: to++ });
  };
  for (const [left, right] of commonItems(expected, actual, same)) {
    between(left, right);
    steps.push({ expected: from++, actual: to++ });
  }
  between(expected.length, actual.length);
  return steps;
}

function commonItems<T>(
  expected: readonly T[],
  actual: readonly T[],
  same: (expected: T, actual: T) => boolean,
): [number, number][] {
  if (expected.length > longest || actual.length > longest) return [];
  const width = actual.length + 1;
  const lengths = new Uint16Array((expected.length + 1) * width);
  const equal = new Uint8Array((expected.length + 1) * width);
  for (const [left, before] of [...expected.entries()].toReversed()) {
    for (const [right, after] of [...actual.entries()].toReversed()) {
      const cell = left * width + right;
      equal[cell] = same(before, after) ? 1 : 0;
      lengths[cell] = equal[cell]
        ? (lengths[cell + width + 1] ?? 0) + 1
        : Math.max(lengths[cell + width] ?? 0, lengths[cell + 1] ?? 0);
    }
  }
  const pairs: [number, number][] = [];
  let left = 0;
  let right = 0;
  while (left < expected.length && right < actual.length) {
    const cell = left * width + right;
    if (equal[cell]) pairs.push([left++, right++]);
    else if ((lengths[cell + width] ?? 0) >= (lengths[cell + 1] ?? 0)) left++;
    else right++;
  }
  return pairs;
}
