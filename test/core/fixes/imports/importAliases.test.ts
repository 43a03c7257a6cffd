// A table of the ways in which projects name their modules: a moved module is written as the file, then the project, writes it.
import { itMends, priceFunction } from './importSituation.ts';

interface Way {
  readonly title: string;
  readonly config: Readonly<Record<string, string>>;
  /** As the test names the module, before and after. */
  readonly written: string;
  readonly mended: string;
  /** Where the module was and is; a file in `src`, and one in a folder beneath. */
  readonly from?: string;
  readonly to?: string;
  /** What else the test imports. */
  readonly beside?: string;
}

const shop = '{ "name": "shop" }';
const baseUrl = '{ "compilerOptions": { "baseUrl": "." } }';
const ways: readonly Way[] = [
  {
    title: 'by a mapper in the settings of jest',
    config: {
      'package.json': `{ "name": "shop", "jest": { "moduleNameMapper": { "^@/(.*)$": "<rootDir>/src/$1" } } }`,
      'tsconfig.json': '{}',
    },
    written: '@/format',
    mended: '@/text/format',
  },
  {
    title: 'by a mapper in the configuration file of jest, whose root is a folder',
    config: {
      'package.json': shop,
      'jest.config.js': `const config = { rootDir: 'src', moduleNameMapper: { '^~(.*)$': ['<rootDir>/nowhere/$1', '<rootDir>/$1'] } };\nmodule.exports = config;\n`,
    },
    written: '~format',
    mended: '~text/format',
  },
  {
    title: 'by folders of bare names in jest',
    config: {
      'package.json':
        '{ "name": "shop", "devDependencies": { "jest": "*" }, "jest": { "modulePaths": ["<rootDir>/src"] } }',
    },
    written: 'format',
    mended: 'text/format',
  },
  {
    title: 'by the base of tsconfig, when it was so before',
    config: { 'package.json': shop, 'tsconfig.json': baseUrl },
    written: 'src/format',
    mended: 'src/text/format',
  },
  {
    title: 'relatively, when it was so before, whatever the base is',
    config: { 'package.json': shop, 'tsconfig.json': baseUrl },
    written: '../src/format',
    mended: '../src/text/format',
  },
  {
    title:
      'relatively, when the new place is outside of the alias, and never by a base that only the compiler knows',
    config: {
      'package.json': shop,
      'tsconfig.json': baseUrl,
      'vite.config.ts': `import path from 'node:path';\nexport default { resolve: { alias: { '@lib': path.resolve(__dirname, 'src/lib') } } };\n`,
    },
    from: 'src/lib/format.ts',
    written: '@lib/format',
    mended: '../src/text/format',
  },
  {
    title: 'relatively, when only another tool knows an alias of the new place',
    config: {
      'package.json': `{ "name": "shop", "jest": { "moduleNameMapper": { "^@lib/(.*)$": "<rootDir>/src/lib/$1" } } }`,
      'tsconfig.json': `{ "compilerOptions": { "baseUrl": ".", "paths": { "@text/*": ["src/text/*"] } } }`,
    },
    from: 'src/lib/format.ts',
    written: '@lib/format',
    mended: '../src/text/format',
  },
  {
    title: 'by another alias that the same settings have',
    config: {
      'package.json': shop,
      'tsconfig.json': `{ "compilerOptions": { "paths": { "@lib/*": ["./src/lib/*"], "@/*": ["./src/*"] } } }`,
    },
    from: 'src/lib/format.ts',
    written: '@lib/format',
    mended: '@/text/format',
  },
  {
    title: 'by an alias of one module, relatively in the way of its other imports',
    config: {
      'package.json': shop,
      'src/other.ts': 'export const other = 1;\n',
      'vite.config.ts': `import path from 'node:path';\nexport default { resolve: { alias: { fmt: path.resolve(__dirname, 'src/format.ts') } } };\n`,
    },
    beside: `import { other } from '../src/other.js';\n`,
    written: 'fmt',
    mended: '../src/text/format.js',
  },
  {
    title: 'by an alias of the tests alone',
    config: {
      'package.json': shop,
      'tsconfig.json': '{}',
      'tsconfig.test.json': '{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }',
    },
    written: '@/format',
    mended: '@/text/format',
  },
  {
    title: 'by imports of package.json with an extension of their own',
    config: { 'package.json': '{ "name": "shop", "imports": { "#lib/*.js": "./src/*.ts" } }' },
    written: '#lib/format.js',
    mended: '#lib/text/format.js',
  },
  {
    title: 'by the exports of the package itself',
    config: {
      'package.json':
        '{ "name": "shop", "exports": { "./format": "./src/format.ts", "./text/*": "./src/text/*.ts" } }',
    },
    written: 'shop/format',
    mended: 'shop/text/format',
  },
  {
    title: 'relatively with its extension, and by its folder',
    config: { 'package.json': shop },
    to: 'src/text/index.ts',
    written: '../src/format.js',
    mended: '../src/text/index.js',
  },
  {
    title: 'relatively by its folder, where it had no extension',
    config: { 'package.json': shop },
    to: 'src/text/index.ts',
    written: '../src/format',
    mended: '../src/text',
  },
];

describe('a moved module is named', () => {
  for (const way of ways) {
    const {
      title,
      config,
      written,
      mended,
      from = 'src/format.ts',
      to = 'src/text/format.ts',
      beside = '',
    } = way;
    const test = (specifier: string): string =>
      `${beside}import { formatPrice } from '${specifier}';\nit('x', () => expect(formatPrice(5)).toBe('x'));\n`;
    itMends({
      title,
      files: { ...config, [from]: priceFunction('formatPrice') },
      moved: { [from]: to },
      test: test(written),
      mended: test(mended),
    });
  }
});
