// What a patch makes tests expect instead, for the person who must want it: each value by itself, in every language of the gate.
import assert from 'node:assert/strict';
import { changedExpectations } from '../../../src/core/policy/changedExpectations.ts';

const head = `import { expect, test } from 'vitest';\nimport { price, order, Status } from '../src/shop.js';\n`;
const inTest = (body: string): string => `${head}test('p', () => {\n  ${body}\n});\n`;
const sources: Readonly<Record<string, string>> = {
  'src/shop.js': `export const price = (n) => n * 2;\nexport const order = ({ items }) => ({ sum: items.length });`,
};
const formers: Readonly<Record<string, string>> = {
  'src/shop.js': `export const price = (n) => n * 2;\nexport const order = ({ items }) => ({ count: items.length });`,
};
const changed = (file: string, before: string | undefined, after: string | undefined) =>
  changedExpectations([{ file, before, after }], {
    readSource: Object.assign((name: string) => sources[name], { former: (name: string) => formers[name] }),
    followed: new Map(),
    isTestFile: (name) => name.startsWith('test/'),
  });
const told = (file: string, before: string | undefined, after: string | undefined): readonly string[] =>
  changed(file, before, after).map((one) => `${one.file}:${one.line} ${one.old} → ${one.new}`);

describe('the expectations that a patch changes', () => {
  const scripts: readonly (readonly [
    what: string,
    before: string,
    after: string,
    told: readonly string[],
  ])[] = [
    ['a number', 'expect(price(2)).toBe(50);', 'expect(price(2)).toBe(10);', ['4 50 → 10']],
    ['one below nothing', 'expect(price(2)).toBe(-5);', 'expect(price(2)).toBe(-6);', ['4 -5 → -6']],
    ['one that comes first', 'assert.equal(50, price(2));', 'assert.equal(10, price(2));', ['4 50 → 10']],
    [
      'what is calculated',
      'expect(price(2)).toBe(60 * 60);',
      'expect(price(2)).toBe(60 + 60);',
      ['4 60 * 60 → 60 + 60'],
    ],
    [
      'two of an object',
      `expect(order({ items: [] })).toEqual({ sum: 1, names: ['Ada', 'Bob'],\n    open: 'x' });`,
      `expect(order({ items: [] })).toEqual({ sum: 2, names: ['Ada', 'Bob'],\n    open: 'y' });`,
      ['4 1 → 2', "5 'x' → 'y'"],
    ],
    [
      'a part more',
      'expect(order({ items: [] })).toEqual({ a: [1] });',
      'expect(order({ items: [] })).toEqual({ a: [1, 2] });',
      ['4 [1] → [1, 2]'],
    ],
    [
      'a constant in place of another',
      'expect(price(2)).toBe(Status.OPEN);',
      'expect(price(2)).toBe(Status.DONE);',
      ['4 Status.OPEN → Status.DONE'],
    ],
    [
      'behind a name',
      'const want = 4; expect(price(2)).toBe(want);',
      'const want = 5; expect(price(2)).toBe(want);',
      ['4 4 → 5'],
    ],
    [
      'a row of a table',
      `for (const [n, out] of [[1, 2], [2, 4]]) expect(price(n)).toBe(out);`,
      `for (const [n, out] of [[1, 2], [2, 5]]) expect(price(n)).toBe(out);`,
      ['4 4 → 5'],
    ],
    [
      'only what is no longer called so',
      'expect(order({ items: [] })).toEqual({ count: 1 });',
      'expect(order({ items: [] })).toEqual({ sum: 1 });',
      [],
    ],
    [
      'nothing where a name follows the source',
      'expect(order({ items: [] }).count).toBe(1);',
      'expect(order({ items: [] }).sum).toBe(1);',
      [],
    ],
    ['nothing where a test waits', 'expect(price(2)).toBe(1);', 'expect(await price(2)).toBe(1);', []],
    ['no quotes', `expect(price(2)).toBe('a');`, 'expect(price(2)).toBe("a");', []],
    [
      'besides a change that cannot be judged',
      'expect(price(2)).toBe(4);',
      'order(); expect(price(2)).toBe(5);',
      ['4 4 → 5'],
    ],
  ];
  for (const [what, before, after, expected] of scripts)
    it(`tells of JavaScript: ${what}`, () => {
      const imports = before.startsWith('assert') ? `import assert from 'node:assert';\n` : '';
      const lines = expected.map((text) => {
        const [line = '', ...rest] = text.split(' ');
        return `test/a.test.js:${Number(line) + (imports === '' ? 0 : 1)} ${rest.join(' ')}`;
      });
      assert.deepEqual(told('test/a.test.js', imports + inTest(before), imports + inTest(after)), lines);
    });

  it('tells no title, no added test and no new file', () => {
    const before = inTest('expect(price(2)).toBe(1);');
    const titled = before.replace("test('p'", "test('q'");
    assert.deepEqual(told('test/a.test.js', before, titled), []);
    const added = `${before}test('more', () => expect(price(1)).toBe(9));\n`;
    assert.deepEqual(told('test/a.test.js', before, added), []);
    assert.deepEqual(told('test/a.test.js', undefined, before), []);
  });

  it('tells entries of snapshots by their names, and lines of what only looks like one', () => {
    const snapshot = (one: string, two: string): string =>
      `// Jest Snapshot v1\n\nexports[\`a 1\`] = \`${one}\`;\n\nexports[\`b 1\`] = \`\n${two}\n\`;\n`;
    const name = 'test/__snapshots__/a.test.js.snap';
    assert.deepEqual(changed(name, snapshot('1', '"x"'), snapshot('1', '"y"')), [
      { file: name, line: 5, old: '\n"x"\n', new: '\n"y"\n' },
    ]);
    assert.deepEqual(told(name, 'a\nb = 1\nc\n', 'a\nb = 2\nc\n'), [`${name}:2 b = 1 → b = 2`]);
  });

  it('tells those of Python', () => {
    const python = (value: string, name: string): string =>
      `from shop import price, order\n\n\ndef test_p():\n    assert price(2) == ${value}\n    assert order()["name"] == '${name}'\n`;
    assert.deepEqual(told('test/test_a.py', python('50', 'Ada'), python('10', 'Bob')), [
      'test/test_a.py:5 50 → 10',
      "test/test_a.py:6 'Ada' → 'Bob'",
    ]);
  });

  it('tells those of Go', () => {
    const go = (value: string): string =>
      `package shop\n\nimport "testing"\n\nfunc TestPrice(t *testing.T) {\n\tif got := Price(2); got != ${value} {\n\t\tt.Errorf("Price(2) = %d", got)\n\t}\n}\n`;
    assert.deepEqual(told('test/a_test.go', go('50'), go('10')), ['test/a_test.go:6 50 → 10']);
  });
});
