// A patch from outside: written values that the code under test is given stay, whatever else it may change.
import assert from 'node:assert/strict';
import { checkPolicyOfEdits } from '../../../src/core/policy/checkPolicy.ts';
import { body, file, inTest, type Case } from './changes.ts';

const refused: readonly Case[] = [
  body('an argument', `expect(greet('Ada')).toBe('Hi, Ada');`, `expect(greet('Bob')).toBe('Hi, Ada');`),
  body(
    'a variable',
    `const name = 'Ada'; expect(greet(name)).toBe('Hi, Ada');`,
    `const name = 'Bob'; expect(greet(name)).toBe('Hi, Ada');`,
  ),
  body(
    'an option',
    `expect(greet({ name: 'Ada', loud: false })).toBe('Hi');`,
    `expect(greet({ name: 'Ada', loud: true })).toBe('Hi');`,
  ),
  body('a step', `cart.add(1); expect(cart.total).toBe(1);`, `cart.add(2); expect(cart.total).toBe(1);`),
  body(
    'a method of what the code made',
    `const shop = await save(1); shop.open('Mo'); expect(shop.isOpen).toBe(true);`,
    `const shop = await save(1); shop.open('Tu'); expect(shop.isOpen).toBe(true);`,
  ),
  body(
    'a row',
    `for (const [given, wanted] of [[1, 2], [2, 4]]) expect(greet(given)).toBe(wanted);`,
    `for (const [given, wanted] of [[1, 2], [3, 4]]) expect(greet(given)).toBe(wanted);`,
  ),
  body(
    'a function taken out of modules',
    `for (const [name, { total }] of Object.entries({ cart, save })) expect(total('a')).toBe(name);`,
    `for (const [name, { total }] of Object.entries({ cart, save })) expect(total('b')).toBe(name);`,
  ),
  body(
    'beside a new assertion',
    `expect(greet('Ada')).toBe('Hi, Ada');`,
    `expect(greet('Eve')).toBe('Hi, Eve'); expect(greet('Bob')).toBe('Hi, Ada');`,
  ),
  body(
    'beside a changed expectation',
    `expect(greet('Ada')).toBe('Hi, Ada');`,
    `expect(greet('Bob')).toBe('Hi, Bob');`,
  ),
];

const left: readonly Case[] = [
  body(
    'what is expected',
    `expect(greet('Ada')).toBe('Hi, Ada');`,
    `expect(greet('Ada')).toBe('Hello, Ada');`,
  ),
  body('other quotes', `expect(greet('Ada')).toBe('Hi');`, `expect(greet("Ada")).toBe('Hi');`),
  body(
    'an assertion before one that expects another value',
    `expect(greet('Ada')).toBe('Hi, Ada'); expect(greet('Bob')).toBe('Hi, Bob');`,
    `expect(greet('Eve')).toBe('Hi, Eve'); expect(greet('Ada')).toBe('Hi, Ada'); expect(greet('Bob')).toBe('Hello, Bob');`,
  ),
  body(
    'a new row, and another order',
    `for (const [given, wanted] of [['a', 1], ['b', 2]]) expect(greet(given)).toBe(wanted);`,
    `for (const [given, wanted] of [['b', 2], ['c', 4], ['a', 3]]) expect(greet(given)).toBe(wanted);`,
  ),
  file(
    'a new test before the changed one',
    inTest(`expect(greet('Ada')).toBe('Hi');`),
    inTest(`expect(greet('Ada')).toBe('Hello');`).replace(
      "test('greets'",
      `test('new', async () => {\n  expect(greet('Eve')).toBe('Hello');\n});\n\ntest('greets'`,
    ),
  ),
  body('a new argument', `expect(greet('Ada')).toBe('Hi');`, `expect(greet('Ada', 'en')).toBe('Hi');`),
  body(
    'arguments that became options',
    `expect(greet('Ada', true)).toBe('Hi');`,
    `expect(greet('Ada', { loud: true })).toBe('Hi');`,
  ),
  body(
    'another name of an option',
    `expect(greet({ name: 'A' })).toBe('A');`,
    `expect(greet({ who: 'A' })).toBe('A');`,
  ),
  body('another name of a member', `expect(cart['total']).toBe(1);`, `expect(cart['sum']).toBe(1);`),
  body(
    'a value that is expected, too',
    `const name = 'Ada'; expect(greet(name)).toBe(name);`,
    `const name = 'Bob'; expect(greet(name)).toBe(name);`,
  ),
  body(
    'a place of the page that the code draws',
    `const { find } = render(greet); find('.a').click(); expect(cart.total).toBe(1);`,
    `const { find } = render(greet); find('.b').click(); expect(cart.total).toBe(1);`,
  ),
  body(
    'a place of the page',
    `const page = render(); page.find('.a').click(); expect(cart.total).toBe(1);`,
    `const page = render(); page.find('.b').click(); expect(cart.total).toBe(1);`,
  ),
];

describe('the gate over a patch that nobody explains', () => {
  const rulesOf = ({ before, after }: Case, isUndeclared: boolean): string[] =>
    checkPolicyOfEdits([{ file: 'test/shop.test.ts', before, after }], (file) => file.startsWith('test/'), {
      isUndeclared,
    }).map(({ rule }) => rule);

  for (const each of refused)
    it(`refuses another input: ${each.name}`, () => {
      assert.ok(rulesOf(each, true).includes('changed-input'));
    });

  for (const each of left)
    it(`says nothing of: ${each.name}`, () => {
      assert.deepEqual(rulesOf(each, true), []);
    });

  it('leaves inputs to the rules of fixes that say what they do', () => {
    const [first] = refused;
    assert.ok(first !== undefined);
    assert.deepEqual(rulesOf(first, false), []);
  });
});
