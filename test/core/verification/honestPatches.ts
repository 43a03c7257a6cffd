// What people change in tests every day. As many as possible should be verified.
import type { Attempt } from './weighedShop.ts';

export const honestInVitest: readonly Attempt[] = [
  {
    name: 'a test with another title',
    isReworded: true,
    edits: [["it('adds up prices'", "it('adds up all prices'"]],
  },
  {
    name: 'a suite with another title',
    isReworded: true,
    edits: [["describe('greet'", "describe('greet()'"]],
  },
  {
    name: 'a test moved out of its suite',
    isReworded: true,
    edits: [
      ["  it('greets by name', () => {\n    expect(greet(' Ann ')).toBe('Hello, Ann!');\n  });\n\n", ''],
      [
        "it('makes slugs'",
        "it('greets by name', () => {\n  expect(greet(' Ann ')).toBe('Hello, Ann!');\n});\n\nit('makes slugs'",
      ],
    ],
  },
  {
    name: 'a test moved into a suite of its own',
    isReworded: true,
    edits: [
      [
        "it('makes slugs', () => {\n  const made = slug('  Big Red: Dog ');\n  expect(made).toBe('big-red-dog');\n});\n",
        "describe('slug', () => {\n  it('makes slugs', () => {\n    const made = slug('  Big Red: Dog ');\n    expect(made).toBe('big-red-dog');\n  });\n});\n",
      ],
    ],
  },
  {
    name: 'tests in another order',
    isReworded: true,
    edits: [
      ["  it('greets by name', () => {\n    expect(greet(' Ann ')).toBe('Hello, Ann!');\n  });\n\n", ''],
      [
        "not.toBe('Hello, Bob!');\n  });\n",
        "not.toBe('Hello, Bob!');\n  });\n\n  it('greets by name', () => {\n    expect(greet(' Ann ')).toBe('Hello, Ann!');\n  });\n",
      ],
    ],
  },
  {
    name: 'a new test',
    edits: [
      [
        "  it('refuses no count'",
        "  it('is nothing without items', () => {\n    expect(total([])).toBe(0);\n  });\n\n  it('refuses no count'",
      ],
    ],
  },
  {
    name: 'a new expectation beside',
    edits: [
      [
        "    expect(greet(' Ann ')).toBe('Hello, Ann!');",
        "    expect(greet(' Ann ')).toBe('Hello, Ann!');\n    expect(greet('Cid')).toBe('Hello, Cid!');",
      ],
    ],
  },
  { name: 'a new row', edits: [["  ['x!', 'x'],", "  ['x!', 'x'],\n  ['--', ''],\n  ['Y', 'y'],"]] },
  {
    name: 'a new test file',
    edits: [],
    added: [
      'test/slug.test.js',
      "import { expect, it } from 'vitest';\nimport { slug } from '../src/shop.js';\n\nit('keeps numbers', () => {\n  expect(slug('A 1')).toBe('a-1');\n});\n",
    ],
  },
  {
    name: 'a local name',
    isReworded: true,
    edits: [
      [
        "  const made = slug('  Big Red: Dog ');\n  expect(made)",
        "  const result = slug('  Big Red: Dog ');\n  expect(result)",
      ],
    ],
  },
  {
    name: 'a variable inlined',
    isReworded: true,
    edits: [["  const made = slug('  Big Red: Dog ');\n  expect(made)", "  expect(slug('  Big Red: Dog '))"]],
  },
  {
    name: 'a variable made',
    isReworded: true,
    edits: [["    expect(greet(' Ann ')).toBe", "    const text = greet(' Ann ');\n    expect(text).toBe"]],
  },
  {
    name: 'a helper for inputs',
    isReworded: true,
    edits: [
      [
        "describe('total', () => {",
        "const item = (price, count) => ({ price, count });\n\ndescribe('total', () => {",
      ],
      [
        '      { price: 20, count: 2 },\n      { price: 5, count: 3 },\n',
        '      item(20, 2),\n      item(5, 3),\n',
      ],
    ],
  },
  {
    name: 'a helper that asks',
    isReworded: true,
    edits: [
      [
        "describe('greet', () => {",
        "const greets = (name, wanted) => expect(greet(name)).toBe(wanted);\n\ndescribe('greet', () => {",
      ],
      ["    expect(greet(' Ann ')).toBe('Hello, Ann!');", "    greets(' Ann ', 'Hello, Ann!');"],
    ],
  },
  {
    name: 'a constant for an input',
    isReworded: true,
    edits: [
      [
        "it('lists admins', () => {\n  const users = [",
        "const users = [\n    { name: 'Ann', role: 'admin', active: true },\n    { name: 'Bob', role: 'user', active: true },\n    { name: 'Cid', role: 'admin', active: false },\n  ];\n\nit('lists admins', () => {",
      ],
      [
        "{\n    { name: 'Ann', role: 'admin', active: true },\n    { name: 'Bob', role: 'user', active: true },\n    { name: 'Cid', role: 'admin', active: false },\n  ];\n  expect(",
        '{\n  expect(',
      ],
    ],
  },
  {
    name: 'other names in an input',
    edits: [["{ name: 'Bob', role: 'user'", "{ name: 'Bea', role: 'user'"]],
  },
  {
    name: 'another input with its result',
    edits: [["greet(' Ann ')).toBe('Hello, Ann!')", "greet(' Zoe ')).toBe('Hello, Zoe!')"]],
  },
  {
    name: 'another key of an input',
    isOpen: true,
    edits: [
      ["name: 'Ann', role: 'admin', active: true }", "name: 'Ann', role: 'admin', active: true, id: 7 }"],
    ],
  },
  { name: 'a new key of a double', isOpen: true, edits: [["({ id: 'r1' })", "({ id: 'r1', at: 5 })"]] },
  {
    name: 'an added argument',
    source: [
      [
        "kind = 'full') {\n  let",
        "kind) {\n  if (kind === undefined) throw new TypeError('kind is missing');\n  let",
      ],
    ],
    edits: [
      ['total(items))', "total(items, 'full'))"],
      ['price: 60, count: 2 }])', "price: 60, count: 2 }], 'full')"],
      ['price: 50, count: 2 }])', "price: 50, count: 2 }], 'full')"],
      ['count: 0 }])', "count: 0 }], 'full')"],
    ],
  },
  {
    name: 'a key that a double needs now',
    source: [['receipt: receipt.id }', 'receipt: receipt.id + receipt.tag.toUpperCase() }']],
    edits: [["({ id: 'r1' })", "({ id: 'r1', tag: '' })"]],
  },
  {
    name: 'a changed text, and a new test',
    source: [["word = 'Hello'", "word = 'Hi'"]],
    edits: [
      ["'Hello, Ann!'", "'Hi, Ann!'"],
      ["toBe('Hello!')", "toBe('Hi!')"],
      [
        "  it('greets nobody'",
        "  it('greets with a word', () => {\n    expect(greet('Cid', 'Yo')).toBe('Yo, Cid!');\n  });\n\n  it('greets nobody'",
      ],
    ],
  },
  {
    name: 'a changed text, and another title',
    source: [["word = 'Hello'", "word = 'Hi'"]],
    edits: [
      ["it('greets by name'", "it('says hi by name'"],
      ["'Hello, Ann!'", "'Hi, Ann!'"],
      ["toBe('Hello!')", "toBe('Hi!')"],
    ],
  },
];

export const honestInNode: readonly Attempt[] = [
  {
    name: 'a test with another title',
    isReworded: true,
    edits: [["it('makes slugs'", "it('makes slugs of texts'"]],
  },
  {
    name: 'a test moved into the suite',
    isReworded: true,
    edits: [
      [
        "it('makes slugs', () => {\n  const made = slug('  Big Red: Dog ');\n  assert.equal(made, 'big-red-dog');\n});\n",
        "describe('slug', () => {\n  it('makes slugs', () => {\n    const made = slug('  Big Red: Dog ');\n    assert.equal(made, 'big-red-dog');\n  });\n});\n",
      ],
    ],
  },
  {
    name: 'a new expectation beside',
    edits: [
      [
        '    assert.equal(total(items), 55);',
        '    assert.equal(total(items), 55);\n    assert.equal(total([]), 0);',
      ],
    ],
  },
  {
    name: 'a helper that asks',
    isReworded: true,
    edits: [
      [
        "describe('total'",
        "function costs(items, wanted) {\n  assert.equal(total(items), wanted);\n}\n\ndescribe('total'",
      ],
      ['    assert.equal(total(items), 55);', '    costs(items, 55);'],
    ],
  },
  {
    name: 'a local name',
    isReworded: true,
    edits: [
      [
        "  const made = slug('  Big Red: Dog ');\n  assert.equal(made,",
        "  const result = slug('  Big Red: Dog ');\n  assert.equal(result,",
      ],
    ],
  },
  {
    name: 'another key of an input',
    isOpen: true,
    edits: [
      ["name: 'Ann', role: 'admin', active: true }", "name: 'Ann', role: 'admin', active: true, id: 7 }"],
    ],
  },
  {
    name: 'an argument that is new',
    source: [["who === ''", "who === '' || who === '?'"]],
    edits: [
      [
        "  assert.equal(greet(' Ann '), 'Hello, Ann!');",
        "  assert.equal(greet(' Ann '), 'Hello, Ann!');\n  assert.equal(greet('?'), 'Hello!');",
      ],
    ],
  },
];
