// A text between three quotes with other lines: what stays the same keeps its escapes, and a backslash behind the quotes its place.
import { readPythonLiteral, type StringPart } from '../../syntax/python/pythonLiteral.ts';
import { escapeText } from './writeLiteral.ts';

/** Undefined for every other text, and where its lines cannot be read one by one. */
export function changedLines(
  { prefix, quote, raw, start, end }: StringPart,
  now: string,
  text: string,
): string | undefined {
  const opening = `${prefix}${quote}`;
  const body = text.slice(start + opening.length, end - quote.length);
  if (quote.length !== 3 || raw || /b/i.test(prefix) || body.includes('\r')) return undefined;
  const head = body.startsWith('\\\n') ? '\\\n' : '';
  const written = linesOf(body.slice(head.length));
  const values = written.map((line) => {
    const literal = readPythonLiteral(`"""${line}"""`, 0, line.length + 6);
    return literal?.kind === 'str' ? literal.value : undefined;
  });
  if (values.includes(undefined)) return undefined;
  const fresh = now.split(/(?<=\n)/);
  let first = 0;
  while (first < values.length && first < fresh.length && values[first] === fresh[first]) first++;
  let last = 0;
  const most = Math.min(values.length, fresh.length) - first;
  while (last < most && values.at(-1 - last) === fresh.at(-1 - last)) last++;
  const middle = fresh.slice(first, fresh.length - last).join('');
  const kept = [written.slice(0, first).join(''), written.slice(written.length - last).join('')];
  return `${opening}${head}${kept.join(escapeText(middle, quote[0] ?? '"', false, true))}${quote}`;
}

/** A line that ends in a backslash goes on in the next one. */
function linesOf(body: string): readonly string[] {
  const lines: string[] = [];
  let open = '';
  for (const line of body.split(/(?<=\n)/)) {
    open += line;
    if (/(?<!\\)(?:\\\\)*\\\n$/.test(open)) continue;
    lines.push(open);
    open = '';
  }
  return open === '' ? lines : [...lines, open];
}
