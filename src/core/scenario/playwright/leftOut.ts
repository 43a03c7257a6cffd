// What of a file cannot be carried over into another form, with its line and the reason.

export interface LeftOut {
  /** In the file that is read, 1-based. */
  readonly line: number;
  /** The source there, one line. */
  readonly text: string;
  readonly reason: string;
  /** It was carried over by something that is nearly the same. */
  readonly nearly?: true;
}

/** Thrown within a statement that cannot be carried over; the reason completes "not carried over:". */
export class CannotCarry extends Error {
  override readonly name = 'CannotCarry';
}

/** `line 12: await page.reload() (there is no step for it)` */
export function leftOutText({ line, text, reason, nearly }: LeftOut): string {
  return `line ${line}: ${text} (${nearly ? 'nearly the same: ' : ''}${reason})`;
}

/** The first line of a source, at most 120 signs. */
export function sourceLine(text: string): string {
  const [first = '', ...rest] = text.trim().split(/\r?\n/);
  return first.length > 120 || rest.length > 0 ? `${first.slice(0, 120).trimEnd()} …` : first;
}
