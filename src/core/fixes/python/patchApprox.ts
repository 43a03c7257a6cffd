// The edits of what `pytest.approx` is given: of the numbers that are too far away, written as short as its tolerance lets them be.
import type { SyntaxNode } from '@lezer/common';
import { argumentsOf, type PythonSource } from '../../syntax/python/parsePython.ts';
import { readPythonLiteral, sameLiteral, type PythonLiteral } from '../../syntax/python/pythonLiteral.ts';
import { isRefusal, refuse, type Refusal } from '../assertion/literalChange.ts';
import { patchLiteral, type Edits, type PatchRequest } from './patchLiteral.ts';

/** `argument`: of the call `node`. The tolerance is never touched. */
export function patchApprox(
  argument: SyntaxNode,
  { node, actual, expected, path }: PatchRequest,
  source: PythonSource,
): Edits {
  const was = readPythonLiteral(source.text, argument.from, argument.to);
  const start = was ?? expected;
  if (start === undefined) return refuse('The approximate value is computed, not a literal.');
  if (expected !== undefined && !sameLiteral(start, expected))
    return refuse('The value compared in the assertion differs from the literal in the test.');
  const given = argumentsOf(node.getChild('ArgList'), source).find(({ name }) => name === 'abs');
  const abs = given && readPythonLiteral(source.text, given.value.from, given.value.to);
  if (given !== undefined && !(abs && isNumber(abs))) return refuse('The tolerance is computed.');
  const now = near(start, actual, abs && isNumber(abs) ? Number(abs.value) : undefined);
  if (isRefusal(now)) return now;
  if (was === undefined)
    return now === start ? [] : refuse('The approximate value is computed, not a literal.');
  const edits = patchLiteral(was, now, source.text);
  return isRefusal(edits) ? edits : edits.map((edit) => ({ ...edit, path: path + edit.path }));
}

type NumberLiteral = Extract<PythonLiteral, { kind: 'int' | 'float' }>;

const isNumber = (one: PythonLiteral): one is NumberLiteral => one.kind === 'int' || one.kind === 'float';

/** The actual value; what is near enough stays as it is written. */
function near(was: PythonLiteral, actual: PythonLiteral, abs: number | undefined): PythonLiteral | Refusal {
  if (isNumber(was) && isNumber(actual)) return nearNumber(was, actual, abs);
  if ('items' in was && 'items' in actual && was.kind !== 'set' && was.items.length === actual.items.length) {
    const items: PythonLiteral[] = [];
    for (const [index, one] of was.items.entries()) {
      const now = near(one, actual.items[index] ?? one, abs);
      if (isRefusal(now)) return now;
      items.push(now);
    }
    return { ...was, items };
  }
  if (was.kind === 'dict' && actual.kind === 'dict' && was.entries.length === actual.entries.length) {
    const entries: (readonly [PythonLiteral, PythonLiteral])[] = [];
    for (const [key, value] of was.entries) {
      const other = actual.entries.find(([one]) => sameLiteral(one, key))?.[1];
      const now =
        other === undefined ? refuse('A key of the approximate value is missing.') : near(value, other, abs);
      if (isRefusal(now)) return now;
      entries.push([key, now]);
    }
    return { ...was, entries };
  }
  return sameLiteral(was, actual)
    ? was
    : refuse('An approximate value must contain only numbers, and as many as before.');
}

function nearNumber(
  was: NumberLiteral,
  actual: NumberLiteral,
  abs: number | undefined,
): PythonLiteral | Refusal {
  const [old, now] = [Number(was.value), Number(actual.value)];
  if (Math.abs(old - now) <= (abs ?? Math.max(1e-6 * Math.abs(old), 1e-12))) return was;
  const short = Number(now.toPrecision(7));
  if (Math.abs(short - now) > 5e-7 * Math.abs(short)) return refuse('The number cannot be rounded.');
  const kind = was.kind === 'int' && Number.isInteger(short) ? 'int' : 'float';
  return { ...was, kind, value: String(short) };
}
