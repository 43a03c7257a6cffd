// The files and tests that we list against those that Playwright itself lists.
import assert from 'node:assert/strict';
import path from 'node:path';
import { discoverWorkspace, runnerTests, type Configured } from './playwrightSubjects.ts';
import { detectProjects } from '../../../../src/core/frameworks/detect.ts';
import { playwright } from '../../../../src/core/frameworks/playwright/playwright.ts';
import { playwrightVocabulary } from '../../../../src/core/frameworks/playwright/vocabulary.ts';
import { scanTests } from '../../../../src/core/syntax/javascript/scanTests.ts';
import { drawTests } from '../../../support/drawTests.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const head = "import { test, expect } from '@playwright/test';\n";
const files = {
  'a.spec.ts': `${head}test('root', () => {});\n`,
  'e2e/b.test.mts': `${head}test('b', () => {});\n`,
  'e2e/C.SPEC.js': `const { test } = require('@playwright/test');\ntest('c', () => {});\n`,
  'e2e/auth.setup.ts': `${head}test('signs in', () => {});\n`,
  'e2e/deep/d.spec.tsx': `${head}test('d', () => {});\n`,
  'e2e/deep/e.e2e.ts': `${head}test('e', () => {});\n`,
  'e2e/helper.ts': 'export {};\n',
};

const configured: readonly Configured[] = [
  { name: 'none but an empty one', text: 'export default {};\n' },
  { name: 'a folder', text: "export default { testDir: './e2e' };\n" },
  {
    name: 'patterns',
    text: "module.exports = { testMatch: ['deep/*.e2e.ts', /[ab]\\.(spec|test)\\.m?ts$/], testIgnore: '**/a.*' };\n",
    file: 'playwright.config.js',
  },
  {
    name: 'projects',
    text: `import { defineConfig, devices } from '@playwright/test';
const shared = { testIgnore: /deep/ };
export default defineConfig({
  testDir: 'e2e',
  workers: process.env.CI ? 1 : undefined,
  projects: [
    { name: 'setup', testMatch: /.*\\.setup\\.ts/ },
    { name: 'chromium', use: { ...devices['Desktop Chrome'] }, dependencies: ['setup'] },
    { name: 'mobile, deep', ...shared, testDir: '.', testMatch: 'b.*' },
  ],
});
`,
  },
  {
    name: 'a merge with another file',
    text: "import { defineConfig } from '@playwright/test';\nimport base from './base';\nexport default defineConfig(base, { testMatch: /setup/ });\n",
    more: { 'base.ts': "export default { testDir: 'e2e' };\n" },
  },
];

describe('the files of Playwright', function () {
  this.timeout(300_000);
  for (const each of configured)
    it(`are those of Playwright itself: ${each.name}`, async () => {
      const { listed, own } = await discoverWorkspace(files, each);
      assert.ok(own.length > 0);
      assert.deepEqual(listed, own);
    });

  it('are those of the projects that the script names, with a note where projects are computed', async () => {
    const config = (projects: string): string => `export default { projects: ${projects} };\n`;
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "scripts": { "test": "playwright test -c web/pw.ts --project=one" } }',
        'web/pw.ts': config("[{ name: 'one' }, { name: 'two' }]"),
        'web/a.spec.ts': files['a.spec.ts'],
        'other/playwright.config.ts': config('browsers.map((name) => ({ name }))'),
        'other/a.spec.ts': files['a.spec.ts'],
      },
      { packages: ['@playwright'] },
    );
    try {
      const { projects } = await detectProjects(workspace.root);
      const notes: string[] = [];
      const lists = await Promise.all(
        projects.map((project) =>
          playwright.listTestFiles(project, undefined, { note: (text) => notes.push(text) }),
        ),
      );
      const drawn = lists.flat().map(({ file, project }) => [path.relative(workspace.root, file), project]);
      assert.deepEqual(drawn, [
        ['web/a.spec.ts', 'one'],
        ['other/a.spec.ts', undefined],
      ]);
      assert.equal(notes.length, 1);
      assert.match(notes.join(), /^playwright\.config\.ts computes projects: /);
    } finally {
      await workspace.dispose();
    }
  });
});

const everyForm = `import { test as base, expect } from '@playwright/test';
export const test = base.extend<{ name: string }>({ name: async ({}, use) => use('x') });
test.use({ viewport: null });
test.beforeEach('title', async () => {});
test.describe.configure({ mode: 'parallel' });
test.skip(({ browserName }) => browserName === 'webkit', 'not there');
test.fixme(process.env.NEVER === '1', 'broken');
test('plain', async ({ name }) => { await test.step('no test', () => {}); });
test('with details', { tag: ['@fast'] }, async () => {});
test.skip('skipped', () => {});
test.fixme('to be fixed', () => {});
test.fail('fails', () => { throw new Error(); });
test.describe('suite', () => {
  test.skip(false, 'never');
  test.slow();
  test('inside', () => {});
  test.describe.serial('serial', () => { test('one', () => {}); });
  test.describe(() => { test('in a suite without title', () => {}); });
});
test.describe.skip('skipped suite', () => { test('two', () => {}); });
for (const n of [1, 2]) test(\`case \${n}\`, () => {});
const { describe } = test;
describe('taken out', () => { test('three', () => {}); });
`;

describe('the tests of Playwright', function () {
  this.timeout(300_000);

  it('are read in every form', async () => {
    const { tests, warnings } = await playwright.scan('/a.spec.ts', everyForm);
    assert.deepEqual(warnings, []);
    assert.deepEqual(drawTests(tests), [
      'test plain [8:1-8:77]',
      'test with details [9:1-9:57]',
      'test skipped [10:1-10:31] skip',
      'test to be fixed [11:1-11:36] skip',
      'test fails [12:1-12:49]',
      'suite suite [13:1-19:3]',
      '  test inside [16:3-16:27]',
      '  suite serial [17:3-17:67]',
      '    test one [17:42-17:63]',
      '  test in a suite without title [18:25-18:67]',
      'suite skipped suite [20:1-20:70] skip',
      '  test two [20:45-20:66]',
      'template case ${n} [21:25-21:52]',
      'suite taken out [23:1-23:58]',
      '  test three [23:31-23:54]',
    ]);
    const plain = `${head}test.beforeEach(() => {});\ntest.describe('s', () => {\n  test.use({});\n  test('a', () => {});\n});\n`;
    const { tests: parsed } = await playwright.scan('/a.spec.ts', plain, { thorough: true });
    assert.deepEqual(scanTests(plain, playwrightVocabulary), parsed, 'common files need no full parse');
  });

  it('are those that Playwright lists, at their lines', async () => {
    const workspace = await temporaryWorkspace(
      { 'playwright.config.ts': 'export default {};\n', 'a.spec.ts': everyForm },
      { packages: ['@playwright'] },
    );
    try {
      const own = runnerTests(workspace.root).map(({ title, line }) => `${line} ${title}`);
      const { tests } = await playwright.scan('a.spec.ts', everyForm);
      const leaves = (nodes: typeof tests): typeof tests =>
        nodes.flatMap((node) => (node.children.length > 0 ? leaves(node.children) : [node]));
      const ours = leaves(tests).flatMap(({ kind, title, range }) =>
        (kind === 'template' ? [1, 2] : ['']).map(
          (n) => `${range.start.line} ${title.replace('${n}', String(n))}`,
        ),
      );
      assert.deepEqual(ours.sort(), own.sort());
    } finally {
      await workspace.dispose();
    }
  });
});
