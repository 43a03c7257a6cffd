// A fix cycle that is cut off, by an engine that is killed or a window that dies: the panel offers to take it up again, or to forget it.
import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { lockCycle } from '../../src/core/cycle/cycleLock.ts';
import type { OwnedLock } from '../../src/core/sandbox/ownedLock.ts';
import type { Frame, Locator } from 'playwright-core';
import { nodeManifest } from '../support/greetingShop.ts';
import { heldTest, heldTestOf } from '../support/heldTrial.ts';
import { engineIn, processesIn } from '../support/processesIn.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { treeSnapshot } from '../support/treeSnapshot.ts';
import { installed } from './installed.ts';
import { until, type Workbench } from './workbench.ts';

/** Where the workbench keeps its locks. */
const stateOf = (root: string): string => path.join(path.dirname(root), 'state');

/** As long as there is this file, a cycle of the shop is held amid its second trial. */
const hold = path.join(os.tmpdir(), `testmend-hold-${process.pid}`);

/** An import that is mended first, an expectation that is held on trial, and a bug. */
async function heldAmidCycle(): Promise<TemporaryWorkspace> {
  const testOf = (module: string, title: string, check: string): string =>
    `import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ${module} } from '../src/${module}.js';

it('${title}', () => assert.${check});
`;
  const label = 'export const label = (item) => `${item}, fresh`;\n';
  const shop = await temporaryWorkspace(
    {
      'package.json': nodeManifest,
      'src/greeting.js': 'export const greet = (name) => `Hi, ${name}`;\n',
      'src/label.js': label,
      'src/left.js': 'export const left = (item) => ({ nuts: 3 })[item];\n',
      [heldTest]: heldTestOf(JSON.stringify(hold)),
      'tests/label.test.js': testOf('label', 'labels nuts', "equal(label('nuts'), 'nuts, fresh')"),
      'tests/left.test.js': testOf('left', 'counts nuts', "equal(left('nuts'), 3)"),
    },
    { git: true },
  );
  await shop.write('src/greeting.js', 'export const greet = (name) => `Hello, ${name}`;\n');
  await shop.write('src/left.js', 'export const left = (item) => stores[item].count;\n');
  shop.git('mv', 'src/label.js', 'src/tag.js');
  await writeFile(hold, '');
  return shop;
}

describe('a fix cycle that was cut off', function () {
  let shop: TemporaryWorkspace;
  let workbench: Workbench;
  let sandboxes: string;
  /** What was proven when it was cut off first. */
  let first: readonly string[];
  let original: unknown;
  const opened = installed(heldAmidCycle, {}, ({ root }) => ({
    ownData: '',
    env: { XDG_STATE_HOME: stateOf(root) },
  }));
  before(async () => {
    ({ workspace: shop, workbench, sandboxes } = opened());
    original = await files();
  });
  after(() => rm(hold, { force: true }));

  const files = async (): Promise<unknown> =>
    Object.entries(await treeSnapshot(shop.root)).filter(([name]) => !/^(?:\.git|node_modules)\b/.test(name));
  const offer = (panel: Frame): Locator => panel.getByRole('button', { name: 'Resume' });
  const proven = (panel: Frame): Promise<string[]> =>
    panel.locator('.card:has(.badge.verdict-verified) .fold').allTextContents();
  /** Until something is proven in the cycle that runs. */
  const provesSomething = async (): Promise<Frame> => {
    const panel = await workbench.webview('header[data-phase=running]', 150_000);
    await panel.locator('header[data-phase=running] ~ .sections .verdict-verified').first().waitFor();
    return panel;
  };
  const kill = (): void => {
    const engine = engineIn(workbench.folder);
    assert.ok(engine);
    process.kill(engine, 'SIGKILL');
  };
  /** The lock of a cycle that this very process holds. */
  const lockElsewhere = async (): Promise<OwnedLock> => {
    const former = process.env['XDG_STATE_HOME'];
    process.env['XDG_STATE_HOME'] = stateOf(shop.root);
    try {
      return await lockCycle(shop.root, { isInPlace: false, onNote: () => undefined });
    } finally {
      if (former === undefined) delete process.env['XDG_STATE_HOME'];
      else process.env['XDG_STATE_HOME'] = former;
    }
  };
  const records = async (): Promise<readonly string[]> =>
    (await readdir(workbench.folder, { recursive: true })).filter((name) => name.endsWith('.record.jsonl'));

  it('is offered with what it had proven when its engine is killed', async () => {
    await workbench.openFile('greeting.test.js');
    await workbench.command('Testmend: Fix Failing Tests');
    const panel = await provesSomething();
    kill();
    await offer(panel).waitFor();
    assert.match(await panel.locator('.message').innerText(), /The engine stopped before the cycle ended\./);
    first = await proven(panel);
    assert.ok(first.length > 0);
    // One way to drop it all is enough.
    await panel.getByRole('button', { name: 'Apply all mechanical' }).waitFor();
    assert.equal(await panel.getByRole('button', { name: 'Discard the rest' }).count(), 0);
    await workbench.screenshot('t1-engine-killed');
    assert.deepEqual(await files(), original);
    await until('no test process is left', () =>
      Promise.resolve(!processesIn([shop.root, sandboxes]).some((each) => each.includes('.test.js'))),
    );
  });

  it('stays on offer in another window while somebody else has a cycle in the folder', async () => {
    await workbench.die();
    const lock = await lockElsewhere();
    await workbench.command('Testmend: Show the Last Fix Cycle');
    const panel = await workbench.webview('header[data-phase=ended]');
    await offer(panel).click();
    await panel
      .locator('.message.error', { hasText: 'A fix cycle is already running for this folder' })
      .waitFor();
    await workbench.screenshot('t2-still-on-offer');
    assert.deepEqual(await proven(panel), first, 'nothing that was found is out of sight');
    await offer(panel).waitFor();
    await lock.release();
  });

  it('is taken up by a click, once more after another kill, and ends as if nothing had happened', async () => {
    await offer(await workbench.webview('header[data-phase=ended]')).click();
    const running = await provesSomething();
    assert.match(
      await running.locator('.taken-up').innerText(),
      /^Resumes the cycle of \d\d:\d\d, which was cut off in its first iteration with \d+ proven fix(es)?\./,
    );
    await workbench.screenshot('t3-taken-up');
    kill();
    const panel = await workbench.webview('header[data-phase=failed]');
    await rm(hold);
    await offer(panel).click();
    await workbench.webview('header[data-phase=running]');
    await workbench.webview('header[data-phase=ended]', 300_000);
    await workbench.screenshot('t4-ended');
    const [, again, all] =
      /^Resumed: (\d+) of (\d+) fix(?:es)? proven again\.$/.exec(
        await panel.locator('.taken-up').innerText(),
      ) ?? [];
    assert.ok(Number(all) >= first.length && again === all, `${again} of ${all}`);
    assert.equal(await panel.locator('h1').innerText(), '●\n2 fixes to decide');
    assert.equal(await panel.locator('section.remaining .card').count(), 1);
    assert.deepEqual(await records(), []);
    assert.deepEqual(await files(), original);
  });

  it('is forgotten with a click', async () => {
    await writeFile(hold, '');
    const last = await workbench.webview('header[data-phase=ended]');
    await last.getByRole('button', { name: 'Run again' }).click();
    await provesSomething();
    await workbench.reload();
    const panel = await workbench.webview('header[data-phase=ended]');
    const discard = panel.getByRole('button', { name: 'Discard', exact: true });
    await discard.waitFor();
    assert.equal((await records()).length, 1);
    await discard.click();
    await offer(panel).waitFor({ state: 'hidden' });
    assert.match(await panel.locator('.message').innerText(), /^Discarded; nothing in the workspace changed/);
    await workbench.screenshot('t5-discarded');
    await until('its record is gone', async () => (await records()).length === 0);
    await workbench.reload();
    const again = await workbench.webview('header[data-phase=ended]');
    await again.getByRole('button', { name: 'Run again' }).waitFor();
    assert.equal(await offer(again).count(), 0);
    assert.deepEqual(await files(), original);
  });
});
