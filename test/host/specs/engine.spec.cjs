'use strict';
// The engine dies: it is there again, the user is told once, no test is left running, and no file, process or sandbox is left over.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const {
  ask,
  commandsBelow,
  engineProcesses,
  filesOf,
  messages,
  open,
  openTestingView,
  quickFixes,
  root,
  rowOf,
  until,
} = require('./support.cjs');

const endless = `import { writeFileSync } from 'node:fs';
import { it } from 'vitest';

it('goes on and on', async () => {
  writeFileSync(new URL('../endless.pid', import.meta.url), String(process.pid));
  await new Promise(() => setInterval(() => undefined, 1000));
}, 600_000);
`;
const place = "expect(greet('Ada'))";
const buttons = ['Show Log'];

describe('an engine that is killed', function () {
  this.timeout(400_000);
  let document;
  let endlessPid;
  /** What nobody handled, as the log of the extension host would have it. */
  const unhandled = [];
  const note = (reason) => unhandled.push(String((reason && reason.stack) || reason));
  const endlessFile = () => path.join(root(), 'tests/endless.test.ts');
  const pidFile = () => path.join(root(), 'endless.pid');
  const sandboxes = () => {
    const folder = process.env.TESTMEND_SANDBOX_DIR;
    return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  };

  /** Kills it, and resolves with the messages as soon as another one is there. */
  const kill = async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    const [{ pid }] = engineProcesses();
    process.kill(pid, 'SIGKILL');
    const shown = await until('somebody says so', async () => {
      const found = await messages();
      return found.length > 0 && found;
    });
    await until('another engine runs', () => engineProcesses().some((engine) => engine.pid !== pid));
    return shown;
  };

  before(async function () {
    if (!fs.existsSync('/proc/self/stat')) this.skip();
    process.on('unhandledRejection', note);
    await openTestingView();
    document = await open('tests/greeting.test.ts');
    await vscode.commands.executeCommand('testing.runCurrentFile');
  });

  // Only an engine that answers is killed.
  beforeEach(() => until('fixes are offered', async () => (await quickFixes(document, place)).length > 0));

  after(async () => {
    process.off('unhandledRejection', note);
    if (endlessPid !== undefined && isAlive(endlessPid)) process.kill(endlessPid, 'SIGKILL');
    for (const made of [endlessFile(), pidFile()]) fs.rmSync(made, { force: true });
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('testing.refreshTests');
  });

  it('while idle, is started again with the tests still listed and their fixes still offered', async () => {
    const shown = await kill();
    assert.deepEqual(shown, [
      {
        text: 'Testmend: the engine stopped. It restarts automatically; Testmend changed no files.',
        buttons,
      },
    ]);
    await until('fixes are offered again', async () => (await quickFixes(document, place)).length > 0);
    assert.match(await rowOf('greeting.test.ts'), /^✖/);
    assert.equal((await messages()).length, 1);
  });

  it('in a run, leaves its tests errored and no process of theirs', async () => {
    fs.writeFileSync(endlessFile(), endless);
    await vscode.commands.executeCommand('testing.refreshTests');
    await open('tests/endless.test.ts');
    let lastAsked = 0;
    endlessPid = await until('the test runs', () => {
      const written = fs.existsSync(pidFile()) ? fs.readFileSync(pidFile(), 'utf8') : '';
      if (written !== '') return Number(written);
      if (Date.now() - lastAsked > 5000) {
        lastAsked = Date.now();
        void vscode.commands.executeCommand('testing.runCurrentFile');
      }
      return undefined;
    });
    const shown = await kill();
    assert.deepEqual(shown, [
      {
        text: 'Testmend: the engine stopped during a test run. It restarts automatically; Testmend changed no files. Tests that had not finished are shown as errored.',
        buttons,
      },
    ]);
    await until('the test is errored', async () => (await rowOf('endless.test.ts'))?.startsWith('!'));
    await until('the test process is gone', () => !isAlive(endlessPid));
    assert.equal((await messages()).length, 1);
    for (const made of [endlessFile(), pidFile()]) fs.rmSync(made, { force: true });
    await vscode.commands.executeCommand('testing.refreshTests');
    await until('the file is gone from the view', async () => (await rowOf('endless.test.ts')) === undefined);
  });

  it('in a fix cycle, leaves the workspace as it was, and the next one removes the sandbox', async () => {
    const before = filesOf();
    void vscode.commands.executeCommand('testmend.fixFailingTests');
    await until('the cycle works in its sandbox', () => sandboxes().length > 0);
    const left = sandboxes();
    const shown = await kill();
    assert.deepEqual(shown, [
      {
        text: 'Testmend: the engine stopped during a fix cycle. It restarts automatically; Testmend changed no files.',
        buttons,
      },
    ]);
    await until('the panel says so', async () =>
      (await ask('panels')).some((text) => text.includes('The engine stopped before ')),
    );
    await until('the sandbox is gone', () => !sandboxes().some((name) => left.includes(name)));
    await until('no process is left', () => !commandsBelow().some((command) => /vitest/.test(command)));
    assert.deepEqual(filesOf(), before);
    assert.equal((await messages()).length, 1);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('again and again, is left alone until the user starts it', async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    const [{ pid }] = engineProcesses();
    process.kill(pid, 'SIGKILL');
    const shown = await until('somebody says so', async () => {
      const found = await messages();
      return found.length > 0 && found;
    });
    assert.deepEqual(shown, [
      {
        text: 'Testmend: the engine keeps stopping, so it is no longer restarted automatically.',
        buttons: ['Restart', 'Show Log'],
      },
    ]);
    // Neither an opened test file nor a run starts it behind the user's back.
    document = await open('tests/greeting.test.ts');
    await vscode.commands.executeCommand('testing.runCurrentFile');
    assert.deepEqual(engineProcesses(), []);
    assert.equal((await messages()).length, 1);
    await ask('click', 'Restart');
    await until('the engine runs', () => engineProcesses().length === 1);
    await until('fixes are offered', async () => (await quickFixes(document, place)).length > 0);
  });

  it('while it starts, is started again, and that is said once', async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    const old = new Set(engineProcesses().map(({ pid }) => pid));
    void vscode.commands.executeCommand('testmend.restartEngine');
    const { pid } = await until('another one starts', () =>
      engineProcesses().find((engine) => !old.has(engine.pid)),
    );
    process.kill(pid, 'SIGKILL');
    await until('fixes are offered', async () => (await quickFixes(document, place)).length > 0);
    assert.deepEqual(await messages(), [
      {
        text: 'Testmend: the engine stopped. It restarts automatically; Testmend changed no files.',
        buttons,
      },
    ]);
  });

  it('leaves no error that nobody handled', () => {
    assert.deepEqual(
      unhandled.filter((text) => /testmend|dist[\\/]|client|connection|Pending response/i.test(text)),
      [],
    );
  });
});

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
