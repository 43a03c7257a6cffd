'use strict';
// A workspace that nobody trusts: its tests are listed, and nothing of it is started.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vscode = require('vscode');
const {
  ask,
  commandsBelow,
  mcpServers,
  messages,
  open,
  openTestingView,
  quickFixes,
  rowOf,
  until,
} = require('../support.cjs');

describe('an untrusted workspace', () => {
  const nothingRan = () =>
    assert.deepEqual(
      commandsBelow().filter((command) => /vitest|skillHost/.test(command)),
      [],
    );

  it('has its tests listed', async () => {
    assert.equal(vscode.workspace.isTrusted, false);
    await openTestingView();
    await until('the file is listed', () => rowOf('greeting.test.ts'));
    await ask('expand', 'greeting.test.ts');
    await ask('expand', 'greeting');
    assert.equal(await until('a test is listed', () => rowOf('says goodbye')), '· says goodbye');
    nothingRan();
  });

  it('offers no server to agents', async () => {
    assert.ok(!(await mcpServers()).some((row) => row.includes('Testmend')));
  });

  it('runs none of them and says why', async () => {
    const document = await open('tests/greeting.test.ts');
    // VS Code itself may ask for trust before it hands the run over; our own word comes with the command of a fix.
    void vscode.commands.executeCommand('testmend.fixFailingTests');
    const [message] = await until('it says why', async () => {
      const found = await messages();
      return found.length > 0 && found;
    });
    assert.match(message.text, /only in a trusted workspace/);
    assert.deepEqual(await quickFixes(document, "expect(greet('Ada'))"), []);
    nothingRan();
  });

  it('shows a recorded cycle, which starts nothing, and refuses what is none', async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'testmend-recording-'));
    const inFolder = (name, text) => {
      fs.writeFileSync(path.join(folder, name), text);
      return vscode.Uri.file(path.join(folder, name));
    };
    const started =
      '{"type":"cycleStarted","root":"/shop","preset":"tester","maxIterations":10,"targetPassRate":95}\n';
    try {
      const recording = inFolder('fix.ndjson', `${started}{"type":"progress","text":"looking for tests"}\n`);
      await vscode.commands.executeCommand('testmend.openRecording', recording);
      const shown = await until('the panel shows it', async () =>
        (await ask('panels')).find((text) => text.includes('Recording fix.ndjson of a cycle in /shop.')),
      );
      assert.match(shown, /Event 2 of 2\s+Looking for tests…/);
      const link = '[link](command:workbench.action.quit)';
      await vscode.commands.executeCommand(
        'testmend.openRecording',
        inFolder(`${link}.ndjson`, `${started}{"type":3}\n`),
      );
      const [refusal] = await until('it is refused', async () => {
        const found = await messages();
        return found.length > 0 && found;
      });
      assert.match(refusal.text, /command:workbench\.action\.quit.*, line 2 is not an event of a fix cycle/);
      nothingRan();
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  it('runs and mends them as soon as it is trusted, without a reload', async () => {
    await vscode.commands.executeCommand('notifications.clearAll');
    await vscode.commands.executeCommand('workbench.trust.manage');
    await ask('click', 'Trust');
    await until('it is trusted', () => vscode.workspace.isTrusted);
    const document = await open('tests/greeting.test.ts');
    await vscode.commands.executeCommand('testing.runCurrentFile');
    await until('a test passed', async () => (await rowOf('says goodbye')) === '✔ says goodbye');
    const place = "expect(greet('Ada'))";
    await until('fixes are offered', async () => (await quickFixes(document, place)).length > 0);
    await until('agents are offered a server', async () =>
      (await mcpServers()).some((row) => row.includes('Testmend')),
    );
  });
});
