// The expected-value fixer where the assertion holds a name: it finds the one literal behind it, or refuses.
import assert from 'node:assert/strict';
import { runFixer, type FixerCase } from '../../../support/expectedValueCase.ts';

interface TracedCase extends FixerCase {
  readonly says: string;
  /** Where, in which file; none for a refusal. */
  readonly replace?: readonly [from: string, to: string, file?: string];
  readonly refused?: RegExp;
}

const cases: readonly TracedCase[] = [
  {
    says: 'a constant of the test',
    source: `it('test', () => {\n  const expected = 'Hi, Ada';\n  expect(greet('Ada')).toBe(expected);\n});\n`,
    at: 'toBe',
    expected: 'Hi, Ada',
    actual: 'Hello, Ada',
    replace: [`'Hi, Ada'`, `'Hello, Ada'`],
  },
  {
    says: 'a key of a constant that is destructured',
    source: `const { messages: { welcome } } = { messages: { welcome: 'Hi', bye: 'Hi' } };\nit('test', () => {\n  expect(greet()).toBe(welcome);\n});\n`,
    at: 'toBe',
    expected: 'Hi',
    actual: 'Hello',
    replace: [`welcome: 'Hi'`, `welcome: 'Hello'`],
  },
  {
    says: 'a leaf inside an expected constant',
    source: `const labels = { open: 'Open' };\nit('test', () => {\n  expect(state()).toEqual({ label: labels.open, count: 1 });\n});\n`,
    at: 'toEqual',
    expected: { label: 'Open', count: 1 },
    actual: { label: 'Opened', count: 1 },
    replace: [`'Open'`, `'Opened'`],
  },
  {
    says: 'a row of test.each told by its value',
    source: `test.each([\n  ['a', 1],\n  ['b', 2],\n  ['c', 3],\n])('counts %s', (name, count) => {\n  expect(counts(name)).toBe(count);\n});\n`,
    at: 'toBe',
    expected: 2,
    actual: 20,
    title: 'counts b',
    replace: [`['b', 2]`, `['b', 20]`],
  },
  {
    says: 'a row told by the title where values repeat',
    source: `test.each([\n  ['a', 1],\n  ['b', 1],\n  ['c', 1],\n])('counts %s', (name, count) => {\n  expect(counts(name)).toBe(count);\n});\n`,
    at: 'toBe',
    expected: 1,
    actual: 20,
    title: 'counts b',
    replace: [`['b', 1]`, `['b', 20]`],
  },
  {
    says: 'a row told by its case number where titles repeat too',
    source: `test.each([\n  { name: 'a', count: 1 },\n  { name: 'b', count: 1 },\n])('counts', ({ name, count }) => {\n  expect(counts(name)).toBe(count);\n});\n`,
    at: 'toBe',
    expected: 1,
    actual: 20,
    title: 'counts',
    id: 'vitest:cart.test.ts#counts::2',
    replace: [`name: 'b', count: 1`, `name: 'b', count: 20`],
  },
  {
    says: 'a row of objects by its printed field',
    source: `const rows = [\n  { name: 'a', count: 1 },\n  { name: 'b', count: 1 },\n];\nit.each(rows)('counts $name', (row) => {\n  expect(counts(row.name)).toBe(row.count);\n});\n`,
    at: 'toBe',
    expected: 1,
    actual: 20,
    title: 'counts a',
    replace: [`name: 'a', count: 1`, `name: 'a', count: 20`],
  },
  {
    says: 'a row of a tagged table',
    source:
      'test.each`\n  a    | b    | sum\n  ${1} | ${2} | ${3}\n  ${2} | ${2} | ${4}\n`("$a + $b", ({ a, b, sum }) => {\n  expect(add(a, b)).toBe(sum);\n});\n',
    at: 'toBe',
    expected: 4,
    actual: 5,
    title: '2 + 2',
    replace: ['${2} | ${2} | ${4}', '${2} | ${2} | ${5}'],
  },
  {
    says: 'a row of describe.each',
    source: `describe.each([['EUR', '€'], ['USD', '$']])('in %s', (code, sign) => {\n  it('test', () => {\n    expect(signOf(code)).toBe(sign);\n  });\n});\n`,
    at: 'toBe',
    expected: '$',
    actual: 'US$',
    suites: ['in USD'],
    replace: [`'$'`, `'US$'`],
  },
  {
    says: 'a row of a loop around tests, by the title',
    source: `const tests = [\n  { input: '/a', out: '/' },\n  { input: '/b', out: '/' },\n];\nfor (const t of tests) {\n  test(\`parses \${t.input}\`, () => {\n    expect(parse(t.input)).toBe(t.out);\n  });\n}\n`,
    at: 'toBe',
    expected: '/',
    actual: '/b',
    title: 'parses /b',
    replace: [`input: '/b', out: '/'`, `input: '/b', out: '/b'`],
  },
  {
    says: 'a row of a loop inside one test, by its value',
    source: `test('test', () => {\n  for (const [input, out] of [['a', 'A'], ['b', 'B']]) {\n    expect(upper(input)).toBe(out);\n  }\n});\n`,
    at: 'toBe',
    expected: 'B',
    actual: 'BB',
    replace: [`'B'`, `'BB'`],
  },
  {
    says: 'a row of forEach',
    source: `[{ in: 1, out: 10 }, { in: 2, out: 20 }].forEach(({ in: input, out }) => {\n  it(\`test \${input}\`, () => {\n    expect(f(input)).toBe(out);\n  });\n});\n`,
    at: 'toBe',
    expected: 20,
    actual: 21,
    title: 'test 2',
    replace: ['out: 20', 'out: 21'],
  },
  {
    says: 'a value of an object gone through by its entries',
    source: `const pairs = { '/a': '/x', '/b': '/y' };\nfor (const [input, out] of Object.entries(pairs)) {\n  test(input, () => {\n    expect(route(input)).toBe(out);\n  });\n}\n`,
    at: 'toBe',
    expected: '/y',
    actual: '/z',
    title: '/b',
    replace: [`'/y'`, `'/z'`],
  },
  {
    says: 'one of two answers of a row',
    source: `const tests = [{ in: '//', out: ['no', 'yes'] }];\nfor (const t of tests) {\n  test(t.in, () => {\n    expect(f(t.in)).toBe(t.out[0]);\n    expect(g(t.in)).toBe(t.out[1]);\n  });\n}\n`,
    at: 'toBe(t.out[1]',
    expected: 'yes',
    actual: 'maybe',
    title: '//',
    replace: [`'yes'`, `'maybe'`],
  },
  {
    says: 'the argument of a helper, by the next frame',
    source: `function check(input: string, wanted: string) {\n  expect(f(input)).toBe(wanted);\n}\nit('one', () => { check('a', 'same') });\nit('two', () => { check('b', 'same') });\n`,
    at: 'toBe',
    callers: [`check('b', 'same')`],
    expected: 'same',
    actual: 'other',
    title: 'two',
    replace: [`'b', 'same'`, `'b', 'other'`],
  },
  {
    says: 'a row handed to a helper, by the title of the test around the call',
    source: `function check(input: string, wanted: string) {\n  expect(f(input)).toBe(wanted);\n}\nfor (const [input, out] of [['a', 'same'], ['b', 'same']] as const) {\n  it(\`maps \${input}\`, () => { check(input, out) });\n}\n`,
    at: 'toBe',
    callers: ['check(input, out)'],
    expected: 'same',
    actual: 'other',
    title: 'maps b',
    replace: [`['b', 'same']`, `['b', 'other']`],
  },
  {
    says: 'the argument of a call that declares the test, by its title',
    source: `const maps = (input: string, wanted: string) => {\n  it('maps ' + input, () => {\n    expect(f(input)).toBe(wanted);\n  });\n};\nmaps('a', 'same');\nmaps('b', 'same');\n`,
    at: 'toBe',
    expected: 'same',
    actual: 'other',
    title: 'maps b',
    replace: [`'b', 'same'`, `'b', 'other'`],
  },
  {
    says: 'the argument of a call that declares a suite in another file',
    source: {
      'cart.test.ts': `import { maps } from './maps.js';\nmaps('a', 'first');\nmaps('b', 'second');\n`,
      'maps.ts': `export function maps(input: string, wanted: string) {\n  describe(input, () => {\n    it('maps', () => {\n      expect(f(input)).toBe(wanted);\n    });\n  });\n}\n`,
    },
    at: 'toBe',
    inFile: 'maps.ts',
    expected: 'second',
    actual: 'other',
    title: 'maps',
    suites: ['b'],
    replace: [`'second'`, `'other'`],
  },
  {
    says: 'refuses calls that declare tests of one title with one value',
    source: `const maps = (input: string, wanted: string) => {\n  it('maps', () => {\n    expect(f(input)).toBe(wanted);\n  });\n};\nmaps('a', 'same');\nmaps('b', 'same');\n`,
    at: 'toBe',
    expected: 'same',
    actual: 'other',
    title: 'maps',
    refused: /2 rows of the table expect the same value/,
  },
  {
    says: 'refuses what a call that declares the test also gives to the code',
    source: `const maps = (wanted: string) => {\n  it(wanted, () => {\n    expect(f(wanted)).toBe(wanted);\n  });\n};\nmaps('a');\nmaps('b');\n`,
    at: 'toBe',
    expected: 'b',
    actual: 'other',
    title: 'b',
    refused: /the test also uses it itself/,
  },
  {
    says: 'a fixture module of the tests',
    source: {
      'cart.test.ts': `import { names } from './fixtures/names.js';\nit('test', () => {\n  expect(first()).toBe(names.first);\n});\n`,
      'fixtures/names.ts': `export const names = { first: "Ada" };\n`,
    },
    at: 'toBe',
    expected: 'Ada',
    actual: 'Ada L.',
    replace: ['"Ada"', '"Ada L."', 'fixtures/names.ts'],
  },
  {
    says: 'rows of a JSON fixture',
    source: {
      'cart.test.ts': `import rows from './rows.json' with { type: 'json' };\nit.each(rows)('test $in', ({ in: input, out }) => {\n  expect(f(input)).toBe(out);\n});\n`,
      'rows.json': `[\n  { "in": 1, "out": "x" },\n  { "in": 2, "out": "x" }\n]\n`,
    },
    at: 'toBe',
    expected: 'x',
    actual: 'y',
    title: 'test 2',
    replace: ['"in": 2, "out": "x"', '"in": 2, "out": "y"', 'rows.json'],
  },
  {
    says: 'refuses a row that nothing tells from the others',
    source: `test('test', () => {\n  for (const [input, out] of [['a', 'A'], ['b', 'A']]) {\n    expect(upper(input)).toBe(out);\n  }\n});\n`,
    at: 'toBe',
    expected: 'A',
    actual: 'B',
    refused: /2 rows/,
  },
  {
    says: 'refuses a literal that is also the input',
    source: `it('test', () => {\n  const name = 'Ada';\n  expect(normalize(name)).toBe(name);\n});\n`,
    at: 'toBe',
    expected: 'Ada',
    actual: 'ada',
    refused: /the test also uses it itself/,
  },
  {
    says: 'refuses a row that goes into the code as a whole',
    source: `it.each([{ in: 1, out: 'a' }, { in: 2, out: 'b' }])('test $in', (row) => {\n  expect(f(row)).toBe(row.out);\n});\n`,
    at: 'toBe',
    expected: 'b',
    actual: 'c',
    title: 'test 2',
    refused: /the test also uses it itself/,
  },
  {
    says: 'refuses a constant that a passing test expects as well',
    source: `const title = 'Shop';\nit('other', () => {\n  expect(footer()).toContain(title);\n  expect(head()).toEqual(title);\n});\nit('test', () => {\n  expect(page()).toBe(title);\n});\n`,
    at: 'toBe',
    expected: 'Shop',
    actual: 'The Shop',
    refused: /also/,
  },
  {
    says: 'refuses a value from the code under test',
    source: {
      'cart.test.ts': `import { title } from './shop.js';\nit('test', () => {\n  expect(page()).toBe(title);\n});\n`,
      'shop.ts': `export const title = 'Shop';\n`,
    },
    sources: ['shop.ts'],
    at: 'toBe',
    expected: 'Shop',
    actual: 'The Shop',
    refused: /not a test file/,
  },
  {
    says: 'refuses a variable that is set later',
    source: `let expected = '';\nbeforeEach(() => { expected = 'a' });\nit('test', () => {\n  expect(f()).toBe(expected);\n});\n`,
    at: 'toBe',
    expected: 'a',
    actual: 'b',
    refused: /while the test runs/,
  },
  {
    says: 'refuses what a function returns',
    source: `it('test', () => {\n  const expected = build();\n  expect(f()).toEqual(expected);\n});\n`,
    at: 'toEqual',
    expected: { a: 1 },
    actual: { a: 2 },
    refused: /computed/,
  },
  {
    says: 'refuses a fixture that the framework hands in',
    source: `it('test', ({ wanted }) => {\n  expect(f()).toBe(wanted);\n});\n`,
    at: 'toBe',
    expected: 1,
    actual: 2,
    refused: /framework/,
  },
  {
    says: 'a value of an object whose keys are looped over, told by the title',
    source: `const paths = { './a': 'a', './b': 'a', c: 'c' };\nfor (const path in paths) {\n  test(path, () => {\n    expect(clean(path)).toBe(paths[path]);\n  });\n}\n`,
    at: 'toBe',
    expected: 'a',
    actual: '/b',
    title: './b',
    replace: [`'./b': 'a'`, `'./b': '/b'`],
  },
  {
    says: 'a value under a key of Object.keys, identified by its value',
    source: `const paths = { x: { out: 'a' }, y: { out: 'b' } };\ndescribe.each(Object.keys(paths))('%s', (path) => {\n  it('is clean', () => {\n    const row = paths[path];\n    expect(clean(path)).toBe(row.out);\n  });\n});\n`,
    at: 'toBe',
    expected: 'b',
    actual: '/b',
    title: 'is clean',
    suites: ['y'],
    replace: [`'b' }`, `'/b' }`],
  },
  {
    says: 'a part of a member that is looked up, beside another part of it',
    source: `const rows = { x: { give: 1, out: 5 }, y: { give: 2, out: 5 } };\nObject.keys(rows).forEach((key) => {\n  it(\`gives \${key}\`, () => {\n    expect(f(rows[key].give)).toBe(rows[key].out);\n  });\n});\n`,
    at: 'toBe',
    expected: 5,
    actual: 6,
    title: 'gives y',
    replace: [`give: 2, out: 5`, `give: 2, out: 6`],
  },
  {
    says: 'the value of an entry told by its key in the title',
    source: `for (const [name, size] of Object.entries({ a: 1, b: 1 })) it(name, () => {\n  expect(f(name)).toBe(size);\n});\n`,
    at: 'toBe',
    expected: 1,
    actual: 2,
    title: 'b',
    replace: [`b: 1`, `b: 2`],
  },
  {
    says: 'a list beside the one that is gone through, by the number of the row',
    source: `const outs = [7, 8, 7];\n['a', 'b', 'c'].forEach((name, index) => {\n  it('row ' + name, () => {\n    expect(f(name)).toBe(outs[index]);\n  });\n});\n`,
    at: 'toBe',
    expected: 7,
    actual: 9,
    title: 'row c',
    replace: [`8, 7]`, `8, 9]`],
  },
  {
    says: 'a row told by a title that is put together from texts and JSON.stringify',
    source: `const rows = [{ base: '/', give: ['a', '/'], out: 'x' }, { base: '/', give: ['a'], out: 'x' }];\nfor (const row of rows) {\n  test(JSON.stringify(row.base) + ' + ' + JSON.stringify(row.give), () => {\n    expect(join(row.base, ...row.give)).toBe(row.out);\n  });\n}\n`,
    at: 'toBe',
    expected: 'x',
    actual: 'y',
    title: '"/" + ["a"]',
    replace: [`['a'], out: 'x'`, `['a'], out: 'y'`],
  },
  {
    says: 'a row told by a joined list and a text of its own in the title',
    source: `for (const row of [{ give: ['a', 'b'], out: 1 }, { give: ['a', 'c'], out: 1 }]) {\n  test(\`\${String(row.give.join('/'))} gives\`, () => {\n    expect(f(row.give)).toBe(row.out);\n  });\n}\n`,
    at: 'toBe',
    expected: 1,
    actual: 2,
    title: 'a/c gives',
    replace: [`'c'], out: 1`, `'c'], out: 2`],
  },
  {
    says: 'refuses a key that is only known while the test runs',
    source: `const paths = { a: 1 };\nit('test', () => {\n  const key = pick();\n  expect(f()).toBe(paths[key]);\n});\n`,
    at: 'toBe',
    expected: 1,
    actual: 2,
    refused: /`paths\[key\]` chooses its value while the test runs/,
  },
  {
    says: 'refuses keys of which a title names none',
    source: `const paths = { a: 1, b: 1 };\nfor (const key in paths) {\n  it(label(key), () => {\n    expect(f(key)).toBe(paths[key]);\n  });\n}\n`,
    at: 'toBe',
    expected: 1,
    actual: 2,
    title: 'first',
    refused: /2 rows of the table expect the same value/,
  },
  {
    says: 'refuses a key itself, which is also the input',
    source: `const paths = { a: 1, b: 1 };\nfor (const key in paths) {\n  it(key, () => {\n    expect(f(key)).toBe(key);\n  });\n}\n`,
    at: 'toBe',
    expected: 'a',
    actual: 'A',
    title: 'a',
    refused: /key of the table/,
  },
  {
    says: 'refuses to count rows that were filtered',
    source: `[{ n: 1, out: 5 }, { n: 2, out: 5 }, { n: 3, out: 5 }].filter((row) => row.n > 1).forEach((row) => {\n  it('counts', () => {\n    expect(f(row.n)).toBe(row.out);\n  });\n});\n`,
    at: 'toBe',
    expected: 5,
    actual: 6,
    title: 'counts',
    id: 'vitest:cart.test.ts#counts::2',
    refused: /3 rows of the table expect the same value/,
  },
  {
    says: 'refuses a computed table that is looked up',
    source: `const paths = load();\nfor (const key in paths) it(key, () => {\n  expect(f(key)).toBe(paths[key]);\n});\n`,
    at: 'toBe',
    expected: 1,
    actual: 2,
    title: 'a',
    refused: /chooses its value while the test runs/,
  },
];

describe('the expected-value fixer traces', () => {
  for (const given of cases) {
    it(given.says, async () => {
      const { fix, files, refusal } = await runFixer(given);
      if (given.replace === undefined) {
        assert.equal(fix, undefined);
        assert.match(refusal ?? '', given.refused ?? /^never$/);
        return;
      }
      assert.equal(refusal, undefined);
      const [from, to, file = 'cart.test.ts'] = given.replace;
      const before = typeof given.source === 'string' ? { 'cart.test.ts': given.source } : given.source;
      const text = before[file] ?? '';
      assert.equal(text.split(from).length, 2, 'the case itself is wrong');
      assert.deepEqual(files, { ...before, [file]: text.replace(from, () => to) });
      assert.equal(fix?.grade, 'conservative');
    });
  }

  it('tells that the title changes with the value', async () => {
    const { fix } = await runFixer({
      source: `for (const [a, out] of [['x', 1], ['y', 2]]) {\n  test(\`\${a} is \${out}\`, () => {\n    expect(f(a)).toBe(out);\n  });\n}\n`,
      at: 'toBe',
      expected: 2,
      actual: 3,
      title: 'y is 2',
    });
    assert.match(fix?.evidence.join(' ') ?? '', /row 2 of the table.*so the title changes/);
  });
});
