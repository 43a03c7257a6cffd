// What characters of source text are, by their codes.

/** The offset of the line's end, or of the text's. */
export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** The offset just past the comment that starts at `from`; -1 when it never ends. */
export function endOfComment(text: string, from: number): number {
  const end = text.indexOf('*/', from + 2);
  return end < 0 ? -1 : end + 2;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isSpace(code: number): boolean {
  return (
    (code >= 9 && code <= 13) ||
    code === 32 ||
    code === 160 ||
    code === 0xfeff ||
    code === 0x2028 ||
    code === 0x2029
  );
}

/** Letters, digits, `_`, `$`, and everything beyond ASCII that is no white space. */
export function isNamePart(code: number): boolean {
  if (code < 128) {
    const letter = code | 32;
    return (letter >= 97 && letter <= 122) || isDigit(code) || code === 95 || code === 36;
  }
  return code > 160 && code !== 0xfeff && code !== 0x2028 && code !== 0x2029;
}
