// What a user does and sees, from the installed package in the real workbench: find, run, fix one, fix all.
import assert from 'node:assert/strict';
import { brokenShop, type Shop } from '../support/brokenShop.ts';
import { processesIn } from '../support/processesIn.ts';
import { installed } from './installed.ts';
import { until, type Workbench } from './workbench.ts';

/** Ada greets with 'Hi', which became 'Hello'; prices in euros. */
const seed = 465;

describe('Testmend in the workbench', function () {
  let shop: Shop;
  let workbench: Workbench;
  let sandboxes: string;

  const opened = installed(() => brokenShop(seed), {
    'testing.automaticallyOpenPeekView': 'failureInVisibleDocument',
    'editor.stickyScroll.enabled': false,
  });
  before(() => ({ workspace: shop, workbench, sandboxes } = opened()));

  it('shows framework, files, suites and tests without running anything', async () => {
    await workbench.openTestingView();
    await workbench.expand('Vitest');
    await workbench.testRow('greeting.test.ts').waitFor();
    await workbench.expand('greeting.test.ts');
    await workbench.expand('greeting');
    await workbench.testRow('greets a customer by name').waitFor();
    await workbench.screenshot('1-testing-view');
    const tree = (await workbench.drawTree()).join('\n');
    assert.match(tree, /· greets a customer by name\n *· trims the name\n/);
    assert.doesNotMatch(tree, /[✔✖]/);
  });

  it('runs everything and shows which tests fail, with the difference at the failing line', async () => {
    await workbench.openFile('greeting.test.ts');
    await workbench.command('Test: Run All Tests');
    await workbench
      .testRow('greets a customer by name')
      .locator('[class*="testing-failed"]')
      .waitFor({ timeout: 150_000 });
    await workbench.testRow('says goodbye').locator('[class*="testing-passed"]').waitFor();
    await workbench.page.locator('.zone-widget .monaco-diff-editor').first().waitFor();
    await workbench.testRow('money.test.ts').locator('[class*="testing-failed"]').waitFor();
    await workbench.page.locator('.test-explorer .codicon-loading').first().waitFor({ state: 'detached' });
    await workbench.screenshot('2-failure');
    await workbench.picture('failure');
    assert.doesNotMatch(await workbench.page.locator('.zone-widget').first().innerText(), /node_modules/);
    const tree = (await workbench.drawTree()).join('\n');
    assert.match(tree, /✖ greets a customer by name\n *✖ trims the name\n *✔ says goodbye/);
    await workbench.page.keyboard.press('Escape');
    await workbench.page.locator('.zone-widget .monaco-diff-editor').first().waitFor({ state: 'detached' });
  });

  it('offers a fix that says what will change, tries it, shows it and applies it as one undoable edit', async () => {
    const { page } = workbench;
    const before = await shop.read('tests/greeting.test.ts');
    await workbench.openFile('greeting.test.ts');
    await page
      .locator('.monaco-editor .view-line', { hasText: `greet('${shop.words.people[0]}')` })
      .first()
      .click({ position: { x: 60, y: 8 } });
    const action = page.locator('.action-widget .monaco-list-row', { hasText: 'Fix (surgical)' }).first();
    const end = Date.now() + 150_000;
    while (!(await action.isVisible()) && Date.now() < end) {
      await page.keyboard.press('ControlOrMeta+.');
      await action.waitFor({ timeout: 3000 }).catch(() => page.keyboard.press('Escape'));
    }
    await workbench.screenshot('3-lightbulb');
    await workbench.picture('lightbulb');
    assert.match(await action.innerText(), /expect 'Hello, Ada!' \(was 'Hi, Ada!'\)/);
    await page
      .locator('.action-widget .monaco-list-row', { hasText: "It's a bug in the source" })
      .first()
      .waitFor();
    await action.click();
    await page.locator('.editor-instance .monaco-diff-editor').first().waitFor({ timeout: 150_000 });
    const offer = await workbench.notification('Apply');
    const apply = offer.locator('.monaco-button', { hasText: 'Apply' });
    await apply.waitFor();
    await workbench.screenshot('4-diff');
    assert.equal(await shop.read('tests/greeting.test.ts'), before, 'nothing changes before the click');
    await apply.click();
    await workbench
      .testRow('greets a customer by name')
      .locator('[class*="testing-passed"]')
      .waitFor({ timeout: 150_000 });
    const after = before.replace(".toBe('Hi, Ada!')", ".toBe('Hello, Ada!')");
    await workbench.screenshot('5-applied');
    assert.equal(await shop.read('tests/greeting.test.ts'), after);

    await workbench.openFile('greeting.test.ts');
    const changed = page.locator('.monaco-editor .view-line', { hasText: "toBe('Hello, Ada!')" });
    await changed.first().waitFor();
    // The filter of the Testing view is a Monaco editor too.
    await page.locator('.editor-instance .view-line').first().click();
    await page.keyboard.press('ControlOrMeta+z');
    await changed.waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+s');
    await until('the undo is saved', async () => (await shop.read('tests/greeting.test.ts')) === before);
    await page.keyboard.press('ControlOrMeta+Shift+z');
    await changed.first().waitFor();
    await page.keyboard.press('ControlOrMeta+s');
    await until('the redo is saved', async () => (await shop.read('tests/greeting.test.ts')) === after);
    await page.keyboard.press('ControlOrMeta+z');
    await page.keyboard.press('ControlOrMeta+s');
    await until('it is undone again', async () => (await shop.read('tests/greeting.test.ts')) === before);
  });

  it('can be used with the keyboard alone: run, choose a fix, look at it, discard it', async () => {
    const { page } = workbench;
    const before = await shop.read('tests/money.test.ts');
    await workbench.openFile('money.test.ts');
    await workbench.command('Test: Run Tests in Current File');
    await page.keyboard.press('Control+g');
    await page.keyboard.type('8');
    await page.keyboard.press('Enter');
    const fix = page.locator('.action-widget .monaco-list-row.focused', { hasText: /Fix \(/ }).first();
    await until('a fix is offered', async () => {
      await page.keyboard.press('ControlOrMeta+.');
      await fix.waitFor({ timeout: 3000 }).catch(() => page.keyboard.press('Escape'));
      return fix.isVisible();
    });
    await page.keyboard.press('Enter');
    await page.locator('.editor-instance .monaco-diff-editor').first().waitFor({ timeout: 150_000 });
    await workbench.screenshot('6-keyboard');
    await workbench.command('Testmend: Discard Fix');
    await page.locator('.editor-instance .monaco-diff-editor').first().waitFor({ state: 'detached' });
    assert.equal(await shop.read('tests/money.test.ts'), before);
  });

  it('stops a cycle in the middle of an iteration, with a report and without a process left', async () => {
    await workbench.command('View: Close All Editors');
    await workbench.command('Testmend: Fix Failing Tests');
    const panel = await workbench.webview('main h1');
    await panel.locator('h1', { hasText: /^Iteration/ }).waitFor({ timeout: 150_000 });
    await workbench.screenshot('7-cycle-running');
    await panel.getByRole('button', { name: 'Stop' }).click();
    await panel.locator('h1', { hasText: /^Stopped$/ }).waitFor({ timeout: 90_000 });
    await workbench.screenshot('8-cycle-stopped');
    await until('no test process is left', () =>
      Promise.resolve(!processesIn([shop.root, sandboxes]).some((command) => command.includes('vitest'))),
    );
  });

  it('runs the fix cycle live in a panel and changes nothing before a click', async () => {
    const before = await shop.read('tests/pricing.test.ts');
    const panel = await workbench.webview('main h1');
    await panel.getByRole('button', { name: 'Run again' }).click();
    await panel.locator('header[data-phase=running]').waitFor();
    await panel.locator('header[data-phase=ended]').waitFor({ timeout: 300_000 });
    await workbench.screenshot('9-cycle-ended');
    await workbench.picture('cycle');
    assert.equal(await shop.read('tests/pricing.test.ts'), before);
    assert.doesNotMatch((await panel.locator('main').textContent()) ?? '', new RegExp(sandboxes));
  });

  it('shows the cycle again after the window was reloaded', async () => {
    await workbench.reload();
    const panel = await workbench.webview('header[data-phase=ended]', 60_000);
    await panel.getByRole('button', { name: /^Accept all 2: 'Hi, Ada!' becomes 'Hello, Ada!'/ }).waitFor();
    await workbench.screenshot('10-reloaded');
  });

  it('applies all mechanical fixes at one click', async () => {
    const panel = await workbench.webview('main h1');
    await panel.getByRole('button', { name: /Apply all mechanical/ }).click();
    await panel.locator('.mechanical .fix.decided').nth(1).waitFor();
    await workbench.screenshot('11-mechanical-applied');
    const { old, new: now } = shop.words.discountName;
    const pricing = await shop.read('tests/pricing.test.ts');
    assert.ok(pricing.includes(now) && !pricing.includes(old));
    assert.match(await shop.read('tests/dates.test.ts'), new RegExp(`src/${shop.words.datesFolder}/dates`));
  });

  it('takes one answer for a group, for a single expectation, and for a bug', async () => {
    const panel = await workbench.webview('main h1');
    const decided = panel.locator('.expectations .fix.decided');
    await panel.getByRole('button', { name: /^Accept all 2: 'Hi, Ada!' becomes 'Hello, Ada!'/ }).click();
    await decided.nth(1).waitFor({ timeout: 150_000 });
    await until('both places are changed', async () => {
      const greeting = await shop.read('tests/greeting.test.ts');
      return !greeting.includes("'Hi, Ada!'") && greeting.split("'Hello, Ada!'").length === 3;
    });

    const money = await shop.read('tests/cart.test.ts');
    const count = await decided.count();
    // Faster than any of them is carried out: none may be lost.
    const pressed = await panel.locator('.expectations button.decide').evaluateAll((buttons) =>
      [/^It's a bug: expect price/, /^Accept: (?!expect price)/].map((name) => {
        const found = buttons.find((each) => name.test(each.getAttribute('aria-label') ?? ''));
        if (found instanceof HTMLElement) found.click();
        return found?.getAttribute('aria-disabled') ?? 'not there';
      }),
    );
    assert.deepEqual(pressed, ['true', 'true'], 'what was pressed rests');
    await decided.nth(count + 1).waitFor({ timeout: 150_000 });
    await panel.locator('.badge.decision-bug').waitFor();
    assert.equal(await shop.read('tests/cart.test.ts'), money, 'a bug leaves the test as it is');
    assert.equal(
      await panel.locator('.fix.decided .fold[aria-expanded=true]').count(),
      0,
      'what is decided is folded',
    );
    await workbench.screenshot('12-decided');
  });

  it('leaves the source bug unblessed and says so', async () => {
    const panel = await workbench.webview('main h1');
    const remaining = panel.locator('section.remaining .test');
    assert.match((await remaining.allTextContents()).join('\n'), /adds up the lines[\s\S]*fault: source/);
    await remaining.first().scrollIntoViewIfNeeded();
    await workbench.screenshot('13-still-failing');
    assert.doesNotMatch(await shop.read('tests/cart.test.ts'), /NaN/);
    assert.deepEqual(workbench.started.external, [], 'nothing tried to leave the machine');
  });
});
