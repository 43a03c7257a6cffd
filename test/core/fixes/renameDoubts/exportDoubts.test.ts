// Exports that a source renamed although it did not go along itself, or whose new name may mean something else: a person is asked.
import assert from 'node:assert/strict';
import { importMoved } from '../../../../src/core/fixes/imports/importMoved.ts';
import { proposeIn, saidBy } from './sourceSituation.ts';

const isAdmin = `export function isAdmin(user) {\n  return user.roles.some((role) => role.name === 'admin' && !role.expired);\n}\n`;
const isMember = `export const isMember = (user) => Boolean(user.since) || user.id > 0;\n`;
const price = `export function price(cents, currency = 'EUR') {\n  const whole = Math.floor(cents / 100);\n  return [whole, currency].join(' ');\n}\n`;

interface Given {
  readonly before: string;
  readonly now: string;
  readonly old: string;
  readonly others?: Readonly<Record<string, string>>;
  readonly written?: Readonly<Record<string, string>>;
}

async function propose({ before, now, old, others = {}, written = {} }: Given) {
  const { fixes } = await proposeIn({
    provider: importMoved,
    files: {
      'test/shop.test.js': `import { ${old} } from '../src/shop.js';\nit('works', () => {\n  expect(${old}).toBe(3);\n});\n`,
      'src/shop.js': before,
      ...others,
    },
    written: { 'src/shop.js': now, ...written },
    message: 'it does not load',
    kind: 'load',
  });
  return saidBy(fixes);
}

describe('a renamed export', () => {
  it('is only proposed when its text is so short that another one has it by chance', async () => {
    const said = await propose({
      before: 'export const maxRetries = 3;\n',
      now: 'export const workers = 3;\n',
      old: 'maxRetries',
    });
    assert.deepEqual(
      said.map(([trust]) => trust),
      ['propose'],
    );
  });

  it('is only proposed when nothing but a caller says that it is the same', async () => {
    const route = (name: string): string =>
      `import { ${name} } from './shop.js';\nexport const route = (user) => (${name}(user) ? 'secret' : '');\n`;
    const said = await propose({
      before: isAdmin,
      now: isMember,
      old: 'isAdmin',
      others: { 'src/route.js': route('isAdmin') },
      written: { 'src/route.js': route('isMember') },
    });
    assert.deepEqual(
      said.map(([trust]) => trust),
      ['propose'],
    );
  });

  for (const [old, now] of [
    ['timeoutSeconds', 'timeoutMs'],
    ['total', '_total'],
    ['netPrice', 'grossPrice'],
    ['isAdmin', 'isMember'],
  ] as const)
    it(`is only proposed as ${now} for ${old}, also when the callers went along`, async () => {
      const before = price.replace('price', old);
      const use = (name: string): string =>
        `import { ${name} } from './shop.js';\nexport const use = () => ${name}(3);\n`;
      const said = await propose({
        before,
        now: before.replaceAll(old, now),
        old,
        others: { 'src/use.js': use(old) },
        written: { 'src/use.js': use(now) },
      });
      assert.deepEqual(
        said.map(([trust]) => trust),
        ['propose'],
      );
      assert.match(said[0]?.[1] ?? '', /The new name may mean something else/);
    });

  for (const [how, use] of [
    ['imports it', `import { price } from './shop.js';\nexport const bill = () => price(3);\n`],
    ['passes it on', `\nexport { price } from './shop.js';\n`],
    ['requires it', `const { price } = require('./shop.js');\nprice(3);\n`],
    [
      'reads it of the whole module',
      `import * as shop from './shop.js';\nexport const bill = () => shop.price(3);\n`,
    ],
    [
      'imports it late',
      `const load = async () => {\n  const { price } = await import('./shop.js');\n  return price(3);\n};\n`,
    ],
  ] as const)
    it(`is only proposed while an unchanged source ${how}`, async () => {
      const said = await propose({
        before: price,
        now: price.replace('price', 'cost'),
        old: 'price',
        others: { 'src/bill.js': use },
      });
      assert.deepEqual(
        said.map(([trust]) => trust),
        ['propose'],
      );
      assert.match(said[0]?.[1] ?? '', /Line [12] of src\/bill\.js still imports price from there/);
    });

  it('is followed where all sources went along, and others mean something of their own', async () => {
    const said = await propose({
      before: price,
      now: price.replace('price', 'cost'),
      old: 'price',
      others: {
        'src/own.js': `import { price } from './own/price.js';\nprice(3);\n`,
        'src/own/price.js': price.replace('cents', 'pence'),
      },
    });
    assert.deepEqual(
      said.map(([trust]) => trust),
      ['mechanical'],
    );
  });
});
