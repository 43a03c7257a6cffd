// Members that a source renamed although it did not go along itself, or whose new name may mean something else: a person is asked.
import assert from 'node:assert/strict';
import { memberRenamed } from '../../../../src/core/fixes/members/memberRenamed.ts';
import { proposeIn, saidBy } from './sourceSituation.ts';

interface Given {
  readonly before: string;
  readonly old: string;
  readonly now: string;
  readonly test: string;
  readonly message?: string;
  /** Sources that did not change. */
  readonly others?: Readonly<Record<string, string>>;
  /** Sources that changed as well: the old name became the new one. */
  readonly along?: Readonly<Record<string, string>>;
}

async function propose({ before, old, now, test, message, others, along = {} }: Given) {
  const renamed = (text: string): string => text.replaceAll(new RegExp(`\\b${old}\\b`, 'g'), now);
  const { fixes } = await proposeIn({
    provider: memberRenamed,
    files: {
      'test/cart.test.ts': `import { Cart, check, make, prices, State } from '../src/cart';\nit('works', () => {\n  ${test}\n});\n`,
      'src/cart.ts': before,
      ...others,
      ...along,
    },
    written: {
      'src/cart.ts': renamed(before),
      ...Object.fromEntries(Object.entries(along).map(([file, text]) => [file, renamed(text)])),
    },
    message: message ?? 'expected undefined to be 3',
    captured: [
      {
        kind: 'values',
        testName: 'works',
        matcher: 'toBe',
        negated: false,
        actual: { kind: 'undefined' },
        expected: { kind: 'number', text: '3' },
        message: 'expected undefined to be 3',
        stack: '',
      },
    ],
  });
  return saidBy(fixes);
}

const cart = `export class Cart {\n  lines = [1];\n  total() { return this.lines.length * 2 + 1; }\n}\n`;
const calls = {
  test: `const c = new Cart(); expect(c.¶total()).toBe(3);`,
  message: 'c.total is not a function',
};
const check = `export const check = (o) => ({ errors: o.lines.filter((line) => !line.ok).map(String), sum: 2 });\n`;

describe('a renamed member', () => {
  for (const [what, before, old, now, test] of [
    [
      'an object',
      'export const prices = { grant: 1, warn: 2 };',
      'grant',
      'block',
      '¶expect(prices.grant).toBe(3);',
    ],
    [
      'a type',
      'export interface Cart { email: string; a: string }',
      'email',
      'card',
      'const c: Cart = other(); ¶expect(c.email).toBe(3);',
    ],
    [
      'an enum',
      `export enum State { User = 'u', Root = 'r' }`,
      'User',
      'Extra',
      '¶expect(State.User).toBe(3);',
    ],
    [
      'a result',
      'export const check = () => ({ errors: 0, sum: 1 });',
      'errors',
      'skipped',
      '¶expect(check().errors).toBe(3);',
    ],
    [
      'options',
      'export function make({ timeout = 5 }) { return timeout; }',
      'timeout',
      'retries',
      '¶expect(make({ timeout: 1 })).toBe(3);',
    ],
  ] as const) {
    it(`of ${what} is only proposed when its text says too little`, async () => {
      const [[trust, evidence] = []] = await propose({ before, old, now, test });
      assert.equal(trust, 'propose');
      assert.match(evidence ?? '', /too little code for certainty/);
    });

    it(`of ${what} is followed when another line went along`, async () => {
      const use = `import * as shop from './cart';\nexport const said = (one) => shop.cart(one).${old};\n`;
      const [[trust] = []] = await propose({ before, old, now, test, along: { 'src/along.ts': use } });
      assert.equal(trust, 'mechanical');
    });
  }

  for (const now of ['_total', 'totalCents'])
    it(`is only proposed as ${now}`, async () => {
      const [[trust, evidence] = []] = await propose({ before: cart, old: 'total', now, ...calls });
      assert.equal(trust, 'propose');
      assert.match(evidence ?? '', /is private|another unit/);
    });

  for (const [how, text] of [
    ['calls it', `import { Cart } from './cart';\nexport const bill = (c: Cart) => c.total();\n`],
    ['calls it on what it cannot tell', `import './cart';\nexport const bill = (c) => c.total();\n`],
    ['names it as a text', `import './cart';\nexport const bill = (c) => c['total']();\n`],
    ['takes it out', `import { Cart } from './cart';\nconst { total } = new Cart();\n`],
    ['asks whether it is there', `import './cart';\nexport const can = (c) => 'total' in c;\n`],
  ] as const)
    it(`is only proposed while an unchanged source ${how}`, async () => {
      const said = await propose({
        before: cart,
        old: 'total',
        now: 'amount',
        ...calls,
        others: { 'src/bill.ts': text },
      });
      assert.equal(said[0]?.[0], 'propose');
      assert.match(said[0][1], /Line 2 of src\/bill\.ts still uses total/);
    });

  it('is followed where others have one of that name for themselves', async () => {
    const [[trust] = []] = await propose({
      before: cart,
      old: 'total',
      now: 'amount',
      ...calls,
      others: {
        'src/order.ts': `import './cart';\nexport class Order {\n  total = 3;\n  show() { return this.total; }\n}\n`,
        'src/far.ts': `export const far = (c) => c.total();\n`,
      },
    });
    assert.equal(trust, 'mechanical');
  });

  it('is only proposed while its own file still reads it', async () => {
    const before =
      'export const cart = () => ({ total: [1, 2].length + 1 });\nexport const show = (c) => c.total + 1;\n';
    const { fixes } = await proposeIn({
      provider: memberRenamed,
      files: {
        'test/cart.test.ts': `import { cart } from '../src/cart';\nit('works', () => {\n  ¶expect(cart().total.x).toBe(3);\n});\n`,
        'src/cart.ts': before,
      },
      written: { 'src/cart.ts': before.replace('{ total', '{ totla') },
      message: `Cannot read properties of undefined (reading 'x')`,
    });
    const [[trust, evidence] = []] = saidBy(fixes);
    assert.equal(trust, 'propose');
    assert.match(evidence ?? '', /total is still read in that file/);
  });

  it('is only proposed while its own file takes it out of what the function gives', async () => {
    const gate =
      'export function gate(o) {\n  const { errors } = check(o);\n  if (errors && errors.length) throw new Error();\n}\n';
    const { fixes } = await proposeIn({
      provider: memberRenamed,
      files: {
        'test/cart.test.ts': `import { check } from '../src/cart';\nit('works', () => {\n  ¶expect(check({ lines: [] }).errors.length).toBe(0);\n});\n`,
        'src/cart.ts': check + gate,
      },
      written: { 'src/cart.ts': check.replace('errors', 'faults') + gate },
      message: `Cannot read properties of undefined (reading 'length')`,
    });
    assert.deepEqual(
      fixes.map(({ trust }) => trust),
      ['propose'],
    );
  });

  it('is only proposed where the method that stood behind it changed as well', async () => {
    const source = (store: string, alias: string): string =>
      `export class Cart {\n  store(x) { ${store} }\n${alias}}\n`;
    const { fixes } = await proposeIn({
      provider: memberRenamed,
      files: {
        'test/cart.test.ts': `import { Cart } from '../src/cart';\nit('works', () => {\n  const c = new Cart();\n  expect(c.¶save(3)).toBe(3);\n});\n`,
        'src/cart.ts': source('this.check(x); return x;', '  save(x) { return this.store(x); }\n'),
      },
      written: { 'src/cart.ts': source('return x;', '') },
      message: 'c.save is not a function',
    });
    assert.deepEqual(
      fixes.map(({ trust }) => trust),
      ['propose'],
    );
  });
});
