// The panel itself in the real workbench: reload, hide, a window that dies, keyboard, screen reader, themes, hostile texts.
import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { z } from 'zod';
import { afterIteration, iterationRecordSchema } from '../../src/core/model/cycle.ts';
import { processesIn } from '../support/processesIn.ts';
import { hostileTitle, roughWorkspace } from '../support/roughWorkspace.ts';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { treeSnapshot } from '../support/treeSnapshot.ts';
import { visibleText } from '../../src/core/model/visibleText.ts';
import { installed } from './installed.ts';
import { hardToRead, painted, themes, wear } from './looks.ts';
import { until, type Workbench } from './workbench.ts';

const tests = 'tests/greeting.test.js';
const cliSchema = z.object({
  status: z.string(),
  iterations: z.array(iterationRecordSchema),
  fixes: z.array(z.object({ title: z.string(), verdict: z.string(), runs: z.number(), scope: z.string() })),
  remaining: z.array(z.object({ id: z.string(), severity: z.string(), reason: z.string() })),
});

describe('the panel of a fix cycle', function () {
  let workspace: TemporaryWorkspace;
  let workbench: Workbench;
  let sandboxes: string;
  const ended = (): Promise<Frame> => workbench.webview('header[data-phase=ended]', 300_000);
  const files = async (): Promise<Record<string, string>> =>
    // VS Code itself refreshes git's index; the framework keeps its cache in node_modules.
    Object.fromEntries(
      Object.entries(await treeSnapshot(workspace.root)).filter(
        ([file]) => !/^(\.git|node_modules)\b/.test(file),
      ),
    );

  const opened = installed(roughWorkspace);
  before(() => ({ workspace, workbench, sandboxes } = opened()));

  it('comes back as cut off when the window is reloaded in the middle of an iteration', async () => {
    await workbench.openFile('greeting.test.js');
    const before = await files();
    await workbench.command('Testmend: Fix Failing Tests');
    const panel = await workbench.webview('main h1');
    await panel.locator('h1', { hasText: /^Iteration/ }).waitFor({ timeout: 150_000 });
    await panel.locator('section.failing .card').first().waitFor();
    const failing = await panel.locator('section.failing h3').allTextContents();
    const alike = panel.locator('section.failing .card', {
      hasText: 'tests fail in the same way: stores is not defined',
    });
    assert.doesNotMatch(await alike.first().innerText(), /stores is not defined[^]*stores is not defined/);
    assert.equal(await panel.locator('.steps [aria-current]').count(), 1);
    await workbench.screenshot('p1-iteration');
    await workbench.reload();
    const again = await ended();
    assert.equal(await again.locator('h1').innerText(), 'Interrupted before its end');
    assert.match(
      await again.locator('.message.info').innerText(),
      /closed or reloaded, or the engine stopped, before the cycle ended/,
    );
    // What was proven since is no longer among the failing tests, but a card of its own.
    const shown = await again.locator('.card .fold').allTextContents();
    for (const title of failing.filter((each) => /shelf|alike/.test(each)))
      assert.ok(shown.includes(title), title);
    assert.ok(shown.length >= failing.length);
    await workbench.screenshot('p2-reloaded-in-the-middle');
    assert.deepEqual(await files(), before);
    await until('no test process is left', () =>
      Promise.resolve(
        !processesIn([workspace.root, sandboxes]).some((command) => command.includes('.test.js')),
      ),
    );
  });

  it('says the same as the command line does of the same workspace', async function () {
    this.timeout(600_000);
    const panel = await workbench.webview('main h1');
    await panel.getByRole('button', { name: 'Run again' }).click();
    await panel.locator('header[data-phase=running]').waitFor();
    await ended();
    await panel.locator('section.iterations tbody tr').first().waitFor();
    const { stdout } = await testmend(['fix', '--json', '--dry-run'], {
      cwd: workspace.root,
      limitMs: 400_000,
    });
    const cli = cliSchema.parse(JSON.parse(stdout));
    const verified = cli.fixes.filter(({ verdict }) => verdict === 'verified');
    assert.ok(verified.length >= 7 && cli.remaining.length === 40);
    // What several fixes do alike is said once above them; each says where.
    const alone = await panel.locator('.list > .fix:not(.group .fix) .fold').allTextContents();
    const titlesOf = (times: (count: number) => boolean): string[] => {
      const all = cli.fixes.map(({ title }) => visibleText(title));
      return all.filter((title) => times(all.filter((other) => other === title).length)).sort();
    };
    assert.deepEqual(
      alone.sort(),
      titlesOf((count) => count === 1),
    );
    const grouped = titlesOf((count) => count > 1);
    const places = await panel.locator('.group .fix .fold').allTextContents();
    assert.equal(places.length, grouped.length);
    assert.equal(new Set(places).size, places.length, 'no two places look the same');
    const headings = await panel.locator('.group > h3').allTextContents();
    assert.deepEqual(headings, [
      "'Hi, Ada' → 'Hello, Ada': 2 tests in 2 files",
      `${visibleText(grouped.find((title) => title.includes('tag')) ?? 'none')}: 3 tests in 3 files`,
    ]);
    const proofs = await panel.locator('.badge.verdict-verified').allTextContents();
    const expected = verified.map(
      ({ runs, scope }) => `verified · ${runs} ${runs === 1 ? 'run' : 'runs'} of the ${scope}`,
    );
    assert.deepEqual(proofs.sort(), expected.sort());
    const failing = panel.locator('section.remaining .card');
    assert.equal(await failing.count(), 1, 'forty tests that fail alike are one card');
    const said = (await failing.textContent()) ?? '';
    assert.match(said, /^40 tests fail in the same way: /);
    assert.ok(said.includes(cli.remaining[0]?.reason ?? 'none'));
    const rows = await panel.locator('section.iterations tbody tr').allTextContents();
    assert.equal(rows.length, cli.iterations.length);
    for (const [index, record] of cli.iterations.entries()) {
      const { passed, total } = afterIteration(record);
      const row = rows[index] ?? '';
      assert.ok(row.includes(record.strategy) && row.includes(`${passed} of ${total} tests`), row);
    }
    await workbench.screenshot('p3-ended');
  });

  it('never takes a title, a value or a diff for markup, and shows what would hide as escapes', async () => {
    const panel = await workbench.webview('main h1');
    assert.equal(await panel.locator('main img, main script, main b').count(), 0);
    const text = (await panel.locator('main').textContent()) ?? '';
    assert.ok(text.includes(String.raw`\u202egpj.exe\u202c`), 'the override is an escape');
    assert.doesNotMatch(text, /[\u0000-\u0008\u202A-\u202E\u2066-\u2069]/);
    assert.ok(text.includes(`mark(), '<b>Hi</b>')`), 'markup in a diff is text');
    assert.ok(visibleText(hostileTitle).includes('<script>'));
    // What a hole would let in is refused by the policy of the page.
    const held = await panel.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'globalThis.owned = 1';
      document.body.append(script);
      const styled = document.createElement('div');
      document.body.append(styled);
      styled.setAttribute('style', 'color: red');
      styled.setAttribute('onclick', 'globalThis.owned = 1');
      styled.click();
      const held = {
        owned: 'owned' in globalThis,
        styled: styled.style.color,
        inline: [
          ...document.querySelectorAll('main [style]:not([style=""]), main [onclick], main style'),
        ].map((each) => each.outerHTML),
      };
      script.remove();
      styled.remove();
      return held;
    });
    assert.deepEqual(held, { owned: false, styled: '', inline: [] });
  });

  it('ignores messages that are none of its own', async () => {
    const panel = await workbench.webview('main h1');
    const before = await panel.locator('main').textContent();
    await panel.evaluate(() => {
      for (const message of [
        null,
        'reset',
        { type: 'events', events: [{ type: 'cycleEnded' }] },
        { type: 'state' },
      ])
        window.dispatchEvent(new MessageEvent('message', { data: message }));
    });
    await panel.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    assert.equal(await panel.locator('main').textContent(), before);
  });

  it('has nothing that a screen reader or a weak eye stumbles over, in every theme and width', async () => {
    const serious: string[] = [];
    for (const theme of themes.keys()) {
      await wear(theme, workspace, workbench);
      const panel = await workbench.webview('main h1');
      await panel.evaluate(() => {
        for (const fold of document.querySelectorAll<HTMLElement>('.fold[aria-expanded=false]')) fold.click();
      });
      serious.push(...(await hardToRead(panel)).map((each) => `${theme}: ${each}`));
      await workbench.screenshot(`p4-${theme.toLowerCase().replaceAll(' ', '-')}`);
      await panel.locator('section.remaining').scrollIntoViewIfNeeded();
      await painted(panel);
      await workbench.screenshot(`p5-${theme.toLowerCase().replaceAll(' ', '-')}-below`);
      await panel.evaluate(() => window.scrollTo(0, 0));
      await painted(panel);
    }
    assert.deepEqual(serious, []);
    await workbench.page.setViewportSize({ width: 820, height: 900 });
    const panel = await workbench.webview('main h1');
    await painted(panel);
    await workbench.screenshot('p6-narrow');
    assert.ok(
      await panel.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth),
      'it fits',
    );
    // Who decides sees the change without scrolling for it.
    const cut = await panel
      .locator('pre.diff')
      .evaluateAll((diffs) => diffs.filter((diff) => diff.scrollWidth > diff.clientWidth).length);
    assert.equal(cut, 0, 'no diff is wider than its card');
    await workbench.page.setViewportSize({ width: 1400, height: 900 });
  });

  it('can be used with the keyboard alone, and keeps the focus on what was decided', async () => {
    const { page } = workbench;
    const before = await workspace.read(tests);
    const panel = await workbench.webview('main h1');
    const focused = (): Promise<string> =>
      panel.evaluate(
        () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
      );
    await panel.getByRole('button', { name: 'Run again' }).focus();
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Show log');
    // From the bar above the cards the arrow leads to the first of them.
    await page.keyboard.press('ArrowDown');
    const card = (): Promise<string | undefined> =>
      panel.evaluate(() => document.activeElement?.closest<HTMLElement>('.card')?.dataset['key']);
    const first = await card();
    assert.ok(first);
    await page.keyboard.press('ArrowDown');
    assert.notEqual(await card(), first);
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    assert.equal(await card(), first);
    const isOpen = await panel.locator('.fold:focus').getAttribute('aria-expanded');
    await page.keyboard.press('Space');
    assert.notEqual(await panel.locator('.fold:focus').getAttribute('aria-expanded'), isOpen);
    if (isOpen === 'true') await page.keyboard.press('Enter');
    assert.equal(
      await panel.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle),
      'solid',
    );

    const bye = panel.getByRole('button', { name: /^Accept: expect 'Goodbye, Ada'/ });
    for (let step = 0; step < 60 && !(await bye.evaluate((each) => each === document.activeElement)); step++)
      await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    assert.match(await focused(), /Goodbye, Ada/);
    await bye.focus();
    await page.keyboard.press('Enter');
    await panel.locator('.fix.decided .decision-applied').waitFor({ timeout: 150_000 });
    assert.equal(await workspace.read(tests), before.replace("'Bye, Ada'", "'Goodbye, Ada'"));
    await until('the focus is on the card', async () => /Goodbye, Ada/.test(await focused()));
    await panel.locator('.applied', { hasText: 'Rerun: its test passes.' }).waitFor({ timeout: 150_000 });
    await workbench.screenshot('p7-one-applied');
    assert.match(await panel.locator('[role=status]').innerText(), /fix|applied/i);
  });

  it('is the same after it was hidden: filter, folded cards, place', async () => {
    const { page } = workbench;
    const panel = await workbench.webview('main h1');
    const alike = panel.locator('section.remaining .fold');
    if ((await alike.getAttribute('aria-expanded')) !== 'true') await alike.click();
    await panel.getByRole('button', { name: 'Show all 40' }).waitFor();
    await panel.getByRole('searchbox').fill('shelf');
    await until('only what matches is shown', async () => (await panel.locator('.card').count()) === 1);
    await panel.locator('section.remaining pre.failure').scrollIntoViewIfNeeded();
    const place = (): Promise<number> => panel.evaluate(() => Math.round(window.scrollY));
    const before = await place();
    await workbench.openFile('again.test.js');
    await page.locator('.tab', { hasText: 'Testmend: Fix Cycle' }).first().click();
    const again = await workbench.webview('section.remaining .card');
    await again.locator('section.remaining pre.failure').waitFor();
    assert.equal(await again.getByRole('searchbox').inputValue(), 'shelf');
    assert.equal(await again.locator('.card').count(), 1);
    await until(
      'it is scrolled to the same place',
      async () => {
        const now = await again.evaluate(() => Math.round(window.scrollY));
        return Math.abs(now - before) < 40;
      },
      5_000,
    );
    await again.getByRole('searchbox').press('Escape');
    await again.locator('.fix.decided').first().waitFor();
  });

  it('loses no decision when its window dies right after the click, and applies no fix twice', async () => {
    const panel = await workbench.webview('main h1');
    await panel.getByRole('searchbox').fill('');
    const before = await workspace.read(tests);
    const title = /^Accept: expect '<b>Hello<\/b>'/;
    await panel.getByRole('button', { name: title }).first().click();
    const after = before.replace("'<b>Hi</b>'", "'<b>Hello</b>'");
    await until('the fix is in the file', async () => (await workspace.read(tests)) === after);
    await workbench.die();
    await workbench.command('Testmend: Show the Last Fix Cycle');
    const again = await ended();
    assert.equal(
      await workbench.page.locator('.tab', { hasText: 'Testmend: Fix Cycle' }).count(),
      1,
      'not beside the tab that the dead window left',
    );
    // What stood in the search when the window died may be older than what was typed last.
    await again.getByRole('searchbox').fill('');
    await until(
      'both decisions are there',
      async () => (await again.locator('.decision-applied').count()) === 2,
    );
    assert.equal(await again.getByRole('button', { name: title }).count(), 0);
    assert.match(await again.locator('.applied').innerText(), /^2 fixes applied\./);

    // A further fix of the same file, taken by an engine that was not there when it was proven.
    const hello = again.getByRole('button', { name: /^Accept all 2: 'Hi, Ada' becomes 'Hello, Ada'/ });
    await hello.click();
    await until(
      'it is in both files',
      async () =>
        (await workspace.read(tests)) === after.replace("'Hi, Ada'", "'Hello, Ada'") &&
        !(await workspace.read('tests/again.test.js')).includes("'Hi, Ada'"),
    );
    await again.locator('.applied', { hasText: 'Rerun: all 4 tests pass.' }).waitFor({ timeout: 150_000 });
    // One click for one move that three files must follow, and it is taken back by one undo.
    await again.getByRole('button', { name: /^Apply all 3: / }).click();
    await again.locator('.applied', { hasText: 'Rerun: all 7 tests pass.' }).waitFor({ timeout: 150_000 });
    for (const item of ['apples', 'nuts', 'pears'])
      assert.match(await workspace.read(`tests/labels/${item}.test.js`), /src\/tag\.js/);
    assert.equal(await again.locator('h1').innerText(), '✖\n40 tests still fail');
    await workbench.screenshot('p8-all-applied');
    assert.deepEqual(workbench.started.external, [], 'nothing tried to leave the machine');
  });
});
