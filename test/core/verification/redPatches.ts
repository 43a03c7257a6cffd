// Patches of tests that fail since the source changed: what people write then, and what would only turn them green.
import type { Attempt } from './weighedShop.ts';

const greetCalls = (more: string): Attempt['edits'] => [
  ["assert.equal(greet(' Ann '), ", `assert.equal(greet(' Ann '${more}), `],
];

/** Of the workspace of node:test. */
export const honestWhereRed: readonly Attempt[] = [
  {
    name: 'an argument that a call must have now',
    source: [
      ["greet(name, word = 'Hello')", 'greet(name, word)'],
      ["  if (who === '')", "  if (word === undefined) throw new TypeError('no word');\n  if (who === '')"],
    ],
    edits: greetCalls(", 'Hello'"),
  },
  {
    name: 'an argument that is used now',
    source: [
      ["greet(name, word = 'Hello')", "greet(name, word = 'Hello', mark)"],
      ["who + '!'", 'who + mark'],
    ],
    edits: [
      ["greet(' Ann ')", "greet(' Ann ', 'Hello', '!')"],
      ["greet('Bob', 'Hi')", "greet('Bob', 'Hi', '!')"],
    ],
  },
  {
    name: 'a key of each user that the source asks for now',
    source: [
      [
        "user.role === 'admin' && user.active",
        "user.role === 'admin' && user.active && user.teams.length > 0",
      ],
    ],
    edits: [
      [
        "{ name: 'Ann', role: 'admin', active: true }",
        "{ name: 'Ann', role: 'admin', active: true, teams: ['a'] }",
      ],
      [
        "{ name: 'Bob', role: 'user', active: true }",
        "{ name: 'Bob', role: 'user', active: true, teams: ['a'] }",
      ],
      [
        "{ name: 'Cid', role: 'admin', active: false }",
        "{ name: 'Cid', role: 'admin', active: false, teams: ['a'] }",
      ],
    ],
  },
  {
    name: 'a key of what a double gives',
    source: [['receipt: receipt.id }', 'receipt: receipt.prefix + receipt.id }']],
    edits: [['({ id: amount + currency })', "({ id: amount + currency, prefix: '' })"]],
  },
  {
    name: 'another word, expected and given',
    source: [["word = 'Hello'", "word = 'Hi'"]],
    edits: [
      ["'Hello, Ann!'", "'Hi, Ann!'"],
      [
        "  assert.notEqual(greet('Bob', 'Hi'), 'Hello, Bob!');",
        "  assert.notEqual(greet('Bob', 'Hi'), 'Hello, Bob!');\n  assert.equal(greet('Cid', 'Yo'), 'Yo, Cid!');",
      ],
    ],
  },
];

export const weakeningWhereRed: readonly Attempt[] = [
  {
    name: 'an argument in place of a default that is wrong now',
    source: [["word = 'Hello'", "word = 'Hallo'"]],
    edits: greetCalls(", 'Hello'"),
  },
  {
    name: 'an argument that turns the broken branch off',
    source: [
      ["total(items, kind = 'full')", "total(items, kind = 'full', rounds = true)"],
      [
        '  return sum * rates[kind];',
        '  return rounds ? Math.floor(sum * rates[kind]) - 1 : sum * rates[kind];',
      ],
    ],
    edits: [
      ['total(items), 55', "total(items, 'full', false), 55"],
      ['count: 2 }]), 110', "count: 2 }], 'full', false), 110"],
      ['count: 2 }]), 100', "count: 2 }], 'full', false), 100"],
    ],
  },
  {
    name: 'a key that leaves the broken lines',
    source: [
      [
        '  if (cart.items.length === 0)',
        '  if (cart.price) return { paid: true, amount: cart.price, receipt: cart.id };\n  if (cart.items.length === 0)',
      ],
      ['amount, receipt: receipt.id', 'amount: amount + 1, receipt: receipt.id'],
    ],
    edits: [["currency: 'EUR' }, pay", "currency: 'EUR', price: 30, id: '30EUR' }, pay"]],
  },
  {
    name: 'a key that switches a check on which was always on',
    source: [["user.role === 'admin' && user.active", "user.role === 'admin' && !user.gone"]],
    edits: [
      [
        "{ name: 'Cid', role: 'admin', active: false }",
        "{ name: 'Cid', role: 'admin', active: false, gone: true }",
      ],
    ],
  },
  {
    name: 'a user who is no admin any more',
    source: [["user.role === 'admin' && user.active", "user.role === 'admin'"]],
    edits: [["name: 'Cid', role: 'admin', active: false", "name: 'Cid', role: 'user', active: false"]],
  },
  {
    name: 'the wrong value, computed by who gives it',
    source: [["who + '!'", "who + '.'"]],
    edits: [["'Hello, Ann!'", "greet('Ann')"]],
  },
  {
    name: 'an assertion that asks less in its place',
    source: [["who + '!'", "who + '.'"]],
    edits: [
      ["assert.equal(greet(' Ann '), 'Hello, Ann!');", "assert.ok(greet(' Ann ').startsWith('Hello, Ann'));"],
    ],
  },
];
