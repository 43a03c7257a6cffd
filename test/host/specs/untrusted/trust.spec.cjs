'use strict';
// A workspace that nobody trusts: its tests are listed, and nothing of it is started.
const assert = require('node:assert/strict');
const vscode = require('vscode');
const {
  ask,
  commandsBelow,
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
  });
});
