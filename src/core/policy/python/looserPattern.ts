// Whether a regular expression of Python asks for less than the one in whose place it stands.

/** One sentence; undefined when it asks for at least as much text, as literally. */
export function looserPattern(was: string, is: string): string | undefined {
  const [old, now] = [makeup(was), makeup(is)];
  for (const [sign, count] of now.open)
    if (count > (old.open.get(sign) ?? 0))
      return `The pattern for the message is open where it was not (${sign}).`;
  for (const anchor of ['^', '$', '\\b'] as const)
    if ((old.anchors.get(anchor) ?? 0) > (now.anchors.get(anchor) ?? 0))
      return `The pattern for the message lost its ${anchor}.`;
  if (now.letters < old.letters) return 'The pattern for the message asks for less text than before.';
  return undefined;
}

interface Makeup {
  /** Letters and digits that must stand in the message. */
  readonly letters: number;
  readonly anchors: ReadonlyMap<string, number>;
  /** Signs that leave something open, and how often. */
  readonly open: ReadonlyMap<string, number>;
}

function makeup(pattern: string): Makeup {
  const anchors = new Map<string, number>();
  const open = new Map<string, number>();
  const add = (counts: Map<string, number>, sign: string): void =>
    void counts.set(sign, (counts.get(sign) ?? 0) + 1);
  let letters = 0;
  for (const [token] of pattern.matchAll(/\\[\s\S]|\(\?|\.[*+?]|[^]/gu)) {
    if (/^[\p{L}\p{N}]$/u.test(token)) letters++;
    else if (/^[\^$]$|^\\[bAZ]$/.test(token)) add(anchors, token);
    else if (/^\\[dDwWsSB]$/.test(token) || /^(?:[*+?|()[\]{}]|\(\?|\.[*+?])$/.test(token)) add(open, token);
  }
  return { letters, anchors, open };
}
