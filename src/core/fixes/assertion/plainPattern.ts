// Regular expressions that are nothing but a text, with or without anchors: they can be written anew for another text.

interface PlainPattern {
  readonly text: string;
  /** `^` at the start, `$` at the end. */
  readonly fromStart: boolean;
  readonly toEnd: boolean;
}

/** The text of a pattern without flags, or undefined where it means more than one text. */
export function plainPattern(source: string): PlainPattern | undefined {
  const fromStart = source.startsWith('^');
  const toEnd = /(?:^|[^\\])(?:\\\\)*\$$/.test(source);
  const body = source.slice(fromStart ? 1 : 0, toEnd ? -1 : undefined);
  let text = '';
  for (let index = 0; index < body.length; index++) {
    const char = body.charAt(index);
    if (char !== '\\') {
      if (/[.*+?^$()[\]{}|]/.test(char)) return undefined;
      text += char;
      continue;
    }
    index++;
    const escaped = body.charAt(index);
    if (!/^[^\w\s]$/.test(escaped)) return undefined;
    text += escaped;
  }
  return text === '' ? undefined : { text, fromStart, toEnd };
}

/** The pattern with another text in its place. */
export function patternOf({ text, fromStart, toEnd }: PlainPattern): string {
  const escaped = text
    .replace(/[.*+?^$()[\]{}|\\/]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\r/g, '\\r');
  return `${fromStart ? '^' : ''}${escaped}${toEnd ? '$' : ''}`;
}
