'use strict';
// The engine dies: it is there again, the user is told once, and neither rows nor fixes are lost.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const vscode = require('vscode');
const {
  engineProcesses,
  messages,
  open,
  openTestingView,
  quickFixes,
  rowOf,
  until,
} = require('./support.cjs');

const place = "expect(greet('Ada'))";
const buttons = ['Show Log'];

describe('an engine that is killed', function () {
  this.timeout(120_000);
  let document;
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
    await openTestingView();
    document = await open('tests/greeting.test.ts');
    await vscode.commands.executeCommand('testing.runCurrentFile');
    await until('fixes are offered', async () => (await quickFixes(document, place)).length > 0);
  });

  after(async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('while idle, is started again with the tests still listed and their fixes still offered', async () => {
    const shown = await kill();
    assert.deepEqual(shown, [
      {
        text: 'Testmend: the engine stopped. It starts again by itself; Testmend changed no file.',
        buttons,
      },
    ]);
    await rowOf('greeting.test.ts');
    await until('fixes are offered again', async () => (await quickFixes(document, place)).length > 0);
    assert.match(await rowOf('greeting.test.ts'), /^✖/);
    assert.equal((await messages()).length, 1);
  });
});
