// Whether a regular expression of Python asks for less than the one in whose place it stands.

/**
 * One sentence; undefined when only plain text between the same signs changed, none of it became less, and nothing but an anchor
 * was added. Whatever else is built in another way counts as looser: whether it is cannot be told.
 */
export function looserPattern(was: string, is: string): string | undefined {
  const [old, now] = [partsOf(was), partsOf(is)];
  let at = 0;
  const lengths: Counts[] = [];
  let run: Counts = { letters: 0, signs: 0 };
  for (const part of now) {
    if (typeof part !== 'string')
      run = { letters: run.letters + part.letters, signs: run.signs + part.signs };
    else if (part === signsOf(old)[at]) {
      at++;
      lengths.push(run);
      run = { letters: 0, signs: 0 };
    } else if (!anchor.test(part)) return `The pattern for the message is open where it was not (${part}).`;
  }
  lengths.push(run);
  const lost = signsOf(old)[at];
  if (lost !== undefined) return `The pattern for the message lost its ${lost}.`;
  const before = runsOf(old);
  const isShorter = before.some(({ letters, signs }, index) => {
    const after = lengths[index] ?? { letters: 0, signs: 0 };
    return after.letters < letters || after.signs < signs;
  });
  return isShorter ? 'The pattern for the message asks for less text than before.' : undefined;
}

interface Counts {
  /** Letters and digits. */
  readonly letters: number;
  /** Everything but white space. */
  readonly signs: number;
}

/** A sign with a meaning, or a piece of plain text. */
type Part = string | Counts;

const anchor = /^(?:[\^$]|\\[bAZ])$/;

const token =
  /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|N\{[^}]*\}|\d+|[^])|\[\^?\]?(?:\\[^]|[^\]])*\]|\{\d*,?\d*\}|\(\?#[^)]*\)|\(\?(?:P[<=>][^>)]*[>)]?|<?[=!]|[a-zA-Z-]*[:)]?)?|[^]/gu;

function partsOf(pattern: string): readonly Part[] {
  return [...pattern.matchAll(token)].map(([text]) => {
    const isSign = /^(?:[.*+?^$|()[\]{}]|\\[a-zA-Z\d])$/u.test(text) || /^(?:\\.{2,}|[[{(].+)$/su.test(text);
    if (isSign) return text;
    return { letters: /[\p{L}\p{N}]/u.test(text) ? 1 : 0, signs: /\S/u.test(text) ? 1 : 0 };
  });
}

const signsOf = (parts: readonly Part[]): readonly string[] =>
  parts.filter((part) => typeof part === 'string');

function runsOf(parts: readonly Part[]): readonly Counts[] {
  const runs: { letters: number; signs: number }[] = [{ letters: 0, signs: 0 }];
  for (const part of parts) {
    const last = runs.at(-1);
    if (typeof part === 'string' || last === undefined) runs.push({ letters: 0, signs: 0 });
    else {
      last.letters += part.letters;
      last.signs += part.signs;
    }
  }
  return runs;
}
