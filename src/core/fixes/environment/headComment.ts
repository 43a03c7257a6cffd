// The comment at the head of a test file that chooses its environment: where the runner reads it, as the project writes it.
import type { TextChange } from '../../model/edit.ts';
import { refuse, type Refusal } from '../assertion/literalChange.ts';
import { headOf, type NamedEnvironment, type Runner } from './namedEnvironments.ts';

/** Jest reads only the first comment of a file, and only before everything else; vitest reads it anywhere. */
export function headComment(
  text: string,
  { name, example }: NamedEnvironment,
  runner: Runner,
): TextChange | Refusal {
  if (/@(?:vitest|jest)-environment\b/.test(text))
    return refuse('The file already sets its test environment.');
  const eol = /\r?\n/.exec(text)?.[0] ?? '\n';
  const plain = runner === 'jest' ? `/** @jest-environment ${name} */` : `// @vitest-environment ${name}`;
  const comment = (example?.comment ?? plain).replace(/\r?\n/g, eol);
  const first = /^\uFEFF?(?:#![^\n]*\n)?/.exec(text)?.[0] ?? '';
  if (runner === 'vitest') return insert(first.length + licenceIn(text, first), comment + eol);
  if (first.includes('#!')) return refuse('Jest ignores an environment comment after a `#!` line.');
  const opening = /^\s*(\/\*[^]*?\*\/)/.exec(text.slice(first.length))?.[1] ?? '';
  // Of two comments only the first would count.
  if (/@(?:jest|flow|noflow|format|noformat|jsx)/.test(opening))
    return refuse('The file starts with a comment that sets other options.');
  return insert(first.length, comment + eol);
}

const insert = (start: number, newText: string): TextChange => ({ start, end: start, newText });

/** How long a licence at the head is, with the end of its line; 0 where there is none. */
function licenceIn(text: string, first: string): number {
  const head = headOf(text).slice(first.length);
  const opening = /^(?:\/\*[^]*?\*\/[ \t]*\r?\n|(?:\/\/[^\n]*\n)+)/.exec(head)?.[0] ?? '';
  return /copyright|licen[cs]e|SPDX/i.test(opening) ? opening.length : 0;
}
