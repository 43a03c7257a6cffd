// Configurations as people write them, a part of each computed: every literal counts, and only what is computed is named.
import assert from 'node:assert/strict';
import path from 'node:path';
import { readAvaSettings } from '../../../src/core/frameworks/ava/avaConfig.ts';
import { readJestConfig } from '../../../src/core/frameworks/jest/jestConfig.ts';
import { readMochaConfig } from '../../../src/core/frameworks/mocha/mochaConfig.ts';
import { readPlaywrightConfig } from '../../../src/core/frameworks/playwright/playwrightConfig.ts';
import { readVitestConfig } from '../../../src/core/frameworks/vitest/vitestConfig.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const elsewhere = 'what it takes in from elsewhere';
const include = `include: ['tests/**/*.ts']`;
const vite = `import { configDefaults, defineConfig, mergeConfig } from 'vitest/config';\nimport path from 'node:path';\n`;
const match = `testMatch: ['<rootDir>/tests/**/*.js']`;

/** File, text, and what cannot be read of it; the pattern with "tests" in it is known in each. */
type Row = readonly [file: string, text: string, computed?: readonly string[]];

const vitest: readonly Row[] = [
  [
    'vitest.config.ts',
    `${vite}const alias = Object.fromEntries(readdirSync('packages').map((name) => [name, name]));\nexport default defineConfig({ resolve: { alias }, test: { ${include} } });`,
  ],
  [
    'vitest.config.ts',
    `${vite}export default defineConfig({ test: { alias: aliases(), ${include}, env: process.env } });`,
  ],
  [
    'vitest.config.ts',
    `${vite}export default defineConfig(async ({ mode }) => { const env = loadEnv(mode); return { plugins: [await plugin()], test: { env, ${include} } }; });`,
  ],
  [
    'vite.config.ts',
    `${vite}export default defineConfig(({ command }) => { if (command === 'serve') return { plugins: [], test: { ${include} } }; return { build: {}, test: { ${include} } }; });`,
  ],
  [
    'vite.config.ts',
    `let config = { test: { ${include} } };\nconfig.plugins = [];\nif (process.env.CI) config.test.retry = 2;\nexport default config;`,
  ],
  [
    'vite.config.ts',
    `const config = { test: {} };\nconfig.test.include = ['tests/**/*.ts'];\nexport default config satisfies UserConfig;`,
  ],
  [
    'vitest.config.cjs',
    `const { defineConfig } = require('vitest/config');\nconst path = require('path');\nmodule.exports = defineConfig({ resolve: { alias: { '@': path.resolve(__dirname, 'src') } }, test: { ${include} } });`,
  ],
  [
    'vitest.config.ts',
    `${vite}const key = 'retry';\nexport default defineConfig({ test: { [key]: 1, ${include} } });`,
  ],
  [
    'vitest.config.ts',
    `${vite}export default defineConfig({ test: { ${include}, ...(process.env.CI ? { reporters: ['junit'] } : {}), ...(process.env.X && { retry: 1 }) } });`,
  ],
  [
    'vitest.config.ts',
    `${vite}export default defineConfig({ test: { ${include}, ...(process.env.CI ? { exclude: ['x'] } : {}) } });`,
    ['exclude'],
  ],
  [
    'vitest.config.ts',
    `${vite}export default defineConfig({ test: { include: ['tests/**/*.ts', ...(process.env.E2E ? ['e2e/**'] : [])] } });`,
    ['include'],
  ],
  [
    'vitest.config.ts',
    `${vite}export default defineConfig({ test: { include: ['tests'].map((name) => name + '/**/*.ts') } });`,
  ],
  [
    'vitest.config.ts',
    `import { base } from '@acme/base';\n${vite}export default defineConfig({ test: { ...base.test, ${include} } });`,
    [elsewhere],
  ],
  [
    'vitest.config.ts',
    `import base from './vite.config.js';\n${vite}export default defineConfig((env) => mergeConfig(base(env), { test: { ${include} } }));`,
    [elsewhere],
  ],
  [
    'vitest.config.ts',
    `import { withWorkspace } from '@acme/build';\n${vite}export default withWorkspace(defineConfig({ test: { ${include} } }));`,
    [elsewhere],
  ],
  [
    'vitest.config.ts',
    `${vite}export default defineConfig({ test: Object.assign({ ${include} }, { retry: 1 }) });`,
  ],
];

const jest: readonly Row[] = [
  ['jest.config.js', `module.exports = async () => ({ ${match}, moduleNameMapper: names() });`],
  [
    'jest.config.js',
    `const { defaults } = require('ts-jest/presets');\nmodule.exports = { ...defaults, ${match}, displayName: process.env.NAME };`,
    ['displayName'],
  ],
  [
    'jest.config.js',
    `module.exports = { ...require('@acme/jest'), ${match}, roots: ['<rootDir>', ...folders()] };`,
    [elsewhere, 'roots'],
  ],
  ['jest.config.js', `module.exports = Object.assign({}, { verbose: true }, { ${match} });`],
  ['jest.config.js', `module.exports = {};\nmodule.exports.testMatch = ['<rootDir>/tests/**/*.js'];`],
  ['jest.config.js', `exports.testMatch = ['<rootDir>/tests/**/*.js'];\nexports.globals = globals();`],
  [
    'jest.config.js',
    `const config = (module.exports = { ${match} });\nif (process.env.CI) config.ci = true;`,
  ],
  [
    'jest.config.js',
    `const createConfig = require('next/jest')({ dir: './' });\nmodule.exports = async () => { const own = await createConfig({ ${match} })(); return { ...own, moduleNameMapper: {} }; };`,
  ],
  [
    'jest.config.js',
    `module.exports = { projects: ['a', 'b'].map((name) => ({ displayName: name, ${match} })) };`,
  ],
  [
    'jest.config.js',
    `module.exports = { projects: [{ ${match} }, ...(process.env.E2E ? [{ displayName: 'e2e' }] : [])] };`,
    ['projects'],
  ],
  [
    'jest.config.js',
    `module.exports = { testRegex: /tests\\/.*\\.js$/.source, coverageThreshold: thresholds() };`,
  ],
  [
    'jest.config.js',
    `module.exports = { ${match}, moduleFileExtensions: [...defaults.moduleFileExtensions, 'ts'] };`,
    ['moduleFileExtensions'],
  ],
  ['jest.config.json', `{ "testMatch": ["<rootDir>/tests/**/*.js"], // where they are\n  "verbose": true }`],
  [
    'jest.config.ts',
    `export default async (): Promise<Config> => { await start(); return { ${match} } satisfies Config; };`,
  ],
  ['package.json', `{ "name": "shop", "jest": { "testMatch": ["<rootDir>/tests/**/*.js"] } }`],
];

const playwright: readonly Row[] = [
  [
    'playwright.config.ts',
    `import { defineConfig } from '@playwright/test';\nexport default defineConfig({ testDir: './tests', use: { baseURL: process.env.URL }, workers: process.env.CI ? 1 : undefined });`,
  ],
  [
    'playwright.config.ts',
    `export default { testDir: 'tests', projects: [{ name: 'a' }, ...(process.env.X ? [{ name: 'b' }] : [])] };`,
    ['projects'],
  ],
  [
    'playwright.config.ts',
    `import { nxE2EPreset } from '@nx/playwright/preset';\nexport default { ...nxE2EPreset(__filename, { testDir: './tests' }), timeout: 1 };`,
    [elsewhere],
  ],
];

const ava: readonly Row[] = [
  [
    'ava.config.js',
    `export default () => ({ files: ['tests/**/*.js'], environmentVariables: { NAME: process.env.NAME } });`,
  ],
  [
    'ava.config.js',
    `export default ({ projectDir }) => { const files = ['tests/**/*.js']; if (process.env.CI) return { files, serial: true }; return { files }; };`,
  ],
];

const mocha: readonly Row[] = [
  [
    '.mocharc.js',
    `module.exports = { spec: ['tests/**/*.js'], timeout: process.env.CI ? 1 : 2, require: hooks() };`,
  ],
  [
    '.mocharc.cjs',
    `const config = { spec: ['tests/**/*.js'] };\nif (process.env.CI) config.forbidOnly = true;\nmodule.exports = Object.assign({}, config);`,
  ],
];

describe('a partly known configuration', () => {
  let workspace: TemporaryWorkspace | undefined;
  afterEach(() => workspace?.dispose());

  const check = (
    rows: readonly Row[],
    read: (file: string) => Promise<{ readonly computed: readonly string[] }>,
  ): void => {
    for (const [name, text, computed = []] of rows)
      it(`${name}: ${text.replace(/^(?:import|const) .*\n/gm, '').replace(/\s+/g, ' ')}`, async () => {
        workspace = await temporaryWorkspace({ 'package.json': '{ "name": "shop" }', [name]: text });
        const settings = await read(path.join(workspace.root, name));
        assert.match(JSON.stringify(settings), /tests/);
        assert.deepEqual(settings.computed, computed);
      });
  };
  describe('of vitest', () => check(vitest, (file) => readVitestConfig(file, 3)));
  describe('of jest', () => check(jest, readJestConfig));
  describe('of Playwright', () => check(playwright, readPlaywrightConfig));
  describe('of AVA', () =>
    check(ava, (file) => readAvaSettings(path.dirname(file), file, path.dirname(file), () => undefined)));
  describe('of mocha', () =>
    check(mocha, async (file) => {
      const computed: string[] = [];
      const { lists } = await readMochaConfig(file, (name) => path.basename(name), computed);
      return { computed, patterns: lists.get('spec') };
    }));
});
