// Finds the known name that a misspelt one probably means.

/** The closest of the names, or undefined where none is near: at most a third of the letters differ. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const one of known) {
    const distance = distanceOf(plain(name), plain(one));
    if (
      distance <= Math.max(1, Math.floor(Math.max(name.length, one.length) / 3)) &&
      (!best || distance < best.distance)
    )
      best = { name: one, distance };
  }
  return best?.name;
}

/** `save_response_as`, `save-response-as` and `saveResponseAs` are the same name in other spellings. */
const plain = (name: string): string => name.toLowerCase().replace(/[-_\s]/g, '');

/** Letters to add, take away, replace or swap with their neighbour. Long names are cut: they are no slips of the pen. */
function distanceOf(left: string, right: string): number {
  const [a, b] = [left.slice(0, 60), right.slice(0, 60)];
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
