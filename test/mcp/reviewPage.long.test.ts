// The review of fixes in a chat: the page in real Chromium, behind the bridge of the extension's own library, with a server of ours behind that.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { missingForWorkbench, startBrowser, type StartedBrowser } from '../host/vscodeServer.ts';
import { pagesCapability, showToolPage, type ShownPage } from '../support/chatWithPages.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { hardToRead } from '../ui/looks.ts';
import { McpTestClient } from './mcpClient.ts';

const head = `const { test } = require('node:test');\nconst assert = require('node:assert');\n`;
const cart = (name: string): string =>
  `module.exports = { ${name}: (lines) => lines.reduce((sum, line) => sum + line, 0) };\n`;
const till = (name: string, word: string): string =>
  `const { ${name} } = require('./cart.js');
module.exports = { pay: (lines) => '${word} ' + ${name}(lines), owe: (lines) => '${word} back ' + ${name}(lines) };\n`;

describe('the review of fixes in a chat', function () {
  this.timeout(120_000);
  let shop: TemporaryWorkspace;
  let client: McpTestClient;
  let browser: StartedBrowser;
  let shown: ShownPage;
  let cycleId: string;
  const inFile = (file: string): Promise<string> => readFile(path.join(shop.root, file), 'utf8');
  const press = (name: string): Promise<void> =>
    shown.frame.getByRole('button', { name, exact: true }).click();

  before(async function () {
    const missing = missingForWorkbench();
    if (missing !== undefined && process.env['CI'] !== 'true') {
      console.log(`skipped: ${missing}`);
      this.skip();
    }
    browser = await startBrowser();
    shop = await temporaryWorkspace(
      {
        'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
        'src/cart.js': cart('sumOf'),
        'src/till.js': till('sumOf', 'Pay'),
        'test/cart.test.js': `${head}const { sumOf } = require('../src/cart.js');
test('adds', () => assert.strictEqual(sumOf([1, 2]), 3));
`,
        'test/till.test.js': `${head}const { pay, owe } = require('../src/till.js');
test('asks to pay', () => assert.strictEqual(pay([4]), 'Pay 4'));
test('pays back', () => assert.strictEqual(owe([4]), 'Pay back 4'));
`,
      },
      { git: true },
    );
    await shop.write('src/cart.js', cart('totalOf'));
    await shop.write('src/till.js', till('totalOf', 'Please pay'));
    client = await McpTestClient.connect(shop.root, { capabilities: pagesCapability });
  });
  after(async () => {
    await client?.close();
    await browser?.browser.close();
    await shop?.dispose();
  });

  it('shows the fixes of a cycle, and has not written any', async () => {
    const page = await browser.context.newPage();
    shown = await showToolPage(page, client, { name: 'propose_fixes', arguments: {} });
    ({ cycleId } = z.object({ cycleId: z.string() }).parse(shown.answer));
    await shown.frame.locator('h1', { hasText: '3 fixes to decide' }).waitFor();
    assert.match((await shown.frame.locator('.diff').allTextContents()).join('\n'), /\+.*'Please pay 4'/);
    assert.match(await inFile('test/cart.test.js'), /sumOf/);
    // What a chat cannot do is not offered.
    const texts = await shown.frame.locator('button:visible').allInnerTexts();
    for (const absent of ['Open diff', 'Run again', 'Show log']) assert.ok(!texts.includes(absent), absent);
    assert.ok((shown.heights.at(-1) ?? 0) > 300, 'it asks for the height that it needs');
  });

  it('is easy to read in both themes', async () => {
    for (const theme of ['light', 'dark'] as const) {
      await shown.wear(theme);
      await shown.frame.locator(`body.vscode-${theme}`).waitFor();
      assert.deepEqual(await hardToRead(shown.frame), []);
    }
  });

  it('writes what the person applies, and tells what its tests do on disk', async () => {
    await shown.frame.getByRole('button', { name: 'Apply all mechanical (1)' }).click();
    await shown.frame.locator('.applied', { hasText: 'its test passes' }).waitFor({ timeout: 60_000 });
    assert.match(await inFile('test/cart.test.js'), /totalOf\(\[1, 2\]\)/);
    assert.match(shown.toldModel.at(-1) ?? '', /: applied; it is in its files$/m);
  });

  it('takes the person for the one who agrees to another expectation, and nobody else', async () => {
    await press("Accept: expect 'Please pay 4' (was 'Pay 4')");
    await shown.frame.locator('.applied', { hasText: '2 fixes applied' }).waitFor({ timeout: 60_000 });
    assert.match(await inFile('test/till.test.js'), /'Please pay 4'/);
    assert.match(await inFile('test/till.test.js'), /'Pay back 4'/);
  });

  it('tells the model what the person turns down', async () => {
    await press("It's a bug: expect 'Please pay back 4' (was 'Pay back 4')");
    await shown.frame.locator('.applied', { hasText: '1 recorded as a bug' }).waitFor();
    assert.match(shown.toldModel.at(-1) ?? '', /: not applied: the test is right, and the source is wrong$/m);
    assert.match(await inFile('test/till.test.js'), /'Pay back 4'/);
  });

  it('finds in its files what was applied when it is opened again', async () => {
    const { tools } = await client.client.listTools();
    assert.ok(tools.some(({ name }) => name === 'get_review'));
    await shop.write('test/till.test.js', `// changed\n${await inFile('test/till.test.js')}`);
    const { data } = await client.call('get_review', { cycleId });
    assert.deepEqual(new Set(Object.values(data.became)), new Set(['applied', 'stale']));
  });

  it('loads nothing, and breaks no policy', () => {
    assert.deepEqual(shown.complaints, []);
    assert.deepEqual(browser.external, []);
  });

  it('keeps its tools from clients that show no pages, and from their models', async () => {
    const plain = await McpTestClient.connect(shop.root);
    const names = (await plain.client.listTools()).tools.map(({ name }) => name);
    assert.ok(!names.includes('get_review') && !names.includes('accept_fixes'));
    const before = await inFile('test/till.test.js');
    const refused = await plain.call('accept_fixes', { cycleId, fixIds: ['0123456789ab'] });
    assert.ok(refused.isError);
    assert.match(refused.text, /apply_fix/);
    assert.equal(await inFile('test/till.test.js'), before);
    await plain.close();
  });
});
