// The gate reads a file as what runs it does: JavaScript knows no type arguments, and takes `<!--` for a comment.
import assert from 'node:assert/strict';
import { checkPolicy } from '../../../src/core/policy/checkPolicy.ts';

const imports = `import test from 'node:test';\nimport assert from 'node:assert/strict';\nimport { expect } from 'vitest';\nimport { price } from '../src/shop.js';\n`;
const inTest = (body: string): string => `${imports}test('p', async () => {\n  ${body}\n});\n`;
const rulesOf = (file: string, before: string, after: string): readonly string[] =>
  checkPolicy({ file, before: inTest(before), after: inTest(after) }).map(({ rule }) => rule);

describe('the gate and the dialects of JavaScript', () => {
  const asks = 'assert.equal(price(2), 10);';
  for (const [what, before, after, rule] of [
    ['type arguments of an assert function', asks, 'assert.equal<1>(price(2), 10);', 'fewer-assertions'],
    ['type arguments with a name', asks, 'assert.equal<price>(price(2), 10);', 'fewer-assertions'],
    ['type arguments of assert', 'assert(price(2));', 'assert<1>(price(2));', 'fewer-assertions'],
    [
      'type arguments of a matcher',
      'expect(price(2)).toBe(10);',
      'expect(price(2)).toBe<1>(10);',
      'vacuous-assertion',
    ],
    [
      'type arguments of a matcher that is awaited',
      'await expect(price(2)).resolves.toBe(10);',
      'await expect(price(2)).resolves.toBe<1>(10);',
      'vacuous-assertion',
    ],
    [
      'type arguments of expect',
      'expect(price(2)).toBe(10);',
      'expect<1>(price(2)).toBe(10);',
      'fewer-assertions',
    ],
    ['a comment of HTML', asks, 'assert.equal(price(2), 10 <!--price\n  - 2);', 'syntax-error'],
  ] as const)
    for (const extension of ['js', 'cjs', 'mjs', 'jsx'])
      it(`finds ${rule} in .${extension}: ${what}`, () => {
        const rules = rulesOf(`test/shop.test.${extension}`, before, after);
        assert.ok(rules.includes(rule), rules.join(', ') || 'nothing');
      });

  it('knows that types say nothing in TypeScript', () => {
    for (const file of [
      'test/shop.test.ts',
      'test/shop.test.tsx',
      'test/shop.test.mts',
      'test/shop.test.cts',
    ])
      assert.deepEqual(rulesOf(file, asks, 'assert.equal<number>(price(2), 10 as number);'), []);
  });

  it('takes a comparison with a decrement for what it is', () => {
    for (const file of ['test/shop.test.js', 'test/shop.test.ts'])
      assert.deepEqual(
        rulesOf(
          file,
          `let n = 2; ${asks} price(n < ! --n);`,
          `let n = 2; ${asks.replace('10', '20')} price(n < ! --n);`,
        ),
        [],
      );
  });
});
