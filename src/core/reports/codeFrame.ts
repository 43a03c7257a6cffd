// The failing line with its neighbours and a mark under the column, as text.
import { plainText } from './paint.ts';
import type { Paint } from './paint.ts';

/** Lines around `line` (1-based), the line itself marked with `>` and the column with `^`; empty when the line does not exist. */
export function codeFrame(
  text: string,
  place: { readonly line: number; readonly column: number },
  paint: Paint,
  { context = 2, width = 80 }: { readonly context?: number; readonly width?: number } = {},
): string {
  const lines = text.split(/\r?\n/);
  if (place.line < 1 || place.line > lines.length) return '';
  const first = Math.max(1, place.line - context);
  const last = Math.min(lines.length, place.line + context);
  const digits = String(last).length;
  const room = Math.max(20, width - digits - 5);
  // A column far to the right moves the window, for minified lines.
  const from = place.column > room ? place.column - Math.floor(room / 2) : 0;
  const show = (line: string): string =>
    plainText(line)
      .replaceAll('\t', ' ')
      .slice(from, from + room);
  const frame: string[] = [];
  for (let number = first; number <= last; number++) {
    const gutter = `${String(number).padStart(digits)} │`;
    const code = show(lines[number - 1] ?? '');
    if (number !== place.line) {
      frame.push(paint.dim(`  ${gutter} ${code}`.trimEnd()));
      continue;
    }
    frame.push(`${paint.red('>')} ${paint.dim(gutter)} ${code}`.trimEnd());
    const column = place.column - 1 - from;
    if (place.column >= 1 && column <= code.length)
      frame.push(`  ${paint.dim(' '.repeat(digits) + ' │')} ${' '.repeat(column)}${paint.red('^')}`);
  }
  return frame.join('\n');
}
