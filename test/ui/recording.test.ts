// A recorded cycle of a layer with its coverage in the real workbench, in every theme, one of hostile texts, and a cycle that ends while
// nobody looks at it.
import assert from 'node:assert/strict';
import { rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { processesIn } from '../support/processesIn.ts';
import { hostileTitle } from '../support/roughWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { installed } from './installed.ts';
import { hardToRead, painted, themes, wear } from './looks.ts';
import { until, type Workbench } from './workbench.ts';

/** Choices that only a cycle of this workspace offers. */
const decisions = /^(Apply|Accept|It's a bug|Discard|Offer again|Open diff|Copy for|Run again|Stop|Show log)/;

const tests = 'test/unit/shop.test.js';
/** As long as there is this file, a cycle of the shop is held amid a trial. */
const hold = path.join(os.tmpdir(), `testmend-hold-${process.pid}`);

const source = (word: string, name: string): string => `export const greet = (name) => \`${word}, \${name}\`;
export const ${name} = (n) => {
  if (n > 100) {
    return n - 10;
  }
  return n;
};
export const stock = (item) => ${word === 'Hi' ? '3' : 'stores[item].count'};
`;
const shopTest = `import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { greet, stock } from '../../src/shop.js';

test('greets', async () => {
  const text = readFileSync(new URL(import.meta.url), 'utf8');
  while (text.includes('Hello' + ', Ada') && existsSync(${JSON.stringify(hold)}))
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(greet('Ada')).toBe('Hi, Ada');
}, 120_000);
test('counts nuts', () => {
  expect(stock('nuts')).toBe(3);
});
`;
const netTest = `import { expect, test } from 'vitest';
import { net } from '../../src/shop.js';

test('keeps small sums', () => {
  expect(net(50)).toBe(50);
});
`;

/** A value has changed since the tests were written, a name that may mean something else, and there is a bug. */
async function changedShop(): Promise<TemporaryWorkspace> {
  const shop = await temporaryWorkspace(
    {
      'package.json': '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "*" } }',
      'src/shop.js': source('Hi', 'net'),
      [tests]: shopTest,
      'test/unit/net.test.js': netTest,
      'test/e2e/shop.test.js': `import { expect, test } from 'vitest';\ntest('opens', () => expect(1).toBe(1));\n`,
    },
    { git: true, vitest: true, packages: ['@vitest/coverage-v8'] },
  );
  await shop.write('src/shop.js', source('Hello', 'total'));
  return shop;
}

describe('a recorded fix cycle', function () {
  let shop: TemporaryWorkspace;
  let workbench: Workbench;
  let sandboxes: string;
  /** What the command line told of it. */
  let said: string;
  const opened = installed(changedShop);
  before(() => ({ workspace: shop, workbench, sandboxes } = opened()));
  after(() => rm(hold, { force: true }));

  /** Through the palette and its dialogue, which sets a path of its own before it listens. */
  const open = async (file: string): Promise<void> => {
    const widget = workbench.page.locator('.quick-input-widget');
    await workbench.command('Testmend: Open a Recorded Fix Cycle');
    await widget.locator('.quick-input-title', { hasText: 'Open a Recorded Fix Cycle' }).waitFor();
    const input = widget.locator('input').first();
    await until('the file is chosen', async () => {
      // A key to the input itself never falls into the editor below.
      const type = async (): Promise<void> => {
        await input.fill(path.join(shop.root, file), { timeout: 2000 });
        await input.press('Enter', { timeout: 2000, delay: 300 });
      };
      await type().catch(() => undefined);
      return widget.isHidden();
    });
  };
  /** By the menu of its row in the explorer. */
  const openByMenu = (file: string): Promise<void> =>
    workbench.chooseInExplorer(file, 'Open a Recorded Fix Cycle');
  const recorded = (file: string): Promise<Frame> =>
    workbench.webview(`main.recorded:has(.banner:text("${file}"))`);
  const status = (): Locator => workbench.page.locator('.statusbar-item', { hasText: 'Fix cycle: ' });
  const tabs = (): Promise<string[]> => workbench.page.locator('.tab .label-name').allTextContents();
  const bar = async (panel: Frame): Promise<string> =>
    (await panel.locator('.stepper .count').innerText()).replaceAll('\u2007', '');

  it('opens from its file at the last event, and says that it is only looked at', async () => {
    const events = `ndjson=${path.join(shop.root, 'fix.ndjson')}`;
    const args = ['fix', '--preset', 'qa', '--layer', 'L1', '--dry-run', '--events', events];
    said = (await testmend(args, { cwd: shop.root, limitMs: 300_000 })).stdout;
    await workbench.openFile('net.test.js');
    await open('fix.ndjson');
    const panel = await recorded('fix.ndjson');
    assert.match(
      await panel.locator('.banner').innerText(),
      /^Recording fix\.ndjson .*nothing can be applied/i,
    );
    assert.equal(
      await panel.locator('h1').innerText(),
      '●\n1 of 3 failing tests has a proven fix, 1 looks like a bug in the source',
    );
    await panel.locator('.evidence code', { hasText: "greet('Ada')" }).first().waitFor();
    await panel.locator('section.remaining .card').first().waitFor();
    const names = await panel
      .getByRole('button')
      .evaluateAll((buttons) =>
        buttons.map((each) => each.getAttribute('aria-label') ?? each.textContent ?? ''),
      );
    assert.ok(names.length > 10, names.join());
    assert.deepEqual(
      names.filter((name) => decisions.test(name)),
      [],
    );
    await workbench.screenshot('r1-recording');
  });

  it('is gone through with the keyboard, by single events and to its ends', async () => {
    const panel = await recorded('fix.ndjson');
    const [, , length] = /^Event (\d+) of (\d+)$/.exec(await bar(panel)) ?? [];
    const at = async (step: number, text: RegExp): Promise<void> => {
      await until(`event ${step} is shown`, async () => (await bar(panel)) === `Event ${step} of ${length}`);
      assert.match(await panel.locator('.stepper .hint').innerText(), text);
    };
    await panel.getByRole('slider').focus();
    await workbench.page.keyboard.press('Home');
    await at(1, /^The cycle starts$/);
    assert.equal(await panel.locator('.card').count(), 0);
    await workbench.page.keyboard.press('ArrowRight');
    await at(2, /^Looking for tests…$/);
    assert.equal(await panel.locator('h1').innerText(), 'Looking for tests…');
    await panel.getByRole('button', { name: 'Next event' }).focus();
    await workbench.page.keyboard.press('Enter');
    await at(3, /^[A-Z].*…$/);
    await panel.getByRole('button', { name: 'Previous event' }).focus();
    await workbench.page.keyboard.press('Enter');
    await at(2, /^Looking for tests…$/);
    await panel.getByRole('slider').focus();
    await workbench.page.keyboard.press('End');
    await at(Number(length), /^The cycle ends$/);
  });

  it('plays from where it is, stops at a click, and does not offer it to whoever wants little motion', async () => {
    const panel = await recorded('fix.ndjson');
    await workbench.page.emulateMedia({ reducedMotion: 'no-preference' });
    const play = panel.getByRole('button', { name: 'Play' });
    await play.click();
    await until('it began anew', async () => /^Event [2-9] /.test(await bar(panel)));
    await panel.getByRole('button', { name: 'Pause' }).click();
    await play.waitFor();
    await workbench.page.emulateMedia({ reducedMotion: 'reduce' });
    await play.waitFor({ state: 'hidden' });
  });

  it('tells the layer and the line coverage as the command line does', async () => {
    const panel = await recorded('fix.ndjson');
    const [words = 'none'] = /Line coverage .*/.exec(said) ?? [];
    assert.match(words, /^Line coverage \d+\.\d %, (below the )?target of L1: 80 %$/);
    assert.match(await panel.locator('header .folder').innerText(), / · preset qa · layer L1 only$/);
    await panel.getByRole('slider').focus();
    await workbench.page.keyboard.press('Home');
    await panel.locator('.coverage').waitFor({ state: 'hidden' });
    await workbench.page.keyboard.press('End');
    await panel.locator('.coverage').waitFor();
    assert.equal(await panel.locator('.coverage').innerText(), words);
  });

  it('can be read in every theme', async () => {
    const panel = await recorded('fix.ndjson');
    for (const [theme, worn] of themes) {
      await wear(theme, shop, workbench);
      await panel.getByRole('slider').focus();
      await workbench.page.keyboard.press('End');
      await panel.locator('.coverage').waitFor();
      assert.deepEqual(await hardToRead(panel), [], theme);
      await workbench.screenshot(`r7-recording-${worn}`);
      await panel.locator('section.remaining').scrollIntoViewIfNeeded();
      await painted(panel);
      await workbench.screenshot(`r8-recording-${worn}-below`);
      await panel.evaluate(() => window.scrollTo(0, 0));
      for (const key of ['Home', ...Array.from({ length: 5 }, () => 'ArrowRight')])
        await workbench.page.keyboard.press(key);
      await workbench.screenshot(`r7-recording-${worn}-amid`);
    }
    await shop.write('.vscode/settings.json', '{}');
  });

  it('opens tests and sources of this workspace, and stays beside them', async () => {
    const panel = await recorded('fix.ndjson');
    await panel.getByRole('slider').focus();
    await workbench.page.keyboard.press('End');
    await panel.getByRole('button', { name: /^Go to counts nuts in test\/unit\/shop\.test\.js:11/ }).click();
    await workbench.page.locator('.tab.active[aria-label^="shop.test.js"]').waitFor();
    await workbench.page.locator('.statusbar-item', { hasText: 'Ln 11, Col 1' }).waitFor();
    await panel
      .getByRole('button', { name: /^Go to the source change at src\/shop\.js:1/ })
      .first()
      .click();
    await workbench.page.locator('.tab.active[aria-label^="shop.js"]').waitFor();
    assert.ok(await panel.locator('h1').isVisible());
    await workbench.screenshot('r2-beside-its-file');
  });

  it('comes back at its step when the window is reloaded, and is not taken for the last cycle', async () => {
    const panel = await recorded('fix.ndjson');
    await panel.getByRole('slider').focus();
    await workbench.page.keyboard.press('Home');
    await until('the first event is shown', async () => (await bar(panel)).startsWith('Event 1 '));
    // The step is kept a moment later.
    await workbench.page.waitForTimeout(500);
    await workbench.reload();
    assert.match(await bar(await recorded('fix.ndjson')), /^Event 1 of \d+$/);
    await workbench.command('Testmend: Show the Last Fix Cycle');
    await workbench.notification('there is no fix cycle to show yet');
    await workbench.command('Notifications: Clear All Notifications');
  });

  it('opens nothing outside of the workspace and runs nothing, whatever it says', async () => {
    const outside = path.join(path.dirname(shop.root), 'secret.txt');
    await writeFile(outside, 'secret');
    await symlink(outside, path.join(shop.root, 'link.txt'));
    await writeFile(path.join(shop.root, 'hostile.ndjson'), hostile(shop.root));
    await openByMenu('hostile.ndjson');
    const panel = await recorded('hostile.ndjson');
    assert.match(await panel.locator('.banner').innerText(), /recording ends before the cycle did/);
    assert.equal(await panel.locator('main img, main script, main a, main b').count(), 0);
    const before = await tabs();
    const links = panel.locator('.card button.link');
    const count = await links.count();
    assert.equal(count, files.length);
    for (let index = 0; index < count; index++) {
      // A bug would show itself before the next click is answered.
      await links.nth(index).click();
      const text = `${files[index]} is not in this workspace.`;
      await panel.locator('.message', { hasText: text }).waitFor();
    }
    assert.deepEqual(await tabs(), before);
    assert.equal(await panel.evaluate(() => 'owned' in globalThis), false);
    assert.deepEqual(workbench.started.external, []);
    assert.ok(!processesIn([shop.root, sandboxes]).some((command) => command.includes('vitest')));
    await workbench.screenshot('r3-hostile');
  });

  it('is refused with the line that is wrong', async () => {
    await writeFile(path.join(shop.root, 'wrong.ndjson'), `${start(shop.root)}\n{"type":"nonsense"}\n`);
    await openByMenu('wrong.ndjson');
    await workbench.notification('wrong.ndjson, line 2 is an event of the type "nonsense"');
    await workbench.screenshot('r4-refused');
    await workbench.command('Notifications: Clear All Notifications');
  });

  it('tells in the status bar how a cycle goes that nobody looks at, and a click shows it', async () => {
    await workbench.command('View: Close All Editors');
    await writeFile(hold, '');
    await workbench.command('Testmend: Fix Failing Tests');
    const panel = await workbench.webview('main h1');
    await panel.locator('h1', { hasText: /^Iteration/ }).waitFor({ timeout: 150_000 });
    assert.equal(await status().count(), 0);
    await workbench.openFile('net.test.js');
    await status()
      .filter({ hasText: /iteration 1 of 10/ })
      .waitFor();
    await workbench.screenshot('r5-in-the-background');
    await status().click();
    await workbench.webview('main h1');
    await status().waitFor({ state: 'detached' });
  });

  it('says what came of it, and shows it', async () => {
    await workbench.page.locator('.tab[aria-label^="net.test.js"]').click();
    await status().waitFor();
    await rm(hold);
    const news = await workbench.notification('has a proven fix', 300_000);
    assert.match(
      await news.innerText(),
      /Testmend: 1 of 3 failing tests has a proven fix, 1 looks like a bug in the source\./,
    );
    await workbench.screenshot('r6-ended-in-the-background');
    assert.equal(await status().count(), 0);
    await news.getByRole('button', { name: 'Show' }).click();
    await workbench.webview('header[data-phase=ended]');
  });
});

/** Files that no link may open: beside the fix, then those of the failing tests. */
const files = [
  '../../../../etc/passwd',
  '../secret.txt',
  '/etc/hostname',
  'link.txt',
  'command:workbench.action.quit',
];

const start = (root: string): string =>
  JSON.stringify({ type: 'cycleStarted', root, preset: 'tester', maxIterations: 10, targetPassRate: 95 });

/** Titles and reasons that are markup and links, files outside of the workspace, and an end that is missing. */
function hostile(root: string): string {
  const words = `${hostileTitle} [click](command:workbench.action.quit) <a href="command:workbench.action.quit">x</a> \`<b>x</b>\``;
  const tests = files.slice(1).map((file, index) => ({
    id: `vitest:${file}#${index}`,
    file,
    line: 1,
    title: `${words} ${index}`,
    severity: 'critical',
    fault: 'source',
    reason: `${words} ${index}`,
    message: `${words} ${index}`,
  }));
  const fix = {
    id: 'fix',
    title: words,
    grade: 'surgical',
    trust: 'mechanical',
    edits: [{ file: '../secret.txt', before: '', changes: [] }],
    failures: ['vitest:a.test.ts'],
    provider: words,
    confidence: 1,
    evidence: [words],
    sourceChange: {
      location: { file: files[0], line: 1, column: 1 },
      excerpt: `+ ${words}`,
    },
    verdict: { verdict: 'verified', runs: 1, scope: 'file', violations: [] },
    diff: `--- a/../secret.txt\n+++ b/../secret.txt\n+${words}\n`,
    state: 'accepted',
  };
  return [
    start(root),
    JSON.stringify({ type: 'testsFailing', iteration: 1, tests }),
    JSON.stringify({ type: 'fixJudged', iteration: 1, fix }),
    '',
  ].join('\n');
}
