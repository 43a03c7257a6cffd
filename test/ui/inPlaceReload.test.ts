// A cycle that tries its fixes in the workspace itself, while its window goes or its engine is killed: every file is given back, and it is told.
import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lockHolder } from '../../src/core/sandbox/ownedLock.ts';
import { heldShop, heldTest, heldTestText, isOnTrial, ownFiles } from '../support/heldTrial.ts';
import { engineIn, processesIn } from '../support/processesIn.ts';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { installed } from './installed.ts';
import { until, type Workbench } from './workbench.ts';

describe('a fix cycle in the workspace itself', function () {
  let shop: TemporaryWorkspace;
  let workbench: Workbench;
  let sandboxes: string;
  let original: unknown;
  const opened = installed(heldShop, { 'testmend.fix.sandbox': 'inPlace' }, ({ root }) => ({
    ownData: '',
    env: { XDG_STATE_HOME: path.join(root, '../state') },
  }));
  const hold = (): string => path.join(shop.root, '../hold');
  before(async () => {
    ({ workspace: shop, workbench, sandboxes } = opened());
    await writeFile(hold(), '');
    original = await ownFiles(shop);
  });

  /** Until the text of a fix stands in the file of the user, and its test runs. */
  const trial = (): Promise<void> => until('a fix is on trial', () => isOnTrial(shop));
  /** Journals, locks that are held, and what was kept for the user. */
  const left = async (): Promise<readonly string[]> => {
    const state = path.join(shop.root, '../state');
    const found: string[] = [];
    for (const name of await readdir(state, { recursive: true }).catch(() => [])) {
      // A lock of a process that is gone holds nobody up.
      const isHeld = name.endsWith('.lock') && (await lockHolder(path.join(state, name))) !== undefined;
      if (isHeld || /\bin-place-|\bkept\b/.test(name)) found.push(path.basename(name));
    }
    return found;
  };
  const testProcesses = (): readonly string[] =>
    processesIn([shop.root, sandboxes]).filter((each) => each.includes(heldTest));
  const isAsBefore = async (): Promise<void> => {
    await until(
      'the file is given back',
      async () => (await shop.read(heldTest).catch(() => '')) === heldTestText,
    );
    await until('no test process is left', () => Promise.resolve(testProcesses().length === 0));
    await until('locks and the journal are gone', async () => (await left()).length === 0, 30_000).catch(
      async (error: Error) => assert.fail(`${error.message}: ${(await left()).join(', ')}`),
    );
    assert.deepEqual(await ownFiles(shop), original);
  };
  it('gives every file back when the window is reloaded amid a trial, and says so', async () => {
    await workbench.openFile('greeting.test.js');
    await workbench.command('Testmend: Fix Failing Tests');
    await trial();
    assert.ok((await left()).includes('in-place.lock'));
    assert.notDeepEqual(testProcesses(), []);
    await workbench.screenshot('i1-on-trial');
    await workbench.reload();
    await isAsBefore();
    const panel = await workbench.webview('header[data-phase=ended]');
    await panel.locator('.message', { hasText: 'Files in which fixes were tried are restored' }).waitFor();
    await workbench.screenshot('i2-reloaded');
  });

  it('gives them back when its engine is killed, and tells which they were', async () => {
    const panel = await workbench.webview('header[data-phase=ended]');
    await panel.getByRole('button', { name: 'Run again' }).click();
    await trial();
    const engine = engineIn(workbench.folder);
    assert.ok(engine);
    process.kill(engine, 'SIGKILL');
    await isAsBefore();
    await panel
      .locator('.message', { hasText: 'The engine stopped before the cycle ended. Files' })
      .waitFor();
    await workbench.notification('restores the files in which fixes were tried');
    await workbench.notification(
      `Testmend was killed while it tried fixes in the workspace: ${heldTest} is as it was before.`,
    );
    await workbench.screenshot('i3-killed');
    await workbench.command('Notifications: Clear All Notifications');
  });

  it('gives them back when window and engine are gone at once, as soon as the panel is shown again', async () => {
    const panel = await workbench.webview('header[data-phase=failed]');
    await panel.getByRole('button', { name: 'Run again' }).click();
    await trial();
    const engine = engineIn(workbench.folder);
    assert.ok(engine);
    // It starts no other: the window dies in the same moment.
    process.kill(engine, 'SIGSTOP');
    // While it lived, though stopped, the next would leave it what it has on trial.
    await workbench.die(() => process.kill(engine, 'SIGKILL'));
    await workbench.command('Testmend: Show the Last Fix Cycle');
    await isAsBefore();
    await workbench.screenshot('i4-died');
  });

  it('ends well once it is left alone', async () => {
    await rm(hold());
    const panel = await workbench.webview('header[data-phase=ended]');
    await panel.getByRole('button', { name: 'Run again' }).click();
    await panel.locator('.badge.verdict-verified').waitFor();
    await workbench.webview('header[data-phase=ended]');
    await isAsBefore();
  });
});
