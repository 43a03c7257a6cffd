// A name in place of another is proven by a pass only where the source gave up the one for the other.
import assert from 'node:assert/strict';
import { whyUndeclared } from '../../../src/core/policy/undeclared.ts';

const head = `import test from 'node:test';\nimport assert from 'node:assert/strict';\n`;

interface Situation {
  readonly what: string;
  readonly source: readonly [before: string, now: string];
  readonly test: readonly [before: string, now: string];
}

const situation = (
  what: string,
  source: readonly [before: string, now: string],
  use: readonly [before: string, now: string],
): Situation => ({
  what,
  source,
  test: [
    `${head}import { cart, Cart, parse } from '../src/shop.js';\ntest('c', () => { ${use[0]} });\n`,
    `${head}import { cart, Cart, parse } from '../src/shop.js';\ntest('c', () => { ${use[1]} });\n`,
  ],
});

/** The test imports the name, and calls it. */
const imported = (
  what: string,
  source: readonly [before: string, now: string],
  names: readonly [before: string, now: string],
): Situation => {
  const [before = '', now = ''] = names.map(
    (name) =>
      `${head}import { ${name} } from '../src/shop.js';\ntest('c', () => { assert.equal(${name}(2), 3); });\n`,
  );
  return { what, source, test: [before, now] };
};

const gives = (object: string): string => `export const cart = () => (${object});`;
const asks = (member: string): string => `assert.equal(cart().${member}, 3);`;
const takes = (options: string, body: string): string =>
  `export const parse = (s, { ${options} } = {}) => { ${body} };`;

const clear: readonly Situation[] = [
  situation(
    'the only member that came for the only one that went',
    [gives('{ total: 3, size: 3 }'), gives('{ sum: 3, size: 3 }')],
    [asks('total'), asks('sum')],
  ),
  situation(
    'a member in the place of the one that had its value',
    [gives('{ total: 3, size: 2 }'), gives('{ sum: 3, amount: 2 }')],
    [asks('total'), asks('sum')],
  ),
  situation(
    'a method with its text',
    [
      'export class Cart { total() { return this.items.reduce((a, b) => a + b, 0); } }',
      'export class Cart { sum() { return this.items.reduce((a, b) => a + b, 0); } other() { return 1; } }',
    ],
    ['assert.equal(new Cart().total(), 3);', 'assert.equal(new Cart().sum(), 3);'],
  ),
  situation(
    'an option',
    [
      takes('strict = false, trim = false', 'return strict && trim;'),
      takes('exact = false, trim = false', 'return exact && trim;'),
    ],
    [`assert.equal(parse('', { strict: true }), 3);`, `assert.equal(parse('', { exact: true }), 3);`],
  ),
  situation(
    'a name that another source had for something of its own',
    [gives('{ total: 3 }'), gives('{ sum: 3 }')],
    [asks('total'), asks('sum')],
  ),
  imported(
    'the only export that came for the only one that went',
    [
      'export const price = (n) => n + 1;\nexport const list = [];',
      'export const cost = (n) => n + 1;\nexport const list = [];',
    ],
    ['price', 'cost'],
  ),
  imported(
    'an export with its text',
    [
      'export const price = (n) => n * 2 + 1 - n;\nexport const tax = (n) => [n];',
      'export const cost = (n) => n * 2 + 1 - n;\nexport const duty = (n) => [n];',
    ],
    ['price', 'cost'],
  ),
];

const unclear: readonly Situation[] = [
  situation(
    'a member that was there already',
    [gives('{ total: 3, count: 3 }'), gives('{ count: 3 }')],
    [asks('total'), asks('count')],
  ),
  situation(
    'a member beside which another one came',
    [gives('{ total: () => 3, size: 3 }'), gives('{ amount: () => 0, count: () => 3, size: 3 }')],
    [asks('total()'), asks('count()')],
  ),
  situation(
    'a value beside which another one came',
    [gives('{ total: 3, size: 3 }'), gives('{ sum: 7, size: 3, count: 3 }')],
    [asks('total'), asks('count')],
  ),
  situation(
    'the opposite',
    [gives('{ isOpen: () => true, size: 3 }'), gives('{ isClosed: () => true, size: 3 }')],
    [asks('isOpen()'), asks('isClosed()')],
  ),
  situation(
    'another thing of its kind',
    [gives('{ admin: true, size: 3 }'), gives('{ guest: true, size: 3 }')],
    [asks('admin'), asks('guest')],
  ),
  situation(
    'an option that was there already',
    [
      takes('strict = false, trim = false', 'return strict && trim;'),
      takes('validate = false, trim = false', 'return validate && trim;'),
    ],
    [`assert.equal(parse('', { strict: true }), 3);`, `assert.equal(parse('', { trim: true }), 3);`],
  ),
  situation(
    'a key of what is expected that was there already',
    [gives('{ total: 3, count: 3 }'), gives('{ count: 3 }')],
    ['assert.equal(cart({ total: 1 }), 3);', 'assert.equal(cart({ count: 1 }), 3);'],
  ),
  situation(
    'a name that was there, where nothing tells whose it was',
    [`export const cart = () => make('total', 'count');`, `export const cart = () => make('count');`],
    [asks('total'), asks('count')],
  ),
  imported(
    'the opposite export',
    ['export const isOpen = (n) => n + 1;', 'export const isClosed = (n) => n + 1;'],
    ['isOpen', 'isClosed'],
  ),
  imported(
    'an export beside which one came that is as near',
    [
      'export const price = (n) => n * 2 + 1 - n;',
      'export const cost = (n) => n * 2 + 1 - n;\nexport const gross = (n) => n * 2 + 2 - n;',
    ],
    ['price', 'gross'],
  ),
];

const why = ({ source: [former, now], test: [before, after] }: Situation): string | undefined => {
  const other = 'export const other = { sum: 1 };';
  const at = (shop: string) => (file: string) =>
    ({ 'src/shop.js': `import { other } from './other.js';\n${shop}`, 'src/other.js': other })[file];
  const readSource = Object.assign(at(now), { former: at(former) });
  return whyUndeclared(
    { file: 'test/shop.test.js', before, after },
    (file) => file.startsWith('test/'),
    readSource,
  );
};

describe('a name that follows the source', () => {
  for (const each of clear) it(`is proven by a pass: ${each.what}`, () => assert.equal(why(each), undefined));
  for (const each of unclear)
    it(`is for a person: ${each.what}`, () => assert.match(why(each) ?? 'proven', /a person must decide/));
});
