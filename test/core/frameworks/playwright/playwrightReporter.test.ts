// What our host tells of a real Playwright Test: most of it without a browser, one test with Chromium.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { drawn, resultOf, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const chromium = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const head = "import { test, expect } from '@playwright/test';\n";
const config = (text: string): string =>
  `import { defineConfig } from '@playwright/test';\nexport default defineConfig({ ${text} });\n`;

const everything = `${head}
test('passes', () => { console.log('printed'); });
test('fails', () => { expect(1 + 1, 'a sum').toBe(3); });
test('softly', () => { expect.soft(1).toBe(2); expect.soft('a').toBe('b'); });
test('knows no secret', () => {
  expect(Object.keys(process.env).filter((name) => /^TESTMEND_(?!RUN)/.test(name))).toEqual([]);
});
test.skip('skipped', () => {});
test('skips itself', () => { test.skip(true, 'why not'); });
test.fixme('to be fixed', () => {});
test.fail('fails as expected', () => { throw new Error(); });
test.fail('passes unexpectedly', () => {});
test.describe(() => {
  test.describe.configure({ retries: 1 });
  test('flaky', ({}, info) => { expect(info.retry).toBe(1); });
});
test('slow', async () => { test.setTimeout(50); await new Promise(() => {}); });
test('crashes', () => { process.exit(0); });
test('attaches', async ({}, info) => { await info.attach('note', { body: 'x', contentType: 'text/plain' }); throw new TypeError('boom'); });
test.describe.serial('in a row', () => {
  test('one', () => {});
  test('two', () => { throw new Error('two broke'); });
  test('three', () => {});
});
test.describe('hook', () => {
  test.beforeAll(() => { throw new Error('hook broke'); });
  test('behind', () => {});
  test('also behind', () => {});
});
for (const n of [1, 2]) test(\`case \${n}\`, () => {});
`;

describe('the Playwright reporter', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace | undefined;
  const open = async (files: Readonly<Record<string, string>>): Promise<string> => {
    workspace = await temporaryWorkspace({ 'package.json': '{}', ...files }, { packages: ['@playwright'] });
    return workspace.root;
  };
  afterEach(() => workspace?.dispose());

  it('tells what becomes of each test', async () => {
    const root = await open({
      'playwright.config.ts': config("maxFailures: 1, reporter: 'html', projects: [{ name: 'api' }]"),
      'a.spec.ts': everything,
    });
    const { summary, events } = await runWorkspace(root);
    const id = (title: string): string => `playwright/api:a.spec.ts#${title}`;
    assert.deepEqual(drawn(summary.tests), [
      `passed ${id('passes')}`,
      `failed ${id('fails')}`,
      `failed ${id('softly')}`,
      `passed ${id('knows no secret')}`,
      `skipped ${id('skipped')}`,
      `skipped ${id('skips itself')}`,
      `skipped ${id('to be fixed')}`,
      `passed ${id('fails as expected')}`,
      `failed ${id('passes unexpectedly')}`,
      `passed ${id('flaky')}`,
      `failed ${id('slow')}`,
      `failed ${id('crashes')}`,
      `failed ${id('attaches')}`,
      `passed ${id('in a row › one')}`,
      `failed ${id('in a row › two')}`,
      `errored ${id('in a row › three')}`,
      `failed ${id('hook › behind')}`,
      `errored ${id('hook › also behind')}`,
      `passed ${id('case ${n}::1')}`,
      `passed ${id('case ${n}::2')}`,
    ]);
    const failure = (title: string) => resultOf(summary, id(title)).failure;
    const { expected, actual, kind, location } = failure('fails') ?? {};
    assert.deepEqual([expected, actual, kind, location?.line], ['3', '2', 'assertion', 4]);
    assert.match(failure('fails')?.message ?? '', /^a sum\n\nexpect\(received\)\.toBe\(expected\)/);
    assert.equal(resultOf(summary, id('softly')).moreFailures?.length, 1);
    assert.equal(failure('passes unexpectedly')?.message, 'Expected to fail, but passed.');
    assert.equal(failure('slow')?.kind, 'timeout');
    assert.equal(failure('crashes')?.kind, 'crash');
    assert.equal(failure('in a row › three')?.message, 'It did not run: a test or hook before it failed.');
    assert.deepEqual(summary.notes, ['Flaky: "flaky" failed at first and passed on try 2.']);
    assert.equal(resultOf(summary, id('passes')).output, 'printed\n');
    const started = events.findIndex((event) => event.type === 'testStarted');
    assert.ok(started >= 0 && started < events.findIndex((event) => event.type === 'testEnded'));
    assert.ok(!existsSync(path.join(root, 'playwright-report')), 'the report of the user is not written');
  });

  it('runs the selected tests only, with the projects that theirs depends on', async () => {
    const root = await open({
      'playwright.config.ts': config(
        "projects: [{ name: 'setup', testMatch: /setup/ }, { name: 'api', dependencies: ['setup'] }]",
      ),
      'auth.setup.ts': `${head}test('signs in', () => { if (process.env.BREAK) throw new Error('no'); });\n`,
      'a.spec.ts': `${head}test.describe('s', () => { test('a b', () => {}); test('a', () => {}); });\ntest.skip('k', () => {});\n`,
      'aa.spec.ts': `${head}test('a', () => {});\n`,
    });
    const file = path.join(root, 'a.spec.ts');
    const only = await runWorkspace(root, { selection: { tests: [{ file, names: ['s', 'a'] }] } });
    assert.deepEqual(drawn(only.summary.tests), ['passed playwright/api:a.spec.ts#s › a']);
    const filtered = await runWorkspace(root, { selection: { filter: 'S A B' } });
    assert.deepEqual(drawn(filtered.summary.tests), ['passed playwright/api:a.spec.ts#s › a b']);
    const none = await runWorkspace(root, { selection: { filter: 'nothing like it' } });
    assert.deepEqual([none.summary.total, none.summary.passRate], [0, null]);
    assert.ok(none.summary.notes.includes('no tests ran'));

    const broken = await runWorkspace(root, { selection: { files: [file] }, env: { BREAK: '1' } });
    assert.deepEqual(drawn(broken.summary.tests), [
      'errored playwright/api:a.spec.ts#s › a b',
      'errored playwright/api:a.spec.ts#s › a',
      'skipped playwright/api:a.spec.ts#k',
      'failed playwright/setup:auth.setup.ts#signs in',
    ]);
    assert.equal(
      broken.summary.tests[0]?.failure?.message,
      'It did not run: the project "setup", which its own depends on, failed.',
    );
  });

  it('runs the other files when one does not load, and names what keeps everything from running', async () => {
    const files = {
      'playwright.config.ts': config("projects: [{ name: 'api' }]"),
      'a.spec.ts': `${head}test('a', () => {});\n`,
      'lost.spec.ts': `${head}import { gone } from './gone';\ntest('x', () => { gone(); });\n`,
      'throws.spec.ts': `${head}import { f } from './helper';\ntest('x', () => { f(); });\n`,
      'helper.ts': "export const f = (): void => {};\nthrow new Error('helper broke');\n",
      'syntax.spec.ts': `${head}test('x', () => { const const });\n`,
    };
    const root = await open(files);
    const { summary } = await runWorkspace(root);
    assert.deepEqual(drawn(summary.tests), [
      'passed playwright/api:a.spec.ts#a',
      'errored playwright/api:lost.spec.ts',
      'errored playwright/api:syntax.spec.ts',
      'errored playwright/api:throws.spec.ts',
    ]);
    assert.deepEqual(summary.notes, []);
    assert.deepEqual(
      summary.tests.slice(1).map(({ failure }) => failure?.message.split('\n')[0]?.replace(`${root}/`, '')),
      ["Cannot find module './gone'", "syntax.spec.ts: Unexpected keyword 'const'. (2:24)", 'helper broke'],
    );
    const one = await runWorkspace(root, { selection: { files: [path.join(root, 'lost.spec.ts')] } });
    assert.deepEqual(drawn(one.summary.tests), ['errored playwright/api:lost.spec.ts']);

    for (const [text, message] of [
      ["globalSetup: './setup'", /global set-up broke/],
      ["webServer: { command: 'exit 3', url: 'http://127.0.0.1:9' }", /webServer was not able to start/],
    ] as const) {
      await workspace?.write('playwright.config.ts', config(text));
      await workspace?.write(
        'setup.ts',
        "export default () => { throw new Error('global set-up broke'); };\n",
      );
      const stopped = await runWorkspace(root, { selection: { files: [path.join(root, 'a.spec.ts')] } });
      assert.deepEqual(drawn(stopped.summary.tests), ['errored playwright:a.spec.ts']);
      assert.match(stopped.summary.tests[0]?.failure?.message ?? '', message);
    }
    await workspace?.write('playwright.config.ts', "throw new Error('config broke');\n");
    const { summary: unread } = await runWorkspace(root);
    assert.deepEqual([unread.passed, unread.errored], [0, 1]);
    assert.match(unread.tests[0]?.failure?.message ?? '', /config broke/);
  });

  it('runs the other files when an ES module imports what is gone, and says which file that is', async () => {
    const root = await open({
      'package.json': '{ "type": "module" }',
      'playwright.config.js': 'export default {};\n',
      'src/cart.js': 'export const totalOf = () => 0;\n',
      'a.spec.js': `${head}import { totalOf } from './src/cart.js';\ntest('a', () => { expect(totalOf()).toBe(0); });\n`,
      'name.spec.js': `${head}import { sumOf } from './src/cart.js';\ntest('x', () => { sumOf(); });\n`,
      'file.spec.js': `${head}import { sumOf } from './src/basket.js';\ntest('x', () => { sumOf(); });\n`,
    });
    const { summary } = await runWorkspace(root);
    assert.deepEqual(drawn(summary.tests), [
      'passed playwright:a.spec.js#a',
      'errored playwright:file.spec.js',
      'errored playwright:name.spec.js',
    ]);
    const [, file, name] = summary.tests.map(({ failure }) => failure);
    assert.match(file?.message ?? '', /^Cannot find module .*basket\.js/);
    assert.match(name?.message ?? '', /does not provide an export named 'sumOf'/);
    assert.deepEqual(summary.notes, []);
  });

  it('writes over stored snapshots only when asked for, and stores none when told so', async () => {
    const snapshot = 'a.spec.ts-snapshots/a.txt';
    const root = await open({
      'playwright.config.ts': config("snapshotPathTemplate: '{testFilePath}-snapshots/{arg}{ext}'"),
      'a.spec.ts': `${head}test('a', () => { expect(process.env.TEXT).toMatchSnapshot('a.txt'); });\n`,
    });
    const outcome = async (
      TEXT: string,
      updateSnapshots?: boolean,
    ): Promise<readonly (string | undefined)[]> => {
      const selection = updateSnapshots === undefined ? {} : { updateSnapshots };
      const { summary } = await runWorkspace(root, { selection, env: { TEXT } });
      const stored = existsSync(path.join(root, snapshot)) ? await workspace?.read(snapshot) : undefined;
      return [summary.tests[0]?.outcome, stored];
    };
    assert.deepEqual(await outcome('one', false), ['failed', undefined]);
    await workspace?.write(snapshot, 'one');
    assert.deepEqual(await outcome('two'), ['failed', 'one']);
    assert.deepEqual(await outcome('two', true), ['passed', 'two']);
  });

  it('runs a page in a real browser, and says what to do where there is none', async function () {
    if (!existsSync(chromium)) {
      if (process.env['CI'] === 'true') throw new Error(`no Chromium at ${chromium}`);
      return this.skip();
    }
    const page = `${head}test('page', async ({ page }) => {
  await page.setContent('<h1>Shop</h1>');
  await expect(page.locator('h1')).toHaveText('Shop', { timeout: 5000 });
  await page.screenshot();
  expect(await page.locator('h1').textContent()).toBe('Store');
});\n`;
    const use = (executablePath: string): string =>
      `use: { screenshot: 'on', launchOptions: { executablePath: '${executablePath}', args: ['--no-sandbox'] } }`;
    const root = await open({ 'playwright.config.ts': config(use(chromium)), 'a.spec.ts': page });
    const { summary } = await runWorkspace(root);
    const [result] = summary.tests;
    assert.deepEqual(
      [result?.outcome, result?.failure?.expected, result?.failure?.actual],
      ['failed', '"Store"', '"Shop"'],
    );
    assert.match(result?.output ?? '', /^screenshot: \/.*test-failed-1\.png$/m);

    await workspace?.write('playwright.config.ts', config(''));
    const bare = await runWorkspace(root, { env: { PLAYWRIGHT_BROWSERS_PATH: path.join(root, 'none') } });
    const message = bare.summary.tests[0]?.failure?.message ?? '';
    assert.match(message, /Executable doesn't exist at .*\nLooks like[^]*\n *npx playwright install$/);
  });
});
