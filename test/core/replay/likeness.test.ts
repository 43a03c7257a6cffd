import assert from 'node:assert/strict';
import { frameworkOf } from '../../../src/core/frameworks/registry.ts';
import { assignIds } from '../../../src/core/model/testId.ts';
import type { TestNode } from '../../../src/core/model/testNode.ts';
import { compareTexts, likenessOf } from '../../../src/core/replay/likeness.ts';

const before = `import { net } from './shop.js';

const cases = [
  ['a', 1],
  ['b', 2],
];
test('greets', () => {
  expect(greet('Ada')).toBe('Hi, Ada');
});

test('counts', () => {
  expect(count()).toBe(3);
});
`;

async function testsIn(text: string): Promise<readonly TestNode[]> {
  const { tests } = await frameworkOf({ framework: 'vitest' }).scan('/shop/greet.test.ts', text);
  return assignIds('vitest:greet.test.ts', tests);
}

const likeness = (ours: string, theirs: string, mended: readonly string[] = ['greets']): Promise<string> =>
  likenessOf([
    {
      file: 'greet.test.ts',
      before,
      ours,
      theirs,
      mended: mended.map((title) => `vitest:greet.test.ts#${title}`),
      testsIn,
    },
  ]);

describe('the likeness of an edit to what the author did', () => {
  const ours = before.replace("'Hi, Ada'", "'Hello, Ada'");

  it('is identical when the author did the same there, whatever else the commit adds', async () => {
    const more = "\ntest('is new', () => {\n  expect(1).toBe(1);\n});\n";
    assert.equal(await likeness(ours, ours), 'identical');
    assert.equal(await likeness(ours, ours + more), 'identical');
    assert.equal(
      await likeness(ours, ours.replace("\ntest('counts'", `${more}\ntest('counts'`)),
      'identical',
    );
  });

  it('does not look at quotes, semicolons, trailing commas, comments and layout', async () => {
    const theirs = before.replace(
      "expect(greet('Ada')).toBe('Hi, Ada');",
      'expect( // politely\n    greet("Ada"),\n  ).toBe("Hello, Ada")',
    );
    assert.equal(await likeness(ours, theirs), 'formatting');
  });

  it('knows the same values in another form', async () => {
    const theirs = before.replace("toBe('Hi, Ada')", "toEqual('Hello, Ada')");
    assert.equal(await likeness(ours, theirs), 'literals');
  });

  it('is different when the author changed the test to something else, also where the edit left it alone', async () => {
    assert.equal(await likeness(ours, before.replace("'Hi, Ada'", "'Hey, Ada'")), 'different');
    assert.equal(await likeness(ours, before), 'different');
    assert.equal(await likeness(ours, before.replace(/test\('greets'[^;]*;\n\}\);\n/, '')), 'different');
    const both = ours.replace('toBe(3)', 'toBe(4)');
    assert.equal(await likeness(ours, both, ['greets', 'counts']), 'different');
    assert.equal(await likeness(ours, both), 'identical');
  });

  it('follows a test that the author gave another title', async () => {
    const theirs = ours.replace("'greets'", "'greets by name'");
    assert.equal(await likeness(ours, theirs), 'different');
    assert.equal(await likeness(theirs, theirs), 'identical');
  });

  it('compares imports and rows of tables where they stand', async () => {
    const renamed = before.replace('{ net }', '{ gross }');
    assert.equal(await likeness(renamed, renamed, []), 'identical');
    assert.equal(await likeness(renamed, before.replace('{ net }', '{ total }'), []), 'different');
    const row = before.replace("['b', 2]", "['b', 20]");
    assert.equal(await likeness(row, before.replace("['b', 2]", '["b", 20]'), []), 'formatting');
    assert.equal(await likeness(row, row.replace("['a', 1]", "['a', 10]"), []), 'different');
  });

  it('reads pieces that are no whole program', () => {
    assert.equal(compareTexts('a.test.ts', '', "  ['b', 20],", '["b",20]'), 'formatting');
    assert.equal(compareTexts('a.snap', '', 'exports[`a 1`] = `x`;', 'exports[`a 1`] = `y`;'), 'different');
  });
});
