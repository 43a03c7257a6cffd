// Of a patch that nobody vouches for: what is proven by a pass, and what only a person can tell.
import assert from 'node:assert/strict';
import { checkPolicyOfEdits } from '../../../src/core/policy/checkPolicy.ts';
import { withoutAddedTests, whyUndeclared } from '../../../src/core/policy/undeclared.ts';

const head = `import { expect, test, vi } from 'vitest';\nimport { price, order, Cart } from '../src/shop.js';\n`;
const inTest = (body: string): string => `${head}test('p', () => {\n  ${body}\n});\n`;
const isTestFile = (file: string): boolean => file.startsWith('test/');
const sources: Readonly<Record<string, string>> = {
  'src/shop.js': `export { price } from './price.js';
export const order = ({ items, vip }) => ({ sum: items.length, vip });
export class Cart { add() {} total() {} subtotal() {} }`,
  'src/price.js': 'export const price = (n) => n * 2;',
  'src/legacy.js': 'export const price = (n) => n; export const listed = 1;',
};
const formers: Readonly<Record<string, string>> = {
  'src/shop.js': `export const order = ({ things, vip }) => ({ count: things.length, vip });
export class Cart { add() {} total() {} sum2() {} }`,
  'src/gone.js': 'export const cost = (n) => n * 2;',
  'src/legacy.js': sources['src/legacy.js'] ?? '',
};
const readSource = Object.assign((name: string) => sources[name], {
  former: (name: string) => formers[name],
});
const why = (
  before: string | undefined,
  after: string | undefined,
  file = 'test/shop.test.js',
): string | undefined => whyUndeclared({ file, before, after }, isTestFile, readSource);

describe('a change that nobody vouches for', () => {
  const proven: readonly (readonly [what: string, before: string, after: string])[] = [
    ['another expected value', inTest('expect(price(2)).toBe(4);'), inTest('expect(price(2)).toBe(5);')],
    [
      'values in a table and a constant',
      `${head}const want = 4;\ntest.each([[1, 2]])('%s', (n, out) => { expect(price(n)).toBe(out); expect(price(2)).toBe(want); });\n`,
      `${head}const want = 5;\ntest.each([[1, 3]])('%s', (n, out) => { expect(price(n)).toBe(out); expect(price(2)).toBe(want); });\n`,
    ],
    [
      'an item more in what is expected',
      inTest('expect(order({ items: [] })).toEqual({ a: 1 });'),
      inTest('expect(order({ items: [] })).toEqual({ a: 1, b: 2 });'),
    ],
    [
      'a member that the source renamed',
      inTest('expect(order({ items: [] }).count).toBe(1);'),
      inTest('expect(order({ items: [] }).sum).toBe(1);'),
    ],
    ['a key that the source renamed', inTest('order({ things: [] });'), inTest('order({ items: [] });')],
    [
      'the path of a property',
      inTest(`expect(order({ items: [] })).toHaveProperty('a.count', 1);`),
      inTest(`expect(order({ items: [] })).toHaveProperty('a.sum', 1);`),
    ],
    [
      'an import that moved',
      `import { cost } from '../src/gone.js';\n${inTest('cost(1);')}`,
      `import { price as cost } from '../src/price.js';\n${inTest('cost(1);')}`,
    ],
    [
      'a spied member that was renamed',
      inTest(`vi.spyOn(Cart.prototype, 'sum2');`),
      inTest(`vi.spyOn(Cart.prototype, 'subtotal');`),
    ],
    [
      'an await',
      inTest('const p = price(2); expect(p).toBe(4);'),
      `${head}test('p', async () => {\n  const p = await price(2); expect(p).toBe(4);\n});\n`,
    ],
    [
      'another test, with an import',
      inTest('price(1);'),
      `${inTest('price(1);')}import { listed } from '../src/legacy.js';\ntest('more', () => { expect(listed).toBe(1); });\n`,
    ],
    [
      'a row more of a table',
      `${head}test.each([[1, 2]])('%s', (n, out) => { expect(price(n)).toBe(out); });\n`,
      `${head}test.each([[0, 0], [1, 2], [3, 6]])('%s', (n, out) => { expect(price(n)).toBe(out); });\n`,
    ],
    [
      'a row more of a named table that a loop goes over',
      `${head}const rows = { a: 1 };\nfor (const [name, n] of Object.entries(rows)) test(name, () => { expect(price(n)).toBe(n); });\n`,
      `${head}const rows = { a: 1, b: 2 };\nfor (const [name, n] of Object.entries(rows)) test(name, () => { expect(price(n)).toBe(n); });\n`,
    ],
    ['an import that nothing needs', inTest('price(1);'), inTest('price(1);').replace(', order, Cart', '')],
  ];
  for (const [what, before, after] of proven)
    it(`is proven by a pass: ${what}`, () => assert.equal(why(before, after), undefined));

  const asks = 'expect(price(2)).toBe(4);';
  const unproven: readonly (readonly [what: string, before: string, after: string])[] = [
    ['an item of the input is gone', 'expect(price([1, 2])).toBe(3);', 'expect(price([1])).toBe(3);'],
    [
      'a key of the input is gone',
      'expect(order({ items: [], vip: true })).toBe(4);',
      'expect(order({ items: [] })).toBe(4);',
    ],
    ['a key of the input that the source still reads', 'order({ vip: true });', 'order({ sum: true });'],
    [
      'a member that the source still has',
      'expect(new Cart().total()).toBe(1);',
      'expect(new Cart().subtotal()).toBe(1);',
    ],
    ['an argument more', asks, `expect(price(2, 'EUR')).toBe(4);`],
    ['an argument less', 'expect(price(2, 1)).toBe(4);', asks],
    [
      'another constant as input',
      'const n = 2; expect(price(n)).toBe(4);',
      'const n = 1.5; expect(price(n)).toBe(4);',
    ],
    ['another text around a value', 'expect(price(`a ${2}!`)).toBe(4);', 'expect(price(`a ${2}`)).toBe(4);'],
    ['the input is changed before', 'const o = {}; order(o);', 'const o = {}; o.vip = false; order(o);'],
    ['the input is spread', 'const o = {}; order(o);', 'const o = {}; order({ ...o, vip: false });'],
    ['the result is clamped', asks, 'expect(Math.min(price(2), 4)).toBe(4);'],
    ['the result is negated', asks, 'expect(-price(2)).toBe(4);'],
    ['an operator', 'expect(-price(2)).toBe(4);', 'expect(~price(2)).toBe(4);'],
    [
      'the result is written over',
      'let p = price(2); expect(p).toBe(4);',
      'let p = price(2); [p] = [4]; expect(p).toBe(4);',
    ],
    [
      'the result gets a key',
      'const r = order(2); expect(r.sum).toBe(4);',
      'const r = { ...order(2), sum: 4 }; expect(r.sum).toBe(4);',
    ],
    [
      'a step is gone',
      'const c = new Cart(); c.add(1); expect(c.total()).toBe(4);',
      'const c = new Cart(); expect(c.total()).toBe(4);',
    ],
    [
      'steps in another order',
      'const c = new Cart(); c.add(1); c.add(2);',
      'const c = new Cart(); c.add(2); c.add(1);',
    ],
    ['another item is looked at', 'expect(price(2)[0]).toBe(4);', 'expect(price(2)[1]).toBe(4);'],
    [
      'another call is looked at',
      "expect(price).toHaveBeenNthCalledWith(1, 'a');",
      "expect(price).toHaveBeenNthCalledWith(2, 'a');",
    ],
    [
      'another property is looked at',
      "expect(order()).toHaveProperty('vip', 4);",
      "expect(order()).toHaveProperty('sum', 4);",
    ],
    ['what a double gives', 'const f = vi.fn(() => 2); price(f);', 'const f = vi.fn(() => 1.5); price(f);'],
    ['an environment variable', "process.env.RATE = '2'; price(1);", "process.env.RATE = '1'; price(1);"],
    ['a global is written over', asks, `[Object.is] = [() => true]; ${asks}`],
    ['a spy on a global', asks, `vi.spyOn(Math, 'random').mockReturnValue(1); ${asks}`],
    [
      'something written over in what is expected',
      'const r = order(1); expect(r).toEqual({});',
      'const r = order(1); expect(r).toEqual(((r.sum = 4), {}));',
    ],
    [
      'another member of what a condition asks',
      "if (new Cart().total() !== 4) throw new Error('x');",
      "if (new Cart().subtotal() !== 4) throw new Error('x');",
    ],
    [
      'a getter in what is expected',
      'expect(order(1)).toEqual({ a: 1 });',
      'expect(order(1)).toEqual({ get a() { return 1; } });',
    ],
    [
      'a callback whose failures nobody waits for',
      '[1].forEach((n) => { expect(price(n)).toBe(2); });',
      '[1].forEach(async (n) => { expect(price(n)).toBe(2); });',
    ],
    ['a hook', asks, asks.replace('expect', `expect.soft(1); expect`)],
  ];
  for (const [what, before, after] of unproven)
    it(`is not proven by a pass: ${what}`, () => {
      assert.match(
        why(inTest(before), inTest(after)) ?? 'proven',
        /^test\/shop\.test\.js:\d+: a person must decide/,
      );
    });

  for (const [what, before, after, file, expected] of [
    [
      'an import turned to another module',
      inTest(asks),
      inTest(asks).replace('../src/shop.js', '../src/legacy.js'),
      undefined,
      /a person must decide/,
    ],
    [
      'a second import of the same name',
      inTest(asks),
      `import { price } from '../src/legacy.js';\n${inTest(asks)}`,
      undefined,
      /a person must decide/,
    ],
    [
      'an import for its effect',
      inTest(asks),
      `import './tamper.js';\n${inTest(asks)}`,
      undefined,
      /a person must decide/,
    ],
    [
      'a hook around all tests',
      inTest(asks),
      `${inTest(asks)}beforeEach(() => { globalThis.x = 1; });\n`,
      undefined,
      /a person must decide/,
    ],
    [
      'an import of a name that meant something',
      `${head}test('p', () => { expect(Object.keys(price(2))).toEqual([]); });\n`,
      `import { Object } from '../src/legacy.js';\n${head}test('p', () => { expect(Object.keys(price(2))).toEqual([]); });\n`,
      undefined,
      /a person must decide/,
    ],
    [
      'another expect',
      inTest(asks),
      inTest(asks).replace(
        "import { expect, test, vi } from 'vitest'",
        "import { test, vi } from 'vitest';\nimport { expect } from '../src/legacy.js'",
      ),
      undefined,
      /a person must decide/,
    ],
    [
      'an import that is the only one of a file that is still there',
      `import { listed } from '../src/legacy.js';\n${inTest(asks)}`,
      inTest(asks),
      undefined,
      /a person must decide/,
    ],
    [
      'an import without which a name means something of the language',
      `import { structuredClone } from '../src/legacy.js';\nimport { listed } from '../src/legacy.js';\n${inTest('expect(structuredClone(1)).toBe(listed);')}`,
      `import { listed } from '../src/legacy.js';\n${inTest('expect(structuredClone(1)).toBe(listed);')}`,
      undefined,
      /a person must decide/,
    ],
    [
      'a suite that becomes asynchronous',
      `describe('s', () => { test('a', () => {}); });\n`,
      `describe('s', async () => { await 1; test('a', () => {}); });\n`,
      undefined,
      /a person must decide/,
    ],
    [
      'an import turned to a module that had the name before',
      `import { cost } from '../src/gone.js';\n${inTest('cost(1);')}`,
      `import { price as cost } from '../src/legacy.js';\n${inTest('cost(1);')}`,
      undefined,
      /a person must decide/,
    ],
    [
      'a comment before the one that names the environment',
      `/** @jest-environment jsdom */\n${inTest(asks)}`,
      `// first\n/** @jest-environment jsdom */\n${inTest(asks)}`,
      undefined,
      /controls the test run/,
    ],
    [
      'what JSX means',
      `/** @jsxImportSource a */\n${inTest(asks)}`,
      `/** @jsxImportSource b */\n${inTest(asks)}`,
      undefined,
      /controls the test run/,
    ],
    [
      'a row that does something',
      `${head}test.each([[1]])('%s', (n) => { expect(price(n)).toBe(n); });\n`,
      `${head}test.each([[1], [(Object.is = () => true)]])('%s', (n) => { expect(price(n)).toBe(n); });\n`,
      undefined,
      /a person must decide/,
    ],
    [
      'a row of a table that is an input, too',
      `${head}const rows = [[1]];\nprice(rows);\ntest.each(rows)('%s', (n) => { expect(price(n)).toBe(n); });\n`,
      `${head}const rows = [[1], [2]];\nprice(rows);\ntest.each(rows)('%s', (n) => { expect(price(n)).toBe(n); });\n`,
      undefined,
      /a person must decide/,
    ],
    [
      'another input of a row',
      `${head}test.each([[1, 2]])('%s', (n, out) => { expect(price(n)).toBe(out); });\n`,
      `${head}test.each([[0, 2], [5, 5]])('%s', (n, out) => { expect(price(n)).toBe(out); });\n`,
      undefined,
      /a person must decide/,
    ],
    [
      'another environment',
      `// @vitest-environment node\n${inTest(asks)}`,
      `// @vitest-environment jsdom\n${inTest(asks)}`,
      undefined,
      /controls the test run/,
    ],
    [
      'a helper',
      'export const rows = [1];\n',
      'export const rows = [2];\n',
      'test/rows.js',
      /contains no tests|a person must decide/,
    ],
    ['a new helper', undefined, 'export const rows = [2];\n', 'test/rows.js', /contains no tests/],
    [
      'a double beside the sources',
      undefined,
      `import { test } from 'vitest';\ntest('x', () => {});\n`,
      'test/__mocks__/shop.js',
      /contains no tests/,
    ],
    ['data', '{"n": 1}', '{"n": 2}', 'test/rows.json', /is not code/],
    ['a helper that is gone', 'export const rows = [1];\n', undefined, 'test/rows.js', /would be deleted/],
  ] as const)
    it(`is not proven by a pass: ${what}`, () =>
      assert.match(why(before, after, file) ?? 'proven', expected));

  const skill = `import assert from 'node:assert/strict';
import { price } from '../src/shop.js';

export default () => {
  let passed = 0;
  const errors = [];
  assert.equal(price(2), 4);
  passed += 1;
  return { passed, failed: errors.length, errors };
};
`;
  const ofSkill = (after: string, name = 'test/shop.tests.mjs', before = skill): string | undefined =>
    why(before, after, name);
  it('is proven by a pass in a skill file, where it is what the skill expects', () => {
    assert.equal(ofSkill(skill.replace(', 4)', ', 5)')), undefined);
  });
  it('is not proven by a pass in a skill file that changes besides, is new, or is no skill', () => {
    for (const after of [
      skill.replace('passed += 1', 'passed += 2'),
      skill.replace('failed: errors.length', 'failed: 0'),
      skill.replace('assert.equal(price(2), 4);', 'if (price(2) > 9) assert.equal(price(2), 4);'),
      skill.replace('price(2)', 'price(3)'),
    ])
      assert.match(ofSkill(after) ?? 'proven', /a person must decide/, after);
    const other = skill.replace(', 4)', ', 5)');
    assert.match(ofSkill(other, 'test/helper.mjs') ?? 'proven', /contains no tests/);
    assert.match(why(undefined, skill, 'test/new.tests.mjs') ?? 'proven', /contains no tests/);
    const [rows, more] = ['export default [1];\n', 'export default [2];\n'];
    assert.match(
      ofSkill(more, 'test/rows.tests.mjs', rows) ?? 'proven',
      /contains no tests|a person must decide/,
    );
  });

  it('is told without the tests that it adds', () => {
    const before = `const want = 4;\n${inTest(asks)}`;
    const stripped = (after: string | undefined, was: string | undefined = before): string | undefined =>
      withoutAddedTests({ file: 'test/shop.test.js', before: was, after }, readSource);
    const more = `test('q', () => { [Object.is] = [() => true]; });`;
    assert.equal(
      stripped(`${more}\n${before.replace('toBe(4)', 'toBe(5)')}${more}\n`)?.replace(/^\n/, ''),
      before.replace('toBe(4)', 'toBe(5)').trimEnd() + '\n',
    );
    assert.equal(stripped(`import { done } from '../src/legacy.js';\n${before}`)?.trim(), before.trim());
    assert.equal(stripped(before.replace('want = 4', 'want = 5')), before.replace('want = 4', 'want = 5'));
    assert.equal(stripped(before, `${before} `), before);
    const suite = (inner: string): string => `describe('s', () => { test('a', () => {});${inner} });\n`;
    assert.equal(stripped(suite(` test('b', () => {});`), suite('')), suite(''));
    assert.equal(
      withoutAddedTests({ file: 'test/new.test.js', before: undefined, after: before }, () => undefined),
      undefined,
    );
  });

  it('leaves snapshots and other languages to their own rules', () => {
    assert.equal(why('a', 'b', 'test/__snapshots__/a.test.js.snap'), undefined);
    assert.equal(why('a', 'b', 'test/test_a.py'), undefined);
  });

  it('is quick with long files', () => {
    const many = (value: number): string =>
      head +
      Array.from(
        { length: 2000 },
        (_, index) => `test('t${index}', () => { expect(price(${index})).toBe(${value}); });`,
      ).join('\n');
    const started = performance.now();
    assert.equal(why(many(1), many(2)), undefined);
    assert.ok(performance.now() - started < 20_000);
    assert.deepEqual(
      checkPolicyOfEdits([{ file: 'test/shop.test.js', before: many(1), after: many(1) }], isTestFile),
      [],
    );
  });
});
