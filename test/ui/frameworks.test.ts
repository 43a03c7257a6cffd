// Vitest, jest and mocha side by side in the real workbench: found, run, and a jest test mended from its light bulb.
import assert from 'node:assert/strict';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { installed } from './installed.ts';
import { until, type Workbench } from './workbench.ts';

const greetingTest = 'packages/mail/test/greeting.test.js';

describe('three frameworks in the workbench', function () {
  let workspace: TemporaryWorkspace;
  let workbench: Workbench;

  const opened = installed(threePackages);
  before(() => ({ workspace, workbench } = opened()));

  it('shows the tests of each without running anything', async () => {
    await workbench.openTestingView();
    for (const label of ['Vitest', 'total.test.js', 'total']) await workbench.expand(label);
    for (const label of ['Mocha', 'shelf.js', 'shelf']) await workbench.expand(label);
    for (const label of ['Jest', 'greeting.test.js', 'greeting']) await workbench.expand(label);
    await workbench.testRow('says goodbye').waitFor();
    assert.deepEqual(states(await workbench.drawTree()), {
      'adds prices up': '·',
      'is nothing for an empty cart': '·',
      'counts what is left': '·',
      'has none of what was never there': '·',
      'greets by name': '·',
      'says goodbye': '·',
    });
  });

  it('runs all three at once and gives each test its state', async () => {
    await workbench.openFile('greeting.test.js');
    await workbench.command('Test: Run All Tests');
    const expected = {
      'adds prices up': '✔',
      'is nothing for an empty cart': '✔',
      'counts what is left': '✔',
      'has none of what was never there': '✖',
      'greets by name': '✖',
      'says goodbye': '✔',
    };
    for (const title of Object.keys(expected))
      await workbench
        .testRow(title)
        .locator('[class*="testing-passed"], [class*="testing-failed"]')
        .waitFor({ timeout: 150_000 });
    assert.deepEqual(states(await workbench.drawTree()), expected);
    await workbench.screenshot('f1-three-frameworks');
  });

  it('offers a proven fix for a jest test at its light bulb, and applies it', async () => {
    const { page } = workbench;
    const before = await workspace.read(greetingTest);
    await page
      .locator('.monaco-editor .view-line', { hasText: `greet('Ada')` })
      .first()
      .click({ position: { x: 60, y: 8 } });
    const action = page.locator('.action-widget .monaco-list-row', { hasText: 'Fix (surgical)' }).first();
    await until('a fix is offered', async () => {
      await page.keyboard.press('ControlOrMeta+.');
      await action.waitFor({ timeout: 3000 }).catch(() => page.keyboard.press('Escape'));
      return action.isVisible();
    });
    await workbench.screenshot('f2-jest-lightbulb');
    await workbench.picture('frameworks');
    assert.match(await action.innerText(), /expect 'Hello, Ada!' \(was 'Hi, Ada!'\)/);
    await action.click();
    await page.locator('.editor-instance .monaco-diff-editor').first().waitFor({ timeout: 150_000 });
    const offer = await workbench.notification('Apply');
    const apply = offer.locator('.monaco-button', { hasText: 'Apply' });
    await apply.waitFor();
    assert.match(await offer.innerText(), /verified/i);
    await workbench.screenshot('f3-jest-verified');
    assert.equal(await workspace.read(greetingTest), before, 'nothing changes before the click');
    await apply.click();
    await workbench
      .testRow('greets by name')
      .locator('[class*="testing-passed"]')
      .waitFor({ timeout: 150_000 });
    await workbench.screenshot('f4-jest-mended');
    assert.equal(await workspace.read(greetingTest), before.replace('Hi, Ada!', 'Hello, Ada!'));
    assert.deepEqual(workbench.started.external, [], 'nothing tried to leave the machine');
  });
});

/** The state of each test of the workspace, by its title, from the drawn tree. */
function states(tree: readonly string[]): Record<string, string> {
  const rows = tree.map((line) => /^ *(\S) (.*)$/.exec(line)?.slice(1) ?? []);
  return Object.fromEntries(
    rows.filter(([, title = '']) => title.includes(' ')).map(([state, title]) => [title, state]),
  );
}

/** The last commit is green; then a text changed under the tests of jest, and mocha found a bug. */
async function threePackages(): Promise<TemporaryWorkspace> {
  const manifest = (name: string, framework: string, more: object = {}): string =>
    JSON.stringify({ name, ...more, devDependencies: { [framework]: '*' } });
  const greeting = (word: string): string =>
    `exports.greet = (name) => \`${word}, \${name}!\`;\nexports.bye = (name) => \`Bye, \${name}!\`;\n`;
  const workspace = await temporaryWorkspace(
    {
      'package.json': '{ "name": "shop", "private": true, "workspaces": ["packages/*"] }',
      'packages/cart/package.json': manifest('cart', 'vitest', { type: 'module' }),
      'packages/cart/src/total.js': `export const total = (prices) => prices.reduce((sum, price) => sum + price, 0);\n`,
      'packages/cart/test/total.test.js': `import { describe, expect, it } from 'vitest';
import { total } from '../src/total.js';

describe('total', () => {
  it('adds prices up', () => {
    expect(total([200, 300])).toBe(500);
  });
  it('is nothing for an empty cart', () => {
    expect(total([])).toBe(0);
  });
});
`,
      'packages/mail/package.json': manifest('mail', 'jest', { scripts: { test: 'jest' } }),
      'packages/mail/src/greeting.js': greeting('Hi'),
      [greetingTest]: `const { bye, greet } = require('../src/greeting');

describe('greeting', () => {
  it('greets by name', () => {
    expect(greet('Ada')).toBe('Hi, Ada!');
  });
  it('says goodbye', () => {
    expect(bye('Ada')).toBe('Bye, Ada!');
  });
});
`,
      'packages/stock/package.json': manifest('stock', 'mocha', { scripts: { test: 'mocha' } }),
      'packages/stock/src/shelf.js': `exports.left = (item) => ({ apples: 3, nuts: 7 })[item] ?? 0;\n`,
      'packages/stock/test/shelf.js': `const assert = require('node:assert/strict');
const { left } = require('../src/shelf');

describe('shelf', () => {
  it('counts what is left', () => {
    assert.equal(left('apples'), 3);
  });
  it('has none of what was never there', () => {
    assert.equal(left('pears'), 0);
  });
});
`,
    },
    { git: true, packages: ['vitest', 'vite', 'jest', 'mocha'] },
  );
  await workspace.write('packages/mail/src/greeting.js', greeting('Hello'));
  await workspace.write(
    'packages/stock/src/shelf.js',
    `exports.left = (item) => ({ apples: 3, nuts: 7 })[item].valueOf();\n`,
  );
  return workspace;
}
