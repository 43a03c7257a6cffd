// A cycle that tries its fixes in the workspace itself, while its window goes or its engine is killed: every file is given back, and it is told.
import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { lockHolder } from '../../src/core/workspace/ownedLock.ts';
import { engineIn, processesIn } from '../support/processesIn.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { treeSnapshot } from '../support/treeSnapshot.ts';
import { installed } from './installed.ts';
import { until, type Workbench } from './workbench.ts';

const test = 'tests/greeting.test.js';
/** With the new value in its text it waits as long as there is a file `hold` beside the workspace. */
const testText = `import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { greet } from '../src/greeting.js';

it('greets by name', async () => {
  const text = readFileSync(new URL(import.meta.url), 'utf8');
  while (text.includes('Hello' + ', Ada') && existsSync(new URL('../../hold', import.meta.url)))
    await new Promise((resolve) => setTimeout(resolve, 10));
  expect(greet('Ada')).toBe('Hi, Ada');
}, 120_000);
`;

describe('a fix cycle in the workspace itself', function () {
  let shop: TemporaryWorkspace;
  let workbench: Workbench;
  let sandboxes: string;
  let original: unknown;
  const opened = installed(
    async () => {
      const made = await temporaryWorkspace(
        {
          'package.json': '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "*" } }',
          'src/greeting.js': 'export const greet = (name) => `Hi, ${name}`;\n',
          [test]: testText,
        },
        { git: true, vitest: true },
      );
      await made.write('src/greeting.js', 'export const greet = (name) => `Hello, ${name}`;\n');
      return made;
    },
    { 'testmend.fix.sandbox': 'inPlace' },
    ({ root }) => ({ env: { XDG_STATE_HOME: path.join(root, '../state') } }),
  );
  const hold = (): string => path.join(shop.root, '../hold');
  const files = async (): Promise<unknown> =>
    Object.entries(await treeSnapshot(shop.root)).filter(
      ([name, text]) => !/^(?:node_modules|\.git)\b/.test(name) && !text.endsWith('folder'),
    );
  /** Of the test file, which is not there for a moment while its texts are exchanged. */
  const text = (): Promise<string> => shop.read(test).catch(() => '');
  before(async () => {
    ({ workspace: shop, workbench, sandboxes } = opened());
    await writeFile(hold(), '');
    original = await files();
  });

  /** Until the text of a fix stands in the file of the user, and its test runs. */
  const trial = (): Promise<void> =>
    until('a fix is on trial', async () => (await text()).includes("'Hello, Ada'"));
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
    processesIn([shop.root, sandboxes]).filter((each) => each.includes('vitest'));
  const isAsBefore = async (): Promise<void> => {
    await until('the file is given back', async () => (await text()) === testText);
    await until('no test process is left', () => Promise.resolve(testProcesses().length === 0));
    await until('locks and the journal are gone', async () => (await left()).length === 0, 30_000).catch(
      async (error: Error) => assert.fail(`${error.message}: ${(await left()).join(', ')}`),
    );
    assert.deepEqual(await files(), original);
  };
  it('gives every file back when the window is reloaded amid a trial, and says so', async () => {
    await workbench.openFile('greeting.test.js');
    await workbench.command('Testmend: Fix Failing Tests');
    await trial();
    assert.ok((await left()).includes('in-place.lock'));
    await workbench.screenshot('i1-on-trial');
    await workbench.reload();
    await isAsBefore();
    const panel = await workbench.webview('header[data-phase=ended]');
    await panel.locator('.message', { hasText: 'Files in which fixes were tried are given back' }).waitFor();
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
    await workbench.notification('gives back the files in which fixes were tried');
    await workbench.notification(
      `Testmend was killed while it tried fixes in the workspace: ${test} is as it was before.`,
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
