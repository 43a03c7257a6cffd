// Writes a new text with the indentation of an old one, as the source of a template whose indentation is taken away.

/**
 * `source` is a literal of which a function made `dedented` by taking away the common indentation and the empty lines around.
 * Gives the literal that becomes `wanted` in the same way, or undefined when the function did something else.
 */
export function indentedLike(source: string, dedented: string, wanted: string): string | undefined {
  const lines = source.split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  const indent = commonIndent(filled);
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  if (first < 0) return undefined;
  const body = (text: string): string => text.replace(/^\n+|\n[ \t]*$/g, '');
  const plain = lines
    .slice(first, last + 1)
    .map((line) => (line.trim() === '' ? '' : line.slice(indent.length)))
    .join('\n');
  // Some keep one line break at the end.
  const [start, end] = [dedented.indexOf(plain), dedented.length - plain.length];
  if (start < 0 || body(dedented) !== body(plain)) return undefined;
  const [head, tail] = [dedented.slice(0, start), end === start ? '' : dedented.slice(start + plain.length)];
  if (!wanted.startsWith(head) || !wanted.endsWith(tail)) return undefined;
  const text = wanted.slice(head.length, wanted.length - tail.length);
  const isKept =
    text !== '' && !/^\s|\s$/.test(text) && commonIndent(text.split('\n').filter(Boolean)) === '';
  if (!isKept) return undefined;
  const indented = text.split('\n').map((line) => (line.trim() === '' ? line : indent + line));
  return [...lines.slice(0, first), ...indented, ...lines.slice(last + 1)].join('\n');
}

function commonIndent(lines: readonly string[]): string {
  const indents = lines.map((line) => /^[ \t]*/.exec(line)?.[0] ?? '');
  return indents.reduce(
    (shortest, indent) => (indent.length < shortest.length ? indent : shortest),
    indents[0] ?? '',
  );
}
