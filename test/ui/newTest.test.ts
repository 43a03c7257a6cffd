// A workspace without tests in the real workbench: the Testing view offers a first one, which runs, and is there when it is saved.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { installed } from './installed.ts';
import { until, type Workbench } from './workbench.ts';

describe('a first test in the workbench', function () {
  let workbench: Workbench;
  let shop: TemporaryWorkspace;

  const opened = installed(() =>
    temporaryWorkspace({
      'package.json': '{ "name": "shop", "main": "src/price.js" }',
      'src/price.js': 'exports.total = (items, rate) => items.length * rate;\n',
      'src/stock.js': 'exports.stock = () => 3;\n',
    }),
  );
  before(() => ({ workbench, workspace: shop } = opened()));

  it('is offered at the end of a fix cycle that found no tests', async () => {
    await workbench.command('Testmend: Fix Failing Tests');
    await workbench.notification('there are no tests here yet.');
    await workbench.screenshot('new-test-after-cycle');
    await workbench.command('Notifications: Clear All Notifications');
    await workbench.command('View: Close All Editors');
  });

  it('is offered by the empty Testing view', async () => {
    await workbench.page
      .locator('.activitybar')
      .getByRole('tab', { name: /Testing/ })
      .click();
    const button = workbench.page
      .locator('.test-explorer, .pane-body')
      .getByRole('button', { name: 'New Test...' });
    await button.first().waitFor();
    await workbench.screenshot('new-test-offered');
    await button.first().click();
    await workbench.page.locator('.tab.active[aria-label^="price.test.js"]').waitFor();
    await workbench.notification('src/price.test.js (node:test) runs: 1 passed, 1 to do');
    await workbench.screenshot('new-test');
  });

  it('is shown as a new file, and nothing is written until it is saved', async () => {
    assert.match(
      await workbench.page.locator('.editor-instance .view-lines').first().innerText(),
      /it\.todo/,
    );
    const place = path.join(shop.root, 'src/price.test.js');
    assert.ok(!existsSync(place));
    await workbench.page.locator('.notifications-center .monaco-button', { hasText: 'Save' }).first().click();
    await until('it is saved', async () => existsSync(place));
    await workbench.page.locator('.tab.active[aria-label^="price.test.js"]').waitFor();
    await workbench.expand('node:test');
    await until('it is listed', async () =>
      (await workbench.drawTree()).some((row) => row.includes('price.test.js')),
    );
    await workbench.screenshot('new-test-saved');
  });

  it('is made for the file in the editor, and not where there is one', async () => {
    await workbench.openFile('price.js');
    await workbench.command('Testmend: New Test for This File...');
    await workbench.notification('src/price.test.js already exists.');
    await workbench.openFile('stock.js');
    await workbench.command('Testmend: New Test for This File...');
    await workbench.notification('src/stock.test.js (node:test) runs: 1 passed, 1 to do');
    await workbench.screenshot('new-test-for-file');
  });
});
