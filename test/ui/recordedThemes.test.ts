// A recorded cycle of a layer with its coverage, in every theme: the words of the command line, and nothing that is hard to read.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { z } from 'zod';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { installed } from './installed.ts';
import type { Workbench } from './workbench.ts';

/** By their setting, with the class that the workbench wears in them. */
const themes = {
  'Default Dark Modern': 'vs-dark',
  'Default Light Modern': 'vs',
  'Default High Contrast': 'hc-black',
  'Default High Contrast Light': 'hc-light',
};
const head = "import { expect, test } from 'vitest';\n";
const source = (word: string, name: string): string =>
  `export const greet = (name) => \`${word}, \${name}\`;\nexport const ${name} = (n) => {\n  if (n > 100) {\n    return n - 10;\n  }\n  return n;\n};\nexport const stock = (item) => ${word === 'Hi' ? '3' : 'stores[item].count'};\n`;

describe('a recorded cycle with coverage', function () {
  let shop: TemporaryWorkspace;
  let workbench: Workbench;
  let panel: Frame;
  let said: string;
  const opened = installed(async () => {
    const made = await temporaryWorkspace(
      {
        'package.json': '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "*" } }',
        'src/shop.js': source('Hi', 'net'),
        'test/unit/shop.test.js': `${head}import { greet, stock } from '../../src/shop.js';\n\ntest('greets', () => {\n  expect(greet('Ada')).toBe('Hi, Ada');\n});\ntest('counts nuts', () => {\n  expect(stock('nuts')).toBe(3);\n});\n`,
        'test/unit/net.test.js': `${head}import { net } from '../../src/shop.js';\n\ntest('keeps small sums', () => {\n  expect(net(50)).toBe(50);\n});\n`,
        'test/e2e/shop.test.js': `${head}test('opens', () => expect(1).toBe(1));\n`,
      },
      { git: true, vitest: true, packages: ['@vitest/coverage-v8'] },
    );
    await made.write('src/shop.js', source('Hello', 'total'));
    return made;
  });
  before(async () => {
    ({ workspace: shop, workbench } = opened());
    const events = `ndjson=${path.join(shop.root, 'fix.ndjson')}`;
    const args = ['fix', '--preset', 'qa', '--layer', 'L1', '--dry-run', '--events', events];
    said = (await testmend(args, { cwd: shop.root, limitMs: 300_000 })).stdout;
  });

  it('tells the layer and the line coverage as the command line does', async () => {
    await workbench.chooseInExplorer('fix.ndjson', 'Open a Recorded Fix Cycle');
    panel = await workbench.webview('main.recorded .coverage');
    const [words = 'none'] = /Line coverage .*/.exec(said) ?? [];
    assert.match(words, /^Line coverage \d+\.\d %, (below the )?target of L1: 80 %$/);
    assert.equal(await panel.locator('.coverage').innerText(), words);
    assert.match(await panel.locator('header .folder').innerText(), / · preset qa · layer L1 only$/);
    await panel.getByRole('slider').focus();
    await workbench.page.keyboard.press('Home');
    await panel.locator('.coverage').waitFor({ state: 'hidden' });
    await workbench.page.keyboard.press('End');
    await panel.locator('.coverage').waitFor();
  });

  it('can be read in every theme', async () => {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    for (const [theme, worn] of Object.entries(themes)) {
      await shop.write('.vscode/settings.json', JSON.stringify({ 'workbench.colorTheme': theme }));
      await workbench.page.locator(`.monaco-workbench.${worn}`).waitFor();
      await panel.evaluate(axe);
      const found = await panel.evaluate(
        `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) =>
          [impact, id, ...nodes.slice(0, 5).map(({ html, any }) => html.slice(0, 160) + ' ' + (any[0]?.message ?? ''))].join(' ')))`,
      );
      const bad = z
        .array(z.string())
        .parse(found)
        .filter((each) => /^(serious|critical)/.test(each));
      assert.deepEqual(bad, [], theme);
      await panel.getByRole('slider').focus();
      for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight'])
        await workbench.page.keyboard.press(key);
      await workbench.screenshot(`r7-recording-${worn}-amid`);
      await workbench.page.keyboard.press('End');
      await panel.locator('.coverage').waitFor();
      await workbench.screenshot(`r7-recording-${worn}`);
      await panel.locator('section.remaining').scrollIntoViewIfNeeded();
      await workbench.page.waitForTimeout(300);
      await workbench.screenshot(`r8-recording-${worn}-below`);
      await panel.evaluate(() => window.scrollTo(0, 0));
    }
  });
});
