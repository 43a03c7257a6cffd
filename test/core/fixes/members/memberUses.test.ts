// Each way in which a test uses a member that has another name now, and each in which it must be left alone.
import assert from 'node:assert/strict';
import type { Value } from '../../../../src/core/model/value.ts';
import { mend, renamed, type Given } from './mendMember.ts';

const cartClass = `export class Cart {\n  lines = [1, 2].map(String).sort();\n  get total() { return this.lines.length * 2 + 1; }\n  static empty() { return new Cart(); }\n}\n`;
const options = `export function make({ colour = 'red', wide = false }) { return wide ? colour : colour.slice(1); }\n`;
const total: Value = { kind: 'number', text: '3' };

describe('uses of renamed members', () => {
  for (const [what, given, mended] of [
    [
      'a getter of a made object',
      { ...renamed(cartClass, 'total', 'sum'), test: 'const c = new Cart(); ¶expect(c.total).toBe(3);' },
      'const c = new Cart(); expect(c.sum).toBe(3);',
    ],
    [
      'a key in brackets',
      { ...renamed(cartClass, 'total', 'sum'), test: `const c = new Cart(); ¶expect(c['total']).toBe(3);` },
      `const c = new Cart(); expect(c['sum']).toBe(3);`,
    ],
    [
      'a static member',
      {
        ...renamed(cartClass, 'empty', 'none'),
        test: `¶expect(Cart.empty().total).toBe(3);`,
        message: 'Cart.empty is not a function',
      },
      'expect(Cart.none().total).toBe(3);',
    ],
    [
      'what was read further',
      {
        ...renamed(cartClass, 'lines', 'rows'),
        test: `const c = other(); ¶expect(c.lines.length).toBe(3);`,
        message: `Cannot read properties of undefined (reading 'length')`,
      },
      'const c = other(); expect(c.rows.length).toBe(3);',
    ],
    [
      'an unknown object whose value is missing',
      {
        ...renamed(cartClass, 'total', 'sum'),
        test: `const c = other(); ¶expect(c.total).toBe(3);`,
        isUndefined: true,
      },
      'const c = other(); expect(c.sum).toBe(3);',
    ],
    [
      'a destructured result',
      {
        ...renamed('export const cart = () => ({ total: [1, 2].length + 1, size: 2 });', 'total', 'sum'),
        test: `const { total, size } = cart(); ¶expect(total).toBe(3);`,
      },
      'const { sum: total, size } = cart(); expect(total).toBe(3);',
    ],
    [
      'a destructured result with its own name',
      {
        ...renamed('export const cart = () => ({ total: [1, 2].length + 1, size: 2 });', 'total', 'sum'),
        test: `const { total: t = 0 } = cart(); ¶expect(t).toBe(3);`,
      },
      'const { sum: t = 0 } = cart(); expect(t).toBe(3);',
    ],
    [
      'a result behind a type',
      {
        ...renamed(
          'export interface Sums { total: number }\nexport const cart = (): Sums => other();\nexport const show = (s: Sums) => s.total;',
          'total',
          'sum',
        ),
        test: `¶expect(cart().total).toBe(3);`,
      },
      'expect(cart().sum).toBe(3);',
    ],
    [
      'an option',
      { ...renamed(options, 'colour', 'color'), test: `¶expect(make({ colour: 'blue' })).toBe('lue');` },
      `expect(make({ color: 'blue' })).toBe('lue');`,
    ],
    [
      'a shorthand option',
      {
        ...renamed(options, 'colour', 'color'),
        test: `const colour = 'blue'; ¶expect(make({ wide: true, colour })).toBe('lue');`,
      },
      `const colour = 'blue'; expect(make({ wide: true, color: colour })).toBe('lue');`,
    ],
    [
      'an option kept in a variable',
      {
        ...renamed(options, 'colour', 'color'),
        test: `const options = { colour: 'blue' }; ¶expect(make(options)).toBe('lue');`,
      },
      `const options = { color: 'blue' }; expect(make(options)).toBe('lue');`,
    ],
    [
      'an option of a named type',
      {
        ...renamed(
          'export interface Paint { colour: string }\nexport function make(paint: Paint) { return other(paint); }\nexport const say = (paint: Paint) => paint.colour;',
          'colour',
          'color',
        ),
        test: `¶expect(make({ colour: 'blue' })).toBe('lue');`,
      },
      `expect(make({ color: 'blue' })).toBe('lue');`,
    ],
    [
      'an option that is read from its parameter',
      {
        ...renamed(
          `export function make(options) { return options.colour.slice(1) + options.wide; }\nexport const blue = () => make({ colour: 'blue' });`,
          'colour',
          'color',
        ),
        test: `¶expect(make({ colour: 'blue' })).toBe('lue');`,
      },
      `expect(make({ color: 'blue' })).toBe('lue');`,
    ],
    [
      'an option of a constructor',
      {
        ...renamed(
          'export class Cart { constructor({ colour = 1 }) { this.x = colour * 2; } }',
          'colour',
          'color',
        ),
        test: `¶expect(new Cart({ colour: 2 }).x).toBe(4);`,
      },
      `expect(new Cart({ color: 2 }).x).toBe(4);`,
    ],
    [
      'an enum member',
      {
        ...renamed(
          `export enum State { Open = 'open', Shut = 'shut' }\nexport const end = State.Shut;`,
          'Shut',
          'Closed',
        ),
        test: `¶expect(make(State.Shut)).toBe('x');`,
      },
      `expect(make(State.Closed)).toBe('x');`,
    ],
    [
      'a key of an exported object',
      {
        ...renamed(
          `export const prices = { basic: { price: 1 }, more: 2 } as const;\nexport const least = prices.basic;`,
          'basic',
          'plain',
        ),
        test: `¶expect(prices.basic.price).toBe(1);`,
      },
      `expect(prices.plain.price).toBe(1);`,
    ],
    [
      'a key of an inner object',
      {
        ...renamed(
          `export const prices = Object.freeze({ basic: { price: 1 }, more: 2 });`,
          'price',
          'amount',
        ),
        test: `¶expect(prices.basic.price).toBe(1);`,
      },
      `expect(prices.basic.amount).toBe(1);`,
    ],
    [
      'a typed input',
      {
        ...renamed(
          'export interface Line { price: number; name: string }\nexport const make = (line: Line) => line;\nexport const show = (line: Line) => line.price;',
          'price',
          'amount',
        ),
        test: `const line: Line = { price: 1, name: 'a' }; ¶expect(other(line)).toBe(1);`,
      },
      `const line: Line = { amount: 1, name: 'a' }; expect(other(line)).toBe(1);`,
    ],
    [
      'an expected key',
      {
        ...renamed('export const cart = () => ({ total: [1, 2].length + 1, size: 2 });', 'total', 'sum'),
        test: `¶expect(cart()).toEqual({ total: 3, size: 2 });`,
        expected: {
          kind: 'object',
          entries: [
            ['total', total],
            ['size', total],
          ],
        },
        actual: {
          kind: 'object',
          entries: [
            ['sum', total],
            ['size', total],
          ],
        },
      },
      'expect(cart()).toEqual({ sum: 3, size: 2 });',
    ],
    [
      'an expected key in a list',
      {
        ...renamed('export const cart = () => { return { total: [1, 2].length + 1 }; };', 'total', 'sum'),
        test: `const all = [{ total: 3 }]; ¶expect([cart()]).toEqual(all);`,
        expected: { kind: 'array', items: [{ kind: 'object', entries: [['total', total]] }] },
        actual: { kind: 'array', items: [{ kind: 'object', entries: [['sum', total]] }] },
      },
      'const all = [{ sum: 3 }]; expect([cart()]).toEqual(all);',
    ],
  ] as const satisfies readonly (readonly [string, Given, string])[])
    it(`follow ${what}`, async () => {
      const { text, refusals, fixes } = await mend(given);
      assert.equal(text, mended, refusals.join());
      assert.equal(fixes[0]?.trust, what.startsWith('an expected') ? 'oracle' : 'mechanical');
      assert.match(
        fixes[0].evidence[0] ?? '',
        /was removed from src\/cart\.ts since the last commit: it is (?:now \w+|\w+ now)/,
      );
    });

  const order = `export class Order {\n  get total() { return other(this).price * 2 + 1; }\n}\n`;
  for (const [what, given] of [
    [
      'an object of another class',
      {
        ...renamed(cartClass, 'total', 'sum'),
        test: 'const o = new Order(); ¶expect(o.total).toBe(3);',
        isUndefined: true,
      },
    ],
    [
      "the test's own object",
      {
        ...renamed(cartClass, 'total', 'sum'),
        test: 'const own = { total: undefined }; ¶expect(own.total).toBe(3);',
        isUndefined: true,
      },
    ],
    [
      'an unknown object when nothing says that its value is missing',
      { ...renamed(cartClass, 'total', 'sum'), test: 'const c = other(); ¶expect(c.total).toBe(3);' },
    ],
    [
      'an option of another function',
      { ...renamed(options, 'colour', 'color'), test: `¶expect(paint({ colour: 'blue' })).toBe('lue');` },
    ],
    [
      'another argument',
      { ...renamed(options, 'colour', 'color'), test: `¶expect(make({}, { colour: 'blue' })).toBe('lue');` },
    ],
    [
      'an expected key with another value',
      {
        ...renamed('export const cart = () => ({ total: [1, 2].length + 1 });', 'total', 'sum'),
        test: `¶expect(cart()).toEqual({ total: 3 });`,
        expected: { kind: 'object', entries: [['total', total]] },
        actual: { kind: 'object', entries: [['sum', { kind: 'number', text: '4' }]] },
      },
    ],
    [
      'a member that went to two places',
      {
        ...renamed(cartClass, 'total', 'sum'),
        more: [order, order.replace('total', 'price')],
        test: 'const c = other(); ¶expect(c.total).toBe(3);',
        isUndefined: true,
      },
    ],
    [
      'two members that could be each other',
      {
        before: 'export interface Cart { a: number; b: number; c: string }',
        now: 'export interface Cart { c: string; x: number; y: number; z: number }',
        test: 'const c: Cart = other(); ¶expect(c.a).toBe(3);',
        isUndefined: true,
      },
    ],
    [
      'a member that nothing stands in for',
      {
        before: cartClass,
        now: cartClass.replace(/ {2}get total.*\n/, ''),
        test: 'const c = new Cart(); ¶expect(c.total).toBe(3);',
        isUndefined: true,
      },
    ],
  ] as const satisfies readonly (readonly [string, Given])[])
    it(`leave alone ${what}`, async () => {
      assert.deepEqual((await mend(given)).fixes, []);
    });

  it('tell which of two classes an object is of', async () => {
    const { text } = await mend({
      ...renamed(cartClass, 'total', 'sum'),
      more: [order, order.replace('total', 'price')],
      test: 'const c = new Cart(); ¶expect(c.total).toBe(3);',
    });
    assert.equal(text, 'const c = new Cart(); expect(c.sum).toBe(3);');
  });

  const others = { isOpen: ['isClosed', 'says the opposite'], priceUsd: ['priceEur', 'has another unit'] };
  for (const [old, [name = '', says = '']] of Object.entries(others))
    it(`only propose a name that ${says}, whatever its text`, async () => {
      const before = `export class Cart { open = 1; ${old}() { return this.open * 3 + 7; } }\n`;
      const now = before.replace(old, name);
      const test = `const c = new Cart(); expect(c.¶${old}()).toBe(10);`;
      const { fixes, text } = await mend({ before, now, test, message: `c.${old} is not a function` });
      assert.deepEqual([fixes[0]?.trust, text?.includes(`c.${name}()`)], ['propose', true]);
      assert.ok(fixes[0]?.evidence.join(' ').includes(says));
    });

  it('follow functions that CommonJS exports by assignment', async () => {
    const cart = (key: string): string =>
      `exports.cart = () => ({ ${key}: 3 * 7, tax: 1 });\nexports.show = (one) => one.${key};\n`;
    const { fixes, text } = await mend({
      before: cart('totalPrice'),
      now: cart('sumPrice'),
      test: `expect(cart().¶totalPrice).toBe(21);`,
      isUndefined: true,
    });
    assert.equal(fixes[0]?.trust, 'mechanical');
    assert.match(text ?? '', /cart\(\)\.sumPrice/);
  });

  it('only propose a name that is close but does something else', async () => {
    const { fixes } = await mend({
      before: 'export class Cart {\n  getTotal() { return this.a; }\n}\n',
      now: 'export class Cart {\n  total() { return this.b + 1; }\n}\n',
      test: 'const c = new Cart(); ¶expect(c.getTotal()).toBe(3);',
      message: 'c.getTotal is not a function',
    });
    assert.deepEqual(
      fixes.map(({ trust, title }) => [trust, title]),
      [['propose', 'call total (was getTotal)']],
    );
  });

  it('only propose the right spelling of what was never there', async () => {
    const { fixes, text } = await mend({
      before: cartClass,
      now: cartClass.replace('* 2', '* 3'),
      test: 'const c = new Cart(); ¶expect(c.totla).toBe(3);',
      isUndefined: true,
    });
    assert.equal(text, 'const c = new Cart(); expect(c.total).toBe(3);');
    assert.deepEqual(
      fixes.map(({ trust, title, evidence }) => [trust, title, evidence]),
      [['propose', 'use total (misspelt totla)', ['Cart in src/cart.ts has no totla, but it has total.']]],
    );
  });
});
