// A table of tests whose modules were moved, each in a real repository: the test file before and after, byte for byte.
import assert from 'node:assert/strict';
import { itMends, priceFunction, type ImportSituation } from './importSituation.ts';

const price = priceFunction('formatPrice');
const use = `it('formats', () => { expect(formatPrice(5)).toBe('0.05 EUR'); });\n`;
const nodenext = { 'tsconfig.json': '{ "compilerOptions": { "module": "nodenext" } }' };
const movedFormat = { files: { 'src/format.ts': price }, moved: { 'src/format.ts': 'src/text/format.ts' } };

const modules: readonly ImportSituation[] = [
  {
    title: 'leaves folders and files alone that a URL names, and mends the import beside them',
    files: { ...movedFormat.files, 'fixtures/a.txt': 'a' },
    moved: movedFormat.moved,
    test: `import { formatPrice } from '../src/format';\nconst at = [new URL('../fixtures/', import.meta.url), new URL('../fixtures/a.txt', import.meta.url)];\n${use}`,
    mended: `import { formatPrice } from '../src/text/format';\nconst at = [new URL('../fixtures/', import.meta.url), new URL('../fixtures/a.txt', import.meta.url)];\n${use}`,
  },
  {
    title: 'says nothing of a folder that a URL names where nothing is to be mended',
    files: { ...movedFormat.files, 'fixtures/a.txt': 'a' },
    written: { 'src/other.ts': price },
    test: `import { formatPrice } from '../src/format';\nconst at = new URL('../fixtures/', import.meta.url);\n${use}`,
    refused: /^$/,
  },
  {
    title: 'follows a moved module',
    ...movedFormat,
    test: `import { formatPrice } from '../src/format';\n${use}`,
    mended: `import { formatPrice } from '../src/text/format';\n${use}`,
    check: (fix) => {
      assert.equal(fix.grade, 'surgical');
      assert.equal(fix.trust, 'mechanical');
      assert.equal(fix.title, "import from '../src/text/format' (was '../src/format')");
      assert.deepEqual(fix.evidence, [
        'src/format.ts was renamed to src/text/format.ts (100 % similar) since the last commit.',
      ]);
    },
  },
  {
    title: 'keeps double quotes, a missing semicolon, CRLF and a byte order mark',
    ...movedFormat,
    test: `\uFEFF// é\r\nimport {formatPrice} from "../src/format"\r\n${use.replace('\n', '\r\n')}`,
    mended: `\uFEFF// é\r\nimport {formatPrice} from "../src/text/format"\r\n${use.replace('\n', '\r\n')}`,
  },
  {
    title: 'keeps the .js that stands for a .ts file',
    files: { ...nodenext, 'src/format.ts': price },
    moved: { 'src/format.ts': 'src/text/format.ts' },
    test: `import { formatPrice } from '../src/format.js';\n${use}`,
    mended: `import { formatPrice } from '../src/text/format.js';\n${use}`,
  },
  {
    title: 'writes .mjs where the module became .mts',
    files: { ...nodenext, 'src/format.ts': price },
    moved: { 'src/format.ts': 'src/format.mts' },
    test: `import { formatPrice } from '../src/format.js';\n${use}`,
    mended: `import { formatPrice } from '../src/format.mjs';\n${use}`,
  },
  {
    title: 'keeps a .ts extension',
    ...movedFormat,
    test: `import { formatPrice } from '../src/format.ts';\n${use}`,
    mended: `import { formatPrice } from '../src/text/format.ts';\n${use}`,
  },
  {
    title: 'names a folder where the module became its index file, if that was the style',
    files: { 'src/money/price.ts': price },
    moved: { 'src/money/price.ts': 'src/prices/index.ts' },
    test: `import { formatPrice } from '../src/money/price';\n${use}`,
    mended: `import { formatPrice } from '../src/prices';\n${use}`,
  },
  {
    title: 'keeps an index file that was spelled out',
    files: { 'src/money/index.ts': price },
    moved: { 'src/money/index.ts': 'src/prices/index.ts' },
    test: `import { formatPrice } from '../src/money/index';\n${use}`,
    mended: `import { formatPrice } from '../src/prices/index';\n${use}`,
  },
  {
    title: 'changes ./format.js to ./format/index.js, which no folder name stands for',
    files: { ...nodenext, 'src/format.ts': price },
    moved: { 'src/format.ts': 'src/format/index.ts' },
    test: `import { formatPrice } from '../src/format.js';\n${use}`,
    mended: `import { formatPrice } from '../src/format/index.js';\n${use}`,
  },
  {
    title: 'keeps an alias of tsconfig when the new place is under it',
    files: {
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      'src/format.ts': price,
    },
    moved: { 'src/format.ts': 'src/text/format.ts' },
    test: `import { formatPrice } from '@/format';\n${use}`,
    mended: `import { formatPrice } from '@/text/format';\n${use}`,
  },
  {
    title: 'keeps an alias of the vite configuration',
    files: {
      'vitest.config.ts': `export default { resolve: { alias: { '~': new URL('./src', import.meta.url).pathname } } };`,
      'src/format.ts': price,
    },
    moved: { 'src/format.ts': 'src/text/format.ts' },
    test: `import { formatPrice } from '~/format';\n${use}`,
    mended: `import { formatPrice } from '~/text/format';\n${use}`,
  },
  {
    title: 'writes a relative path when the new place is outside of the alias',
    files: {
      'tsconfig.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
      'src/format.ts': price,
    },
    moved: { 'src/format.ts': 'shared/format.ts' },
    test: `import { formatPrice } from '@/format';\n${use}`,
    mended: `import { formatPrice } from '../shared/format';\n${use}`,
  },
  {
    title: "keeps the package's own # imports",
    files: {
      'package.json': '{ "name": "shop", "type": "module", "imports": { "#src/*": "./src/*.ts" } }',
      'src/format.ts': price,
    },
    moved: { 'src/format.ts': 'src/text/format.ts' },
    test: `import { formatPrice } from '#src/format';\n${use}`,
    mended: `import { formatPrice } from '#src/text/format';\n${use}`,
  },
  {
    title: 'rewrites every place that names the module',
    ...movedFormat,
    test: `import { formatPrice } from '../src/format';
import type * as Types from '../src/format';
vi.mock('../src/format', async (importOriginal) => ({ ...(await importOriginal<typeof import('../src/format')>()) }));
vi.doMock("../src/format");
const real = await vi.importActual('../src/format');
const later = () => import(\`../src/format\`);
const old = require('../src/format');
const url = new URL('../src/format.ts', import.meta.url);
// import from '../src/format' is only told here
${use}`,
    mended: `import { formatPrice } from '../src/text/format';
import type * as Types from '../src/text/format';
vi.mock('../src/text/format', async (importOriginal) => ({ ...(await importOriginal<typeof import('../src/text/format')>()) }));
vi.doMock("../src/text/format");
const real = await vi.importActual('../src/text/format');
const later = () => import(\`../src/text/format\`);
const old = require('../src/text/format');
const url = new URL('../src/text/format.ts', import.meta.url);
// import from '../src/format' is only told here
${use}`,
    check: (fix) => assert.equal(fix.grade, 'conservative'),
  },
  {
    title: 'rewrites a mock whose module moved while the test imports something else',
    files: { 'src/api.ts': price, 'src/cart.ts': `import './api';\nexport const cart = 1;\n` },
    moved: { 'src/api.ts': 'src/net/api.ts' },
    written: { 'src/cart.ts': `import './net/api';\nexport const cart = 1;\n` },
    test: `import { cart } from '../src/cart';\nvi.mock('../src/api');\nit('x', () => expect(cart).toBe(1));\n`,
    mended: `import { cart } from '../src/cart';\nvi.mock('../src/net/api');\nit('x', () => expect(cart).toBe(1));\n`,
  },
  {
    title: 'mends the relative imports of a test file that moved itself',
    files: { 'src/format.ts': price },
    moved: { 'test/a.test.ts': 'test/unit/deep/a.test.ts' },
    test: `import { formatPrice } from '../src/format';\n${use}`,
    mended: `import { formatPrice } from '../../../src/format';\n${use}`,
  },
  {
    title: 'mends a test and a module that both moved',
    files: { 'src/format.ts': price },
    moved: { 'test/a.test.ts': 'test/unit/a.test.ts', 'src/format.ts': 'src/text/format.ts' },
    test: `import { formatPrice } from '../src/format';\n${use}`,
    mended: `import { formatPrice } from '../../src/text/format';\n${use}`,
  },
  {
    title: 'keeps a query behind the path',
    files: { 'src/format.ts': price },
    moved: { 'src/format.ts': 'src/text/format.ts' },
    test: `import source from '../src/format?raw';\nit('x', () => expect(source).toBeTruthy());\n`,
    mended: `import source from '../src/text/format?raw';\nit('x', () => expect(source).toBeTruthy());\n`,
  },
  {
    title: 'follows a side-effect import to the one new file of its name',
    files: { 'src/polyfill.ts': 'globalThis.a = 1;\n' },
    deleted: ['src/polyfill.ts'],
    written: { 'src/setup/polyfill.ts': 'Object.assign(globalThis, { a: 1, b: 2, c: 3 });\n' },
    test: `import '../src/polyfill';\nit('x', () => expect(a).toBe(1));\n`,
    mended: `import '../src/setup/polyfill';\nit('x', () => expect(a).toBe(1));\n`,
  },
  {
    title: 'refuses a module that is gone',
    files: { 'src/format.ts': price },
    deleted: ['src/format.ts'],
    test: `import { formatPrice } from '../src/format';\n${use}`,
    refused: /no longer exported by src\/format\.ts/,
  },
  {
    title: 'leaves a missing package alone',
    files: { 'src/format.ts': price },
    moved: { 'src/format.ts': 'src/text.ts' },
    test: `import chalk from 'chalk';\n${use}`,
  },
];

describe('the import fixer on moved modules', () => {
  for (const situation of modules) itMends(situation);
});
