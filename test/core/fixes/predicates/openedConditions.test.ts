// What a condition asks, by its text alone, and the numbers that let one hold again.
import assert from 'node:assert/strict';
import ts from 'typescript';
import { partOfText } from '../../../../src/core/fixes/assertion/partOfText.ts';
import { nearestCentre, nearestLimit } from '../../../../src/core/fixes/predicates/nearestNumber.ts';
import { statedConditionAt } from '../../../../src/core/fixes/predicates/statedConditions.ts';
import { whyFailure } from '../../../../src/core/fixes/predicates/tellsFailure.ts';
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

describe('conditions that are stated', () => {
  const isStated = (statement: string): boolean => {
    const text = `import assert, { ok } from 'node:assert';\ntest('a', (t) => {\n${statement}\n});\n`;
    return (
      statedConditionAt(parseTree('a.test.ts', text), { file: 'a.test.ts', line: 3, column: 1 }) !== undefined
    );
  };
  const condition = `a().includes('x')`;

  it('to be true', () => {
    for (const statement of [
      `expect(${condition}).toBe(true);`,
      `expect(${condition}).toBeTruthy();`,
      `expect(${condition}).to.be.true;`,
      `expect(${condition}).to.equal(true);`,
      `assert(${condition});`,
      `assert.ok(${condition}, 'why');`,
      `assert.strictEqual(${condition}, true);`,
      `ok(${condition});`,
      `t.true(${condition});`,
      `t.is(${condition}, true);`,
      `t.assert.ok(${condition});`,
      `expect(a()).toBeLessThanOrEqual(5);`,
      `expect(a()).to.be.above(5);`,
      `assert.isAtMost(a(), 5);`,
    ])
      assert.ok(isStated(statement), statement);
  });

  it('but not to be false, later, or twice in one line', () => {
    for (const statement of [
      `expect(${condition}).toBe(false);`,
      `expect(${condition}).not.toBe(true);`,
      `expect(${condition}).to.not.be.true;`,
      `expect(${condition}).toBeFalsy();`,
      `expect(${condition}).resolves.toBe(true);`,
      `assert.strictEqual(${condition}, false);`,
      `t.false(${condition});`,
      `expect(a()).not.toBeLessThan(5);`,
      `check(${condition});`,
    ])
      assert.ok(!isStated(statement), statement);
    const twice = parseTree('a.test.ts', `assert(${condition}); assert(b().includes('y'));\n`);
    assert.equal(statedConditionAt(twice, { file: 'a.test.ts', line: 1, column: 9 }), undefined);
  });
});

describe('the number of a condition', () => {
  it('is the nearest limit, written as precisely as the old one', () => {
    assert.equal(nearestLimit('5', '<', 7), '8');
    assert.equal(nearestLimit('5', '<=', 7), '7');
    assert.equal(nearestLimit('5', '<', 5.3), '6');
    assert.equal(nearestLimit('3', '>', 2), '1');
    assert.equal(nearestLimit('3', '>=', 2), '2');
    assert.equal(nearestLimit('0.50', '<', 0.7312), '0.74');
    assert.equal(nearestLimit('0.3', '<=', 0.1 + 0.2), '0.4');
    assert.equal(nearestLimit('-1.5', '>', -2), '-2.1');
  });

  it('is the value with the digits that the tolerance needs', () => {
    assert.equal(nearestCentre('1.5', 0.01, false, 1.7349), '1.73');
    assert.equal(nearestCentre('1.50', 0.1, false, 1.7349), '1.73');
    assert.equal(nearestCentre('2', 0.5, true, 3.5), '4');
  });

  it('is none where the old one is written in another way', () => {
    assert.equal(nearestLimit('0xff', '<', 300), undefined);
    assert.equal(nearestLimit('1e3', '<', 1200), undefined);
    assert.equal(nearestCentre('1.5', 0.01, false, NaN), undefined);
  });
});

describe('a number that tells of a failure', () => {
  it('is no answer', () => {
    assert.match(whyFailure('response.status', 'equal', 200, 500) ?? '', /tells of a failure/);
    assert.match(whyFailure('(await get()).statusCode', 'limit', 400, 500) ?? '', /tells of a failure/);
    assert.match(whyFailure('child.exitCode', 'equal', 0, 1) ?? '', /tells of a failure/);
    assert.match(whyFailure('cart().length', 'equal', 3, 0) ?? '', /Nothing is left/);
    assert.match(whyFailure('send.mock.callCount()', 'equal', 1, 0) ?? '', /Nothing is left/);
    assert.match(whyFailure('mean()', 'near', 1.5, -1.5) ?? '', /another sign/);
    for (const [asked, kind, was, now] of [
      ['response.status', 'equal', 200, 201],
      ['cart().length', 'equal', 3, 4],
      ['total', 'equal', 3, 0],
      ['mean()', 'near', 1.5, 1.7],
    ] as const)
      assert.equal(whyFailure(asked, kind, was, now), undefined);
  });
});

describe('the part at one end of a text', () => {
  const cases: readonly (readonly [string, string, 'start' | 'end', string | undefined])[] = [
    ['Found 3 errors', 'Found 3 problems in a.ts', 'start', 'Found 3 problems'],
    ['Dear Ada,', 'Dear Bob, hi', 'start', 'Dear Bob,'],
    ['## Usage', '### Usage of x', 'start', '### Usage'],
    ['in the cart.', '5 in your cart.', 'end', 'in your cart.'],
    ['the end', 'first\nat an end', 'end', 'an end'],
    // Less than half of the words, fewer words, or not there at all.
    ['Hello, ', 'Hallo, Ada', 'start', undefined],
    ['a b c', 'a b', 'start', undefined],
    ['Dear Ada,', 'Hello, dear Ada,', 'start', undefined],
  ];
  for (const [was, text, held, part] of cases)
    it(`${held} of ${JSON.stringify(text)} for ${JSON.stringify(was)}`, () => {
      assert.equal(partOfText(was, text, held), part);
    });
});
