// The expected-value fixer on objects and arrays: only the leaves that changed, in the layout they stand in.
import assert from 'node:assert/strict';
import { Asymmetric, runFixer, type FixerCase } from '../../../support/expectedValueCase.ts';

interface StructureCase extends Pick<FixerCase, 'at' | 'expected' | 'actual'> {
  readonly says: string;
  readonly source: string;
  /** Pieces of the source with what becomes of them; none for a refusal. */
  readonly replace?: readonly (readonly [string, string])[];
  readonly refused?: RegExp;
  readonly title?: string;
}

const multiLine = `it('test', () => {
  // what the customer sees
  expect(summary(cart)).toEqual({
    id: expect.any(String), // made up
    customer,
    total: { currency: '€', value: 1_000 },
    'tax-rate': 0.2,
    lines: [
      { name: 'Tea', count: 2 },
      { name: 'Milk', count: 1 }, // fresh
    ],
  });
});
`;
const summary = {
  id: new Asymmetric(true),
  customer: { name: 'Ada' },
  total: { currency: '€', value: 1000 },
  'tax-rate': 0.2,
  lines: [
    { name: 'Tea', count: 2 },
    { name: 'Milk', count: 1 },
  ],
};
const real = { ...summary, id: 'x1' };

const cases: readonly StructureCase[] = [
  {
    says: 'changes one leaf and nothing around it',
    source: multiLine,
    at: 'toEqual',
    expected: summary,
    actual: { ...real, total: { currency: 'EUR', value: 1000 } },
    replace: [[`'€'`, `'EUR'`]],
    title: "expect total.currency 'EUR' (was '€')",
  },
  {
    says: 'changes several leaves',
    source: multiLine,
    at: 'toEqual',
    expected: summary,
    actual: { ...real, total: { currency: '€', value: 1200 }, 'tax-rate': 0.25 },
    replace: [
      ['1_000', '1_200'],
      ['0.2,', '0.25,'],
    ],
    title: 'expect total.value 1_200 (was 1_000) and 1 more',
  },
  {
    says: 'adds a key after the one before it, on its own line',
    source: multiLine,
    at: 'toEqual',
    expected: summary,
    actual: {
      id: 'x1',
      customer: summary.customer,
      total: summary.total,
      discount: 5,
      'tax-rate': 0.2,
      lines: summary.lines,
    },
    replace: [[`value: 1_000 },\n`, `value: 1_000 },\n    discount: 5,\n`]],
    title: 'also expect discount: 5',
  },
  {
    says: 'adds an item to a list of lines, after the comment of the last one',
    source: multiLine,
    at: 'toEqual',
    expected: summary,
    actual: { ...real, lines: [...summary.lines, { name: 'Sugar', count: 3 }] },
    replace: [['// fresh\n', `// fresh\n      { name: 'Sugar', count: 3 },\n`]],
  },
  {
    says: 'removes an item with its line',
    source: multiLine,
    at: 'toEqual',
    expected: summary,
    actual: { ...real, lines: [{ name: 'Milk', count: 1 }] },
    replace: [[`      { name: 'Tea', count: 2 },\n`, '']],
  },
  {
    says: 'adds keys in one line, before and after',
    source: `it('test', () => { expect(f()).toEqual({ b: 1 }); });`,
    at: 'toEqual',
    expected: { b: 1 },
    actual: { a: 0, b: 1, 'c-d': [2] },
    replace: [['{ b: 1 }', `{ a: 0, b: 1, 'c-d': [2] }`]],
  },
  {
    says: 'removes a key in one line and keeps a trailing comma',
    source: `it('test', () => { expect(f()).toEqual({a: 1, b: 2, c: 3,}); });`,
    at: 'toEqual',
    expected: { a: 1, b: 2, c: 3 },
    actual: { a: 1, b: 2 },
    replace: [['{a: 1, b: 2, c: 3,}', '{a: 1, b: 2,}']],
  },
  {
    says: 'gives the last line no comma where the style has none',
    source: `it('test', () => {\n\texpect(f()).toEqual([\n\t\t'a',\n\t\t'b'\n\t]);\n});`,
    at: 'toEqual',
    expected: ['a', 'b'],
    actual: ['a', 'b', 'c'],
    replace: [[`'b'\n`, `'b',\n\t\t'c'\n`]],
  },
  {
    says: 'takes the comma away from a line that becomes the last',
    source: `it('test', () => {\n  expect(f()).toEqual([\n    'a',\n    'b'\n  ]);\n});`,
    at: 'toEqual',
    expected: ['a', 'b'],
    actual: ['a'],
    replace: [[`'a',\n    'b'\n`, `'a'\n`]],
  },
  {
    says: 'inserts in the middle and changes a neighbour',
    source: `it('test', () => { expect(f()).toEqual([1, 2, 3, 4]); });`,
    at: 'toEqual',
    expected: [1, 2, 3, 4],
    actual: [1, 2, 9, 3, 5],
    replace: [['[1, 2, 3, 4]', '[1, 2, 9, 3, 5]']],
  },
  {
    says: 'fills an empty list',
    source: `it('test', () => { expect(f()).toEqual([]); });`,
    at: 'toEqual',
    expected: [],
    actual: ['a', { b: 1 }],
    replace: [['[]', `['a', { b: 1 }]`]],
  },
  {
    says: 'looks only at the leaves that toMatchObject mentions',
    source: `it('test', () => { expect(f()).toMatchObject({ a: 1, b: { c: 2 } }); });`,
    at: 'toMatchObject',
    expected: { a: 1, b: { c: 2 } },
    actual: { z: 0, a: 1, b: { c: 3, d: 4 } },
    replace: [['c: 2', 'c: 3']],
  },
  {
    says: 'does not write keys that toEqual does not see',
    source: `it('test', () => { expect(f()).toEqual({ a: 1, gone: undefined }); });`,
    at: 'toEqual',
    expected: { a: 1, gone: undefined },
    actual: { a: 2, more: undefined },
    replace: [['a: 1', 'a: 2']],
  },
  {
    says: 'writes them for toStrictEqual',
    source: `it('test', () => { expect(f()).toStrictEqual({ a: 1 }); });`,
    at: 'toStrictEqual',
    expected: { a: 1 },
    actual: { a: 1, more: undefined },
    replace: [['{ a: 1 }', '{ a: 1, more: undefined }']],
  },
  {
    says: 'changes a member of a set and an entry of a map',
    source: `it('test', () => { expect(f()).toEqual({ s: new Set(['b', 'a']), m: new Map([['x', 1], ['y', 2]]) }); });`,
    at: 'toEqual',
    expected: {
      s: new Set(['b', 'a']),
      m: new Map([
        ['x', 1],
        ['y', 2],
      ]),
    },
    actual: {
      s: new Set(['a', 'b', 'c']),
      m: new Map([
        ['y', 3],
        ['x', 1],
      ]),
    },
    replace: [
      [`['b', 'a']`, `['b', 'a', 'c']`],
      [`['y', 2]`, `['y', 3]`],
    ],
  },
  {
    says: 'changes the message of an expected error',
    source: `it('test', () => { expect(f()).toEqual({ error: new TypeError('no id') }); });`,
    at: 'toEqual',
    expected: { error: new TypeError('no id') },
    actual: { error: new TypeError('id is missing') },
    replace: [[`'no id'`, `'id is missing'`]],
  },
  {
    says: 'changes a leaf of objectContaining',
    source: `it('test', () => { expect(f()).toEqual({ user: expect.objectContaining({ name: 'Ada' }), id: 1 }); });`,
    at: 'toEqual',
    expected: { user: new Asymmetric(false), id: 1 },
    actual: { user: { id: 4, name: 'Ada L.' }, id: 1 },
    replace: [[`'Ada'`, `'Ada L.'`]],
  },
  {
    says: 'keeps what a spread gives when the difference is beside it',
    source: `it('test', () => { expect(f()).toEqual({ ...base, a: 1 }); });`,
    at: 'toEqual',
    expected: { x: 1, a: 1 },
    actual: { x: 1, a: 2 },
    replace: [['a: 1', 'a: 2']],
  },
  {
    says: 'leaves a double-quoted JSON style in its style',
    source: `it("test", () => { expect(f()).toEqual({ "a": { "b": "x" } }); });`,
    at: 'toEqual',
    expected: { a: { b: 'x' } },
    actual: { a: { b: 'x', c: 'y' } },
    replace: [['"b": "x"', '"b": "x", "c": "y"']],
  },
  {
    says: 'refuses a difference that comes out of a spread',
    source: `it('test', () => { expect(f()).toEqual({ ...base, a: 1 }); });`,
    at: 'toEqual',
    expected: { x: 1, a: 1 },
    actual: { x: 2, a: 1 },
    refused: /spread/,
  },
  {
    says: 'refuses a matcher that no longer holds',
    source: `it('test', () => { expect(f()).toEqual({ id: expect.any(Number) }); });`,
    at: 'toEqual',
    expected: { id: new Asymmetric(false) },
    actual: { id: 'x' },
    refused: /expect\.any/,
  },
  {
    says: 'refuses to check less with toMatchObject',
    source: `it('test', () => { expect(f()).toMatchObject({ a: 1 }); });`,
    at: 'toMatchObject',
    expected: { a: 1 },
    actual: { b: 1 },
    refused: /check less/,
  },
  {
    says: 'refuses values without a literal',
    source: `it('test', () => { expect(f()).toEqual({ a: 1 }); });`,
    at: 'toEqual',
    expected: { a: 1 },
    actual: { a: () => 1 },
    refused: /cannot be written as a literal/,
  },
  {
    says: 'refuses a computed expectation',
    source: `it('test', () => { expect(f()).toEqual({ a: price * 2 }); });`,
    at: 'toEqual',
    expected: { a: 4 },
    actual: { a: 5 },
    refused: /computed/,
  },
  {
    says: 'refuses an identity of objects',
    source: `it('test', () => { expect(f()).toBe(cart); });`,
    at: 'toBe',
    expected: { a: 1 },
    actual: { a: 2 },
    refused: /identity/,
  },
];

describe('the expected-value fixer on structures', () => {
  for (const given of cases) {
    it(given.says, async () => {
      const { fix, files, refusal } = await runFixer(given);
      if (given.refused !== undefined) {
        assert.equal(fix, undefined);
        assert.match(refusal ?? '', given.refused);
        return;
      }
      assert.equal(refusal, undefined);
      const wanted = (given.replace ?? []).reduce((text, [from, to]) => {
        assert.ok(text.includes(from), `the case itself is wrong: ${from}`);
        return text.replace(from, () => to);
      }, given.source);
      assert.equal(files['cart.test.ts'], wanted);
      if (given.title !== undefined) assert.equal(fix?.title, given.title);
    });
  }

  it('keeps CRLF in added lines', async () => {
    const source = multiLine.replaceAll('\n', '\r\n');
    const { files } = await runFixer({
      source,
      at: 'toEqual',
      expected: summary,
      actual: { ...real, lines: [...summary.lines, { name: 'Sugar', count: 3 }] },
    });
    assert.equal(
      files['cart.test.ts'],
      source.replace('// fresh\r\n', `// fresh\r\n      { name: 'Sugar', count: 3 },\r\n`),
    );
  });
});

const refusals: readonly (Pick<FixerCase, 'at' | 'expected' | 'actual' | 'negated'> & {
  says: string;
  statement: string;
  reason: RegExp;
})[] = [
  {
    says: 'a negated assertion',
    statement: `expect(f()).not.toBe('a');`,
    at: 'toBe',
    expected: 'a',
    actual: 'a',
    negated: true,
    reason: /negated/,
  },
  {
    says: 'a value with the folder that the tests run in',
    statement: `expect(f()).toBe('a');`,
    at: 'toBe',
    expected: 'a',
    actual: '/shop/src/a',
    reason: /folder in which the tests run/,
  },
  {
    says: 'the answer of a comparison',
    statement: `expect(a > b).toBe(true);`,
    at: 'toBe',
    expected: true,
    actual: false,
    reason: /condition/,
  },
  {
    says: 'the answer of a predicate',
    statement: `expect(text.startsWith('a')).toBe(true);`,
    at: 'toBe',
    expected: true,
    actual: false,
    reason: /condition/,
  },
  {
    says: 'a template whose inserted value changed',
    statement: 'expect(f()).toBe(`Total: ${sum}`);',
    at: 'toBe',
    expected: 'Total: 5',
    actual: 'Total: 55',
    reason: /cannot be followed/,
  },
  {
    says: 'two assertions on one line that it cannot tell apart',
    statement: `check(() => { expect(f()).toBe('a'); expect(g()).toBe('a') }, 'here');`,
    at: `'here'`,
    expected: 'a',
    actual: 'b',
    reason: /not an equality check/,
  },
];

describe('the expected-value fixer refuses', () => {
  for (const given of refusals) {
    it(given.says, async () => {
      const { fix, refusal } = await runFixer({
        ...given,
        source: `it('test', () => {\n  ${given.statement}\n});\n`,
      });
      assert.equal(fix, undefined);
      assert.match(refusal ?? '', given.reason);
    });
  }
});
