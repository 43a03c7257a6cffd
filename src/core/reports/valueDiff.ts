// Expected against actual as coloured text: side by side lines for short values, a line diff for long ones.
import { diffChars } from 'diff';
import { diffOfLines } from '../workspace/lineDiff.ts';
import { cutEnd, plainText } from './paint.ts';
import type { Paint } from './paint.ts';

const maximumLines = 40;

/** Both values as text with what differs marked; `width` in characters. */
export function valueDiff(expected: string, actual: string, paint: Paint, width = 80): string {
  const [left, right] = [plainText(expected), plainText(actual)];
  if (left.includes('\n') || right.includes('\n')) return lineDiff(left, right, paint, width);
  const [from, to] = markDifferences(left, right, paint, width - 11);
  return `${paint.green('- expected')} ${from}\n${paint.red('+ actual  ')} ${to}`;
}

function markDifferences(left: string, right: string, paint: Paint, width: number): [string, string] {
  const plain: [string, string] = [paint.green(cutEnd(left, width)), paint.red(cutEnd(right, width))];
  if (left.length > width || right.length > width || left === right) return plain;
  const parts = diffChars(left, right);
  const same = parts.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.length), 0);
  // Two values with little in common are read better without marks in every second letter.
  if (same < Math.max(left.length, right.length) / 2) return plain;
  const side = (skip: 'added' | 'removed', style: (text: string) => string): string =>
    parts
      .filter((part) => !part[skip])
      .map((part) => style(part.added || part.removed ? paint.inverse(part.value) : part.value))
      .join('');
  return [side('added', paint.green), side('removed', paint.red)];
}

function lineDiff(left: string, right: string, paint: Paint, width: number): string {
  const lines: string[] = [`${paint.green('- expected')}  ${paint.red('+ actual')}`];
  const parts = diffOfLines(ended(left), ended(right));
  parts.forEach((part, index) => {
    const own = part.value.replace(/\n$/, '').split('\n');
    const cut = (line: string): string => cutEnd(line, width - 2);
    if (part.added) lines.push(...own.map((line) => paint.red(`+ ${cut(line)}`)));
    else if (part.removed) lines.push(...own.map((line) => paint.green(`- ${cut(line)}`)));
    else
      lines.push(
        ...elide(own, index > 0, index < parts.length - 1).map((line) => paint.dim(`  ${cut(line)}`)),
      );
  });
  return lines.length <= maximumLines
    ? lines.join('\n')
    : [...lines.slice(0, maximumLines), paint.dim(`  … ${lines.length - maximumLines} more lines`)].join(
        '\n',
      );
}

const ended = (text: string): string => (text.endsWith('\n') ? text : text + '\n');

/** Keeps two unchanged lines beside each change. */
function elide(lines: readonly string[], changeBefore: boolean, changeAfter: boolean): readonly string[] {
  const keep = 2;
  const head = changeBefore ? keep : 0;
  const tail = changeAfter ? keep : 0;
  if (lines.length <= head + tail + 1) return lines;
  return [
    ...lines.slice(0, head),
    `… ${lines.length - head - tail} equal lines`,
    ...lines.slice(lines.length - tail),
  ];
}
