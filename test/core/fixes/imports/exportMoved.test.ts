// A table of tests whose imported names were renamed or moved, each in a real repository: the test file before and after, byte for byte.
import assert from 'node:assert/strict';
import { itMends, priceFunction, slugFunction, type ImportSituation } from './importSituation.ts';

const price = priceFunction('formatPrice');
const money = priceFunction('formatMoney');
const slug = slugFunction('slugify');
const use = `it('formats', () => { expect(formatPrice(5)).toBe('0.05 EUR'); });\n`;
const useMoney = use.replace('formatPrice', 'formatMoney');
const renamedExport = { files: { 'src/format.ts': price }, written: { 'src/format.ts': money } };

const hash = (name: string): string =>
  `import { createHash } from 'node:crypto';\nexport function ${name}(text: string) {\n  return createHash('sha256').update(text).digest('base64url');\n}\n`;
const failure = (name: string): string =>
  `export class ${name} extends Error {\n  constructor(public input: unknown) {\n    super('no pattern matches ' + JSON.stringify(input));\n  }\n}\n`;
const exports: readonly ImportSituation[] = [
  {
    title: 'renames an export and its references, not a shadowing name',
    ...renamedExport,
    test: `import { formatPrice } from '../src/format';
it('a', () => { expect(formatPrice(5)).toBe('x'); });
it('b', () => { const formatPrice = () => 'own'; expect(formatPrice()).toBe('own'); });
it('c', () => { expect({ formatPrice }.formatPrice(1)).toBe('formatPrice'); type F = typeof formatPrice; });
`,
    mended: `import { formatMoney } from '../src/format';
it('a', () => { expect(formatMoney(5)).toBe('x'); });
it('b', () => { const formatPrice = () => 'own'; expect(formatPrice()).toBe('own'); });
it('c', () => { expect({ formatPrice: formatMoney }.formatPrice(1)).toBe('formatPrice'); type F = typeof formatMoney; });
`,
    check: (fix) => {
      assert.equal(fix.title, "import formatMoney from '../src/format' (was formatPrice)");
      assert.equal(fix.grade, 'conservative');
      assert.match(fix.evidence[0] ?? '', /formatPrice of src\/format\.ts is exported as formatMoney/);
    },
  },
  {
    title: 'only proposes a new name for what computes in another way',
    files: { 'src/check.ts': 'export const isValid = (s: string) => /^a+$/.test(s) && s.length < 10;\n' },
    written: {
      'src/check.ts': 'export const isInvalid = (s: string) => !(/^a+$/.test(s) && s.length < 10);\n',
    },
    test: `import { isValid } from '../src/check';\nit('a', () => expect(typeof isValid('a')).toBe('boolean'));\n`,
    mended: `import { isInvalid } from '../src/check';\nit('a', () => expect(typeof isInvalid('a')).toBe('boolean'));\n`,
    check: (fix) => assert.equal(fix.trust, 'propose'),
  },
  {
    title: 'changes only the specifier of an import under another name',
    ...renamedExport,
    test: `import { formatPrice as fp } from '../src/format';\nit('x', () => expect(fp(5)).toBe('x'));\n`,
    mended: `import { formatMoney as fp } from '../src/format';\nit('x', () => expect(fp(5)).toBe('x'));\n`,
    check: (fix) => assert.equal(fix.grade, 'surgical'),
  },
  {
    title: 'keeps the local name when the new one is taken',
    ...renamedExport,
    test: `import { formatPrice } from '../src/format';\nconst formatMoney = 1;\n${use}`,
    mended: `import { formatMoney as formatPrice } from '../src/format';\nconst formatMoney = 1;\n${use}`,
  },
  {
    title: 'renames members of a namespace, spies and mock factories',
    ...renamedExport,
    test: `import * as format from '../src/format';
vi.mock('../src/format', () => ({ formatPrice: vi.fn() }));
vi.spyOn(format, 'formatPrice');
it('x', () => expect(format.formatPrice(1)).toBe(format['formatPrice'](1)));
`,
    mended: `import * as format from '../src/format';
vi.mock('../src/format', () => ({ formatMoney: vi.fn() }));
vi.spyOn(format, 'formatMoney');
it('x', () => expect(format.formatMoney(1)).toBe(format['formatMoney'](1)));
`,
  },
  {
    title: 'renames what is taken out of namespaces in an object, a list and a table',
    files: { 'src/format.ts': price, 'src/other.ts': price },
    written: { 'src/format.ts': money, 'src/other.ts': money },
    test: `import * as format from '../src/format';
import * as other from '../src/other';
const both = { format, 'second': other };
for (const [name, { formatPrice }] of Object.entries(both)) it(name, () => expect(formatPrice(1)).toBe('x'));
for (const one of Object.values(both)) it('a', () => expect(one.formatPrice(1)).toBe('x'));
describe.each([format, other])('b', ({ formatPrice: say }) => { it('c', () => expect(say(1)).toBe('x')); });
describe.each([['own', format], ['other', other]])('%s', (name, one) => { it('d', () => expect(one.formatPrice(1)).toBe('x')); });
[format, other].forEach((one) => { it('e', () => expect(one['formatPrice'](1)).toBe('x')); });
it('f', () => expect(both.format.formatPrice(1)).toBe(both['second'].formatPrice(1)));
`,
    mended: `import * as format from '../src/format';
import * as other from '../src/other';
const both = { format, 'second': other };
for (const [name, { formatMoney }] of Object.entries(both)) it(name, () => expect(formatMoney(1)).toBe('x'));
for (const one of Object.values(both)) it('a', () => expect(one.formatMoney(1)).toBe('x'));
describe.each([format, other])('b', ({ formatMoney: say }) => { it('c', () => expect(say(1)).toBe('x')); });
describe.each([['own', format], ['other', other]])('%s', (name, one) => { it('d', () => expect(one.formatMoney(1)).toBe('x')); });
[format, other].forEach((one) => { it('e', () => expect(one['formatMoney'](1)).toBe('x')); });
it('f', () => expect(both.format.formatMoney(1)).toBe(both['second'].formatMoney(1)));
`,
    check: (fix) => assert.equal(fix.trust, 'mechanical'),
  },
  {
    title: 'knows a function by its text where its new name is a method in there',
    files: { 'src/hash.ts': hash('stringDigest') },
    written: { 'src/hash.ts': hash('digest') },
    test: `import { stringDigest } from '../src/hash';\nit('a', () => expect(stringDigest('x')).toBe('y'));\n`,
    mended: `import { digest } from '../src/hash';\nit('a', () => expect(digest('x')).toBe('y'));\n`,
    check: (fix) => assert.equal(fix.trust, 'mechanical'),
  },
  {
    title: 'follows the new name of the module itself, not its twin in another one',
    files: { 'src/format.ts': price, 'src/other.ts': price },
    written: { 'src/format.ts': money, 'src/other.ts': money },
    test: `import { formatPrice } from '../src/format';\n${use}`,
    mended: `import { formatMoney } from '../src/format';\n${useMoney}`,
    check: (fix) => assert.equal(fix.trust, 'mechanical'),
  },
  {
    title: 'renames in factories with a body, and in what importOriginal gives',
    ...renamedExport,
    test: `import { formatPrice } from '../src/format';
vi.mock('../src/format', async (importOriginal) => {
  const original = await importOriginal<typeof import('../src/format')>();
  return { ...original, formatPrice: vi.fn(original.formatPrice) };
});
it('x', () => { vi.mocked(formatPrice).mockReturnValue('y'); });
`,
    mended: `import { formatMoney } from '../src/format';
vi.mock('../src/format', async (importOriginal) => {
  const original = await importOriginal<typeof import('../src/format')>();
  return { ...original, formatMoney: vi.fn(original.formatMoney) };
});
it('x', () => { vi.mocked(formatMoney).mockReturnValue('y'); });
`,
  },
  {
    title: 'renames what a dynamic import, require and importActual give',
    ...renamedExport,
    test: `const { formatPrice } = await import('../src/format');
let late;
beforeEach(async () => { late = await import('../src/format'); });
const { formatPrice: old } = require('../src/format');
type F = import('../src/format').formatPrice;
it('x', async () => { formatPrice(1); late.formatPrice(2); (await vi.importActual('../src/format')).formatPrice(3); import('../src/format').then((m) => m.formatPrice(4)); });
`,
    mended: `const { formatMoney } = await import('../src/format');
let late;
beforeEach(async () => { late = await import('../src/format'); });
const { formatMoney: old } = require('../src/format');
type F = import('../src/format').formatMoney;
it('x', async () => { formatMoney(1); late.formatMoney(2); (await vi.importActual('../src/format')).formatMoney(3); import('../src/format').then((m) => m.formatMoney(4)); });
`,
  },
  {
    title: 'follows an export to another module',
    files: { 'src/format.ts': price, 'src/text.ts': slug },
    written: { 'src/format.ts': 'export const other = 1;\n', 'src/text.ts': slug + price },
    test: `import { formatPrice } from '../src/format';\n${use}`,
    mended: `import { formatPrice } from '../src/text';\n${use}`,
  },
  {
    title: 'splits an import when one of its names moved away',
    files: { 'src/format.ts': price + slug },
    written: { 'src/format.ts': slug, 'src/money.ts': price },
    test: `import { formatPrice, slugify } from '../src/format';\n${use}`,
    mended: `import { slugify } from '../src/format';\nimport { formatPrice } from '../src/money';\n${use}`,
  },
  {
    title: 'adds a name that moved to an import that is there, one a line as it stands',
    files: { 'src/format.ts': price + slug, 'src/money.ts': 'export const a = 1;\nexport const b = 2;\n' },
    written: { 'src/format.ts': slug, 'src/money.ts': `export const a = 1;\nexport const b = 2;\n${price}` },
    test: `import {\n  a,\n  b,\n} from '../src/money'\nimport { slugify, formatPrice } from '../src/format'\n${use}`,
    mended: `import {\n  a,\n  b,\n  formatPrice,\n} from '../src/money'\nimport { slugify } from '../src/format'\n${use}`,
  },
  {
    title: 'follows a moved and renamed export of a moved module',
    files: { 'src/format.ts': price + slug },
    moved: { 'src/format.ts': 'src/text/money.ts' },
    written: { 'src/text/money.ts': money + slug },
    test: `import { formatPrice, slugify } from '../src/format';\n${use}`,
    mended: `import { formatMoney, slugify } from '../src/text/money';\n${useMoney}`,
    check: (fix) => assert.equal(fix.evidence.length, 2),
  },
  {
    title: 'follows an export through an index that re-exports it under its new name',
    files: { 'src/index.ts': `export { formatPrice } from './format';\n`, 'src/format.ts': price },
    written: { 'src/index.ts': `export { formatMoney } from './format';\n`, 'src/format.ts': money },
    test: `import { formatPrice } from '../src';\n${use}`,
    mended: `import { formatMoney } from '../src';\n${useMoney}`,
  },
  {
    title: 'goes to the module itself when the index no longer re-exports it',
    files: {
      'src/index.ts': `export * from './format';\nexport * from './slug';\n`,
      'src/format.ts': price,
      'src/slug.ts': slug,
    },
    written: { 'src/index.ts': `export * from './slug';\n` },
    test: `import { formatPrice } from '../src';\n${use}`,
    mended: `import { formatPrice } from '../src/format';\n${use}`,
  },
  {
    title: 'turns a default import into a named one',
    files: { 'src/format.ts': priceFunction('formatPrice', 'export default function') },
    written: { 'src/format.ts': price },
    test: `import formatPrice from '../src/format';\n${use}`,
    mended: `import { formatPrice } from '../src/format';\n${use}`,
  },
  {
    title: 'turns a default import under a name of its own into a named one',
    files: { 'src/format.ts': priceFunction('formatPrice', 'export default function') + slug },
    written: { 'src/format.ts': price + slug },
    test: `import fp, {slugify} from '../src/format';\nit('x', () => expect(fp(1)).toBe(slugify('')));\n`,
    mended: `import {slugify, formatPrice as fp} from '../src/format';\nit('x', () => expect(fp(1)).toBe(slugify('')));\n`,
  },
  {
    title: 'turns a named import into a default one',
    files: { 'src/format.ts': price },
    written: { 'src/format.ts': priceFunction('formatPrice', 'export default function') },
    test: `import { formatPrice } from '../src/format';\n${use}`,
    mended: `import formatPrice from '../src/format';\n${use}`,
  },
  {
    title: 'turns one of several named imports into a default one',
    files: { 'src/format.ts': price + slug },
    written: { 'src/format.ts': priceFunction('formatPrice', 'export default function') + slug },
    test: `import { formatPrice, slugify } from '../src/format';\n${use}`,
    mended: `import formatPrice, { slugify } from '../src/format';\n${use}`,
  },
  {
    title: 'takes a rename with changes inside when exactly one export went and one came',
    files: { 'src/format.ts': price + slug },
    written: { 'src/format.ts': money.replace('.padStart', '.trim().padStart').replace('EUR', 'USD') + slug },
    test: `import { formatPrice } from '../src/format';\n${use}`,
    mended: `import { formatMoney } from '../src/format';\n${useMoney}`,
  },
  {
    title: 'takes the word of the sources that were migrated, when the declaration is another',
    files: {
      'src/format.ts': price,
      'src/cart.ts': `import { formatPrice } from './format';\nexport const c = formatPrice;\n`,
    },
    written: {
      'src/format.ts': 'export const unrelated = true;\n',
      'src/intl.ts': `const formatter = new Intl.NumberFormat('en');\nexport const printAmount = (n: number) => formatter.format(n);\n`,
      'src/cart.ts': `import { printAmount } from './intl';\nexport const c = printAmount;\n`,
    },
    test: `import { formatPrice } from '../src/format';\n${use}`,
    mended: `import { printAmount } from '../src/intl';\n${use.replace('formatPrice', 'printAmount')}`,
    check: (fix) => assert.match(fix.evidence[0] ?? '', /changed source files import printAmount/),
  },
  {
    title: 'renames a constant, a class in JSX and a type',
    testFile: 'test/a.test.tsx',
    files: {
      'src/view.tsx': `export const RATE = 0.2;\nexport class PriceTag { render() { return 'price'; } }\nexport type Props = { cents: number };\n`,
    },
    written: {
      'src/view.tsx': `export const RATE = 0.2;\nexport class MoneyTag { render() { return 'price'; } }\nexport type Props = { cents: number };\n`,
    },
    test: `import { PriceTag, type Props } from '../src/view';\nit('x', () => render(<PriceTag><PriceTag /></PriceTag>));\n`,
    mended: `import { MoneyTag, type Props } from '../src/view';\nit('x', () => render(<MoneyTag><MoneyTag /></MoneyTag>));\n`,
  },
  {
    title: 'believes a name that says the opposite when the same class has it and the sources went along',
    files: {
      'src/errors.ts': failure('ExhaustiveError'),
      'src/index.ts': `export { ExhaustiveError } from './errors';\n`,
      'src/match.ts': `import { ExhaustiveError } from './errors';\nexport const fail = () => { throw new ExhaustiveError(1); };\n`,
    },
    written: {
      'src/errors.ts': failure('NonExhaustiveError'),
      'src/index.ts': `export { NonExhaustiveError } from './errors';\n`,
      'src/match.ts': `import { NonExhaustiveError } from './errors';\nexport const fail = () => { throw new NonExhaustiveError(1); };\n`,
    },
    test: `import { ExhaustiveError } from '../src';\nit('x', () => new ExhaustiveError(1));\n`,
    mended: `import { NonExhaustiveError } from '../src';\nit('x', () => new NonExhaustiveError(1));\n`,
    check: (fix) => assert.equal(fix.trust, 'mechanical'),
  },
  {
    title: 'only proposes a name that says the opposite when no source went along',
    files: { 'src/errors.ts': failure('ExhaustiveError') },
    written: { 'src/errors.ts': failure('NonExhaustiveError') },
    test: `import { ExhaustiveError } from '../src/errors';\nit('x', () => new ExhaustiveError(1));\n`,
    mended: `import { NonExhaustiveError } from '../src/errors';\nit('x', () => new NonExhaustiveError(1));\n`,
    check: (fix) => assert.equal(fix.trust, 'propose'),
  },
  {
    title: 'refuses when two new exports look like the old one',
    files: { 'src/format.ts': price },
    written: { 'src/format.ts': money + priceFunction('formatAmount') },
    test: `import { formatPrice } from '../src/format';\n${use}`,
    refused: /formatPrice may now be formatMoney in src\/format\.ts or formatAmount/,
  },
  {
    title: 'refuses a copy of the export among the tests',
    files: { 'src/format.ts': price + slug },
    written: { 'src/format.ts': slug, 'test/support/format.ts': price },
    test: `import { formatPrice } from '../src/format';\n${use}`,
    refused: /no longer exported by src\/format\.ts/,
  },
  {
    title: 'refuses when the export was removed and nothing looks like it',
    files: { 'src/format.ts': price + slug },
    written: { 'src/format.ts': `${slug}export const fresh = [1, 2, 3];\n` },
    test: `import { formatPrice } from '../src/format';\n${use}`,
    refused: /no longer exported by src\/format\.ts, and no file that changed/,
  },
  {
    title: 'does not take what was there before for the new name',
    files: { 'src/format.ts': price + money },
    written: { 'src/format.ts': money },
    test: `import { formatPrice } from '../src/format';\n${use}`,
    refused: /no longer exported/,
  },
  {
    title: 'does not take what callers use instead for the new name when it was there before',
    files: {
      'src/format.ts': `export const parse = (s: string) => ({ children: s.split(',') });\nexport const readList = (s: string) => parse(s).children;\n`,
      'src/cart.ts': `import { readList } from './format';\nexport const items = (s: string) => readList(s);\n`,
    },
    written: {
      'src/format.ts': `export const parse = (s: string) => ({ children: s.split(',') });\n`,
      'src/cart.ts': `import { parse } from './format';\nexport const items = (s: string) => parse(s).children;\n`,
    },
    test: `import { readList } from '../src/format';\nit('reads', () => { expect(readList('a')).toEqual(['a']); });\n`,
    refused: /no longer exported/,
  },
  {
    title: 'mends a skill file, which node loads itself',
    testFile: 'tests/a.tests.mjs',
    files: { 'src/format.mjs': 'export function greet(name) { return `Hello, ${name}!`.trim(); }\n' },
    written: { 'src/format.mjs': 'export function welcome(name) { return `Hello, ${name}!`.trim(); }\n' },
    test: `import { greet } from '../src/format.mjs';\nexport default () => ({ passed: greet('a') ? 1 : 0, failed: 0, errors: [] });\n`,
    mended: `import { welcome } from '../src/format.mjs';\nexport default () => ({ passed: welcome('a') ? 1 : 0, failed: 0, errors: [] });\n`,
  },
];

describe('the import fixer on renamed and moved exports', () => {
  for (const situation of exports) itMends(situation);
});
