// Where a text that was changed differs first from what it was.

interface Difference {
  /** In the changed text; lines and columns from 0. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** At most to the end of its line; empty where something was only taken away. */
export function firstDifference(before: string, after: string): Difference {
  const [old, now] = [before.split(/\r?\n/), after.split(/\r?\n/)];
  const line = now.findIndex((text, index) => text !== old[index]);
  if (line < 0) return { line: Math.max(0, now.length - 1), start: 0, end: 0 };
  const [is = '', was = ''] = [now[line], old[line]];
  let start = 0;
  while (start < is.length && start < was.length && is[start] === was[start]) start++;
  let kept = 0;
  while (kept < Math.min(is.length, was.length) - start && is.at(-1 - kept) === was.at(-1 - kept)) kept++;
  return { line, start, end: is.length - kept };
}
