// What a condition asks of one value, by its text alone.
import assert from 'node:assert/strict';
import ts from 'typescript';
import { predicateOf } from '../../../../src/core/syntax/javascript/predicates.ts';
import { parseTree } from '../../../../src/core/syntax/javascript/sourceTree.ts';

/** `operand kind way literal`, or undefined. */
function read(text: string): string | undefined {
  const [statement] = parseTree('a.ts', text).ast.statements;
  assert.ok(statement !== undefined && ts.isExpressionStatement(statement));
  const found = predicateOf(statement.expression);
  if (found === undefined) return undefined;
  const { of, path, operand, question } = found;
  const way = question.kind === 'part' ? question.where : question.kind === 'limit' ? question.operator : '';
  const words = [of === 'item' ? ['any', ...path].join('.') : '', operand.getText(), question.kind, way];
  return [...words, question.literal.getText()].filter(Boolean).join(' ');
}

const conditions: readonly (readonly [text: string, read: string | undefined])[] = [
  [`a.b().startsWith('x')`, `a.b() part start 'x'`],
  [`(a as string).endsWith(x)`, '(a as string) part end x'],
  [`a.includes('x')`, `a part inside 'x'`],
  [`a.indexOf('x') !== -1`, `a part inside 'x'`],
  [`a.indexOf('x') >= 0`, `a part inside 'x'`],
  [`a.indexOf('x') === 0`, `a part start 'x'`],
  [`/x/.test(a)`, 'a pattern /x/'],
  [`a.match(/x/)`, 'a pattern /x/'],
  [`a === 'x'`, `a equal 'x'`],
  [`'x' == a`, `a equal 'x'`],
  [`a.length > 3`, 'a.length limit > 3'],
  [`3 >= a.length`, 'a.length limit <= 3'],
  [`Math.abs(a() - 1.5) < 0.01`, 'a() near 1.5'],
  [`Math.abs(1.5 - a()) <= Number.EPSILON`, 'a() near 1.5'],
  [`a.some((x) => x.b.c === 'd')`, `any.b.c a equal 'd'`],
  [`a.some((x) => x.includes('d'))`, `any a part inside 'd'`],
  // What asks more than one thing, the opposite, or something that is not known.
  [`!a.includes('x')`, undefined],
  [`a.includes('x') && b`, undefined],
  [`a.startsWith('x', 2)`, undefined],
  [`a.every((x) => x === 'd')`, undefined],
  [`a.some((x) => y === 'd')`, undefined],
  [`a.some((x) => { return x === 'd'; })`, undefined],
  [`a.some((x) => x > 3)`, undefined],
  [`typeof a === 'string'`, undefined],
  [`a !== 'x'`, undefined],
  [`pattern.test(a)`, undefined],
  [`'abc'.includes('x')`, undefined],
];

describe('what a condition asks', () => {
  for (const [text, expected] of conditions)
    it(`is read: ${text}`, () => {
      assert.equal(read(text), expected);
    });
});
