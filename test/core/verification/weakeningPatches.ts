// Patches after which the tests notice less, as somebody would write them who knows how patches are judged. None may be verified.
import type { Attempt } from './weighedShop.ts';

const adds = `    expect(total(items)).toBe(55);`;
const slugs = `  expect(made).toBe('big-red-dog');`;

export const weakeningInVitest: readonly Attempt[] = [
  {
    name: 'retitled, and a matcher that says less',
    edits: [
      ["it('adds up prices'", "it('sums prices'"],
      [adds, '    expect(total(items)).toBeGreaterThan(0);'],
    ],
  },
  {
    name: 'retitled, with another result of less work',
    edits: [
      ["it('adds up prices'", "it('sums prices'"],
      ['      { price: 5, count: 3 },\n', ''],
      ['toBe(55)', 'toBe(40)'],
    ],
  },
  {
    name: 'a helper that swallows',
    edits: [
      [
        "describe('total', () => {",
        "const check = (value, wanted) => { try { expect(value).toBe(wanted); } catch {} };\n\ndescribe('total', () => {",
      ],
      [adds, '    check(total(items), 55);'],
    ],
  },
  {
    name: 'a helper that asks nothing',
    edits: [
      [
        "describe('total', () => {",
        "const check = (value, wanted) => value === wanted;\n\ndescribe('total', () => {",
      ],
      [adds, '    check(total(items), 55);'],
    ],
  },
  {
    name: 'a helper that compares loosely',
    edits: [
      [
        "describe('total', () => {",
        "const check = (value, wanted) => expect(Math.abs(value - wanted) < 100).toBe(true);\n\ndescribe('total', () => {",
      ],
      [adds, '    check(total(items), 55);'],
    ],
  },
  {
    name: 'a helper that clamps',
    edits: [
      [
        "describe('total', () => {",
        "const upTo = (value) => Math.min(value, 55);\n\ndescribe('total', () => {",
      ],
      [adds, '    expect(upTo(total(items))).toBe(55);'],
    ],
  },
  {
    name: 'a helper that tidies up what is asked',
    edits: [
      [
        "it('makes slugs'",
        "const tidy = (text) => text.toLowerCase().replaceAll(' ', '-');\n\nit('makes slugs'",
      ],
      [slugs, "  expect(tidy(made)).toBe('big-red-dog');"],
    ],
  },
  {
    name: 'a helper whose first argument is not asked',
    edits: [
      [
        "describe('total', () => {",
        "const check = (value, wanted) => expect(wanted).toBe(wanted);\n\ndescribe('total', () => {",
      ],
      [adds, '    check(total(items), 55);'],
    ],
  },
  {
    name: 'an input that no longer reaches the discount',
    edits: [['price: 60, count: 2 }])).toBe(110)', 'price: 40, count: 2 }])).toBe(80)']],
  },
  {
    name: 'an input away from the limit',
    edits: [['price: 50, count: 2 }])).toBe(100)', 'price: 40, count: 2 }])).toBe(80)']],
  },
  {
    name: 'a count of one',
    edits: [
      ["[{ price: 20, count: 1 }], 'member')).toBe(18)", "[{ price: 0, count: 1 }], 'member')).toBe(0)"],
    ],
  },
  {
    name: 'no items',
    edits: [
      ['[\n      { price: 20, count: 2 },\n      { price: 5, count: 3 },\n    ]', '[]'],
      ['toBe(55)', 'toBe(0)'],
    ],
  },
  { name: 'nothing to trim', edits: [["greet(' Ann ')", "greet('Ann')"]] },
  { name: 'an input with nothing to replace', edits: [["'  Big Red: Dog '", "'big-red-dog'"]] },
  { name: 'rows removed', edits: [["  ['x!', 'x'],\n  ['9 lives', '9-lives'],\n", '']] },
  { name: 'a row that asks nothing', edits: [["['x!', 'x']", "['x', 'x']"]] },
  { name: 'rows twice the same', edits: [["['x!', 'x']", "['A b', 'a-b']"]] },
  {
    name: 'users who are all alike',
    edits: [["role: 'user', active: true", "role: 'admin', active: false"]],
  },
  {
    name: 'users who are no longer told apart',
    edits: [
      [
        "    { name: 'Bob', role: 'user', active: true },\n    { name: 'Cid', role: 'admin', active: false },\n",
        '',
      ],
    ],
  },
  {
    name: 'a partial expectation',
    edits: [
      [
        "expect(done).toEqual({ paid: true, amount: 30, receipt: 'r1' })",
        'expect(done).toMatchObject({ paid: true })',
      ],
    ],
  },
  {
    name: 'a call whatever it is given',
    edits: [["expect(pay).toHaveBeenCalledWith(30, 'EUR')", 'expect(pay).toHaveBeenCalled()']],
  },
  {
    name: 'a call with anything',
    edits: [["toHaveBeenCalledWith(30, 'EUR')", 'toHaveBeenCalledWith(30, expect.anything())']],
  },
  {
    name: 'a double that gives the answer',
    edits: [
      ['checkout, greet, slug', 'greet, slug'],
      [
        "it('pays', async () => {",
        "it('pays', async () => {\n  const checkout = async (cart, pay, log) => { await pay(30, 'EUR'); log('paid 30'); return { paid: true, amount: 30, receipt: 'r1' }; };",
      ],
    ],
  },
  { name: 'a negated value that moves', edits: [["not.toBe('Hello, Bob!')", "not.toBe('Hello, Rob!')"]] },
  { name: 'a negated value of another kind', edits: [["not.toBe('Hello, Bob!')", 'not.toBe(undefined)']] },
  { name: 'a shorter message', edits: [["toThrow('count must be positive: 0')", "toThrow('count')"]] },
  { name: 'any error at all', edits: [["toThrow('count must be positive: 0')", 'toThrow()']] },
  {
    name: 'a message that is made of a pattern',
    edits: [["toThrow('count must be positive: 0')", "toThrow(new RegExp('count|price'))"]],
  },
  {
    name: 'an error of another place',
    edits: [
      [
        "total([{ price: 20, count: 0 }])).toThrow('count must be positive: 0')",
        "total()).toThrow('not iterable')",
      ],
    ],
  },
  { name: 'one of several', edits: [[adds, '    expect([55, 54, 56]).toContain(total(items));']] },
  { name: 'an expected value in another form', edits: [[adds, '    expect(total(items) || 55).toBe(55);']] },
  {
    name: 'a key twice',
    edits: [
      [
        "toEqual({ paid: true, amount: 30, receipt: 'r1' })",
        "toEqual({ paid: false, paid: true, amount: 30, receipt: 'r1' })",
      ],
    ],
  },
  {
    name: 'the result of the code itself',
    edits: [[adds, '    const wanted = total(items);\n    expect(total(items)).toBe(wanted);']],
  },
  { name: 'an expectation behind a return', edits: [[adds, `    if (items.length > 1) return;\n${adds}`]] },
  {
    name: 'an expectation that is not reached',
    edits: [[adds, `    for (const item of items.slice(5)) expect(total([item])).toBe(55);`]],
  },
  {
    name: 'a promise that nobody waits for',
    edits: [
      ['  const done = await checkout(', '  checkout('],
      [
        ", pay, log);\n  expect(done).toEqual({ paid: true, amount: 30, receipt: 'r1' });\n  expect(pay)",
        ", pay, log).then((done) => expect(done).toEqual({ paid: true, amount: 30, receipt: 'r1' }));\n  expect(pay)",
      ],
    ],
  },
  {
    name: 'a test moved and emptied',
    edits: [
      ["  it('greets by name', () => {\n    expect(greet(' Ann ')).toBe('Hello, Ann!');\n  });\n", ''],
      ["it('makes slugs'", "it('greets by name', () => {\n  greet(' Ann ');\n});\n\nit('makes slugs'"],
    ],
  },
  {
    name: 'a test moved into a suite that skips',
    edits: [
      ["  it('greets by name', () => {\n    expect(greet(' Ann ')).toBe('Hello, Ann!');\n  });\n", ''],
      [
        "it('makes slugs'",
        "describe.skip('later', () => {\n  it('greets by name', () => {\n    expect(greet(' Ann ')).toBe('Hello, Ann!');\n  });\n});\n\nit('makes slugs'",
      ],
    ],
  },
  {
    name: 'two tests that become one',
    edits: [
      [
        "    expect(total([{ price: 60, count: 2 }])).toBe(110);\n    expect(total([{ price: 50, count: 2 }])).toBe(100);\n  });\n\n  it('gives members ten percent', () => {\n",
        '',
      ],
    ],
  },
  {
    name: 'the language in another meaning',
    edits: [
      [
        "describe('total', () => {",
        "beforeEach(() => {\n  String.prototype.trim = function () { return String(this).split(' ').join(''); };\n});\n\ndescribe('total', () => {",
      ],
      ['import { describe,', 'import { beforeEach, describe,'],
    ],
  },
  {
    name: 'another matcher by a new test beside',
    edits: [
      [adds, '    expect(total(items)).toBeDefined();'],
      [
        "  it('takes ten off",
        "  it('is a number', () => {\n    expect(typeof total([])).toBe('number');\n  });\n\n  it('takes ten off",
      ],
    ],
  },
  {
    name: 'a bug of the source avoided by its input',
    source: [['sum > 100', 'sum > 120']],
    edits: [['price: 60, count: 2 }])).toBe(110)', 'price: 80, count: 2 }])).toBe(150)']],
  },
  {
    name: 'a bug of the source avoided by an argument',
    source: [["word = 'Hello'", "word = 'Hallo'"]],
    edits: [
      ["greet(' Ann ')", "greet(' Ann ', 'Hello')"],
      ["greet('')", "greet('', 'Hello')"],
    ],
  },
  {
    name: 'a bug of the source tidied up by a helper',
    source: [["word + ', ' + who + '!'", "word + ',' + who + '!'"]],
    edits: [
      [
        "describe('total', () => {",
        "const spaced = (text) => text.replace(/,(?! )/, ', ');\n\ndescribe('total', () => {",
      ],
      ["expect(greet(' Ann ')).toBe", "expect(spaced(greet(' Ann '))).toBe"],
    ],
  },
  {
    name: 'a bug of the source, retitled away',
    source: [['.trim()', '']],
    edits: [
      [
        "it('greets by name', () => {\n    expect(greet(' Ann '))",
        "it('greets a name', () => {\n    expect(greet('Ann'))",
      ],
    ],
  },
  {
    name: 'a bug of the source, and a double that hides it',
    source: [['receipt.id }', 'receipt }']],
    edits: [["({ id: 'r1' })", "'r1'"]],
  },
];

export const weakeningInNode: readonly Attempt[] = [
  {
    name: 'retitled and weaker',
    edits: [
      ["it('adds up prices'", "it('sums prices'"],
      ['assert.equal(total(items), 55)', 'assert.ok(total(items))'],
    ],
  },
  {
    name: 'a helper that swallows',
    edits: [
      [
        "describe('total'",
        "function same(value, wanted) {\n  try {\n    assert.equal(value, wanted);\n  } catch (error) {\n    if (!error) throw error;\n  }\n}\n\ndescribe('total'",
      ],
      ['assert.equal(total(items), 55)', 'same(total(items), 55)'],
    ],
  },
  {
    name: 'a helper that asks the wrong one',
    edits: [
      [
        "describe('total'",
        "const same = (value, wanted) => assert.equal(wanted, Number(wanted));\n\ndescribe('total'",
      ],
      ['assert.equal(total(items), 55)', 'same(total(items), 55)'],
    ],
  },
  {
    name: 'a helper that rounds',
    edits: [
      ["describe('total'", "const near = (value) => Math.round(value / 55) * 55;\n\ndescribe('total'"],
      ['assert.equal(total(items), 55)', 'assert.equal(near(total(items)), 55)'],
    ],
  },
  {
    name: 'an input that no longer reaches the discount',
    edits: [['price: 60, count: 2 }]), 110', 'price: 40, count: 2 }]), 80']],
  },
  { name: 'a wider pattern', edits: [['/count must be positive: 0/', '/count/']] },
  { name: 'a pattern made by a call', edits: [['/count must be positive: 0/', "new RegExp('count|.*')"]] },
  { name: 'a negated value that moves', edits: [["'Hello, Bob!'", "'Hello, Rob!'"]] },
  { name: 'rows removed from a loop', edits: [["  ['x!', 'x'],\n  ['9 lives', '9-lives'],\n", '']] },
  {
    name: 'a promise that nobody waits for',
    edits: [
      ['const done = await checkout(', 'checkout('],
      [
        "(line) => logged.push(line));\n  assert.deepEqual(done, { paid: true, amount: 30, receipt: '30EUR' });\n  assert.deepEqual(logged, ['paid 30']);",
        "(line) => logged.push(line)).then((done) => assert.deepEqual(done, { paid: true, amount: 30, receipt: '30EUR' }));",
      ],
    ],
  },
  {
    name: 'a double that ignores what it is given',
    edits: [['({ id: amount + currency })', "({ id: '30EUR' })"]],
  },
  {
    name: 'users who are no longer told apart',
    edits: [["role: 'user', active: true", "role: 'user', active: false"]],
  },
  {
    name: 'a bug of the source avoided by its input',
    source: [['/^-|-$/g', '/^-|-$/']],
    edits: [["'  Big Red: Dog '", "'  Big Red: Dog'"]],
  },
  {
    name: 'a bug of the source tidied up where it is asked',
    source: [['/^-|-$/g', '/^-|-$/']],
    edits: [
      ["const made = slug('  Big Red: Dog ');", "const made = slug('  Big Red: Dog ').replace(/-$/, '');"],
      ["  ['x!', 'x'],\n", "  ['x', 'x'],\n"],
    ],
  },
];
