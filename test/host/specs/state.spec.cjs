'use strict';
// What the Testing view keeps: its rows while files are saved and broken, and each run that was asked for.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { ask, messages, open, openTestingView, root, rowOf, until } = require('./support.cjs');

const slow = `import { existsSync, writeFileSync } from 'node:fs';
import { it } from 'vitest';

it('waits for a word', async () => {
  writeFileSync(new URL('../slow.runs', import.meta.url), '');
  while (!existsSync(new URL('../slow.go', import.meta.url))) await new Promise((done) => setTimeout(done, 20));
}, 600_000);
`;

describe('the state of the Testing view', function () {
  this.timeout(400_000);
  let document;
  let original;
  const edit = async (change) => {
    const edits = new vscode.WorkspaceEdit();
    change(edits);
    assert.ok(await vscode.workspace.applyEdit(edits));
  };
  const type = (text) => edit((edits) => edits.insert(document.uri, new vscode.Position(0, 0), text));
  const replaceAll = (text) =>
    edit((edits) => edits.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text));

  // In a browser VS Code saves by itself, which would end every word's being unsaved.
  const setAutoSave = (value) =>
    vscode.workspace.getConfiguration('files').update('autoSave', value, vscode.ConfigurationTarget.Global);

  before(async () => {
    await setAutoSave('off');
    await openTestingView();
    document = await open('tests/greeting.test.ts');
    original = document.getText();
    await until('the file is listed', () => rowOf('greeting.test.ts'));
    await vscode.commands.executeCommand('testing.runCurrentFile');
    await ask('expand', 'greeting.test.ts');
    await ask('expand', 'greeting');
    await until('its tests have run', async () => (await rowOf('says goodbye'))?.startsWith('✔'));
  });

  after(() => setAutoSave(undefined));

  afterEach(async () => {
    await open('tests/greeting.test.ts');
    if (document.getText() !== original) await replaceAll(original);
    await document.save();
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('loses no row when a test file is saved again and again', async () => {
    const rows = [];
    for (let round = 1; round <= 5; round++) {
      await type(`// Round ${round}.\n`);
      await document.save();
      rows.push(...(await Promise.all([rowOf('greeting.test.ts'), rowOf('says goodbye')])));
    }
    // As other editors save: written beside and renamed onto it.
    fs.writeFileSync(`${document.uri.fsPath}.new`, `// Anew.\n${original}`);
    fs.renameSync(`${document.uri.fsPath}.new`, document.uri.fsPath);
    await until('the editor has it', () => document.getText().startsWith('// Anew.'));
    rows.push(...(await Promise.all([rowOf('greeting.test.ts'), rowOf('says goodbye')])));
    assert.deepEqual(
      rows.filter((row) => row === undefined),
      [],
    );
  });

  it('keeps the tests of a file while it has a syntax error, and follows it when it is whole again', async () => {
    const cut = original.indexOf("it('says goodbye'");
    await replaceAll(original.slice(0, cut) + "it('says goo");
    // It is over when the engine has read the broken text.
    await vscode.commands.executeCommand('testmend.refreshTests');
    assert.ok(await rowOf('says goodbye'));
    assert.ok(await rowOf('trims the name'));
    await replaceAll(original.replace('says goodbye', 'bids farewell'));
    await until('the new name is shown', () => rowOf('bids farewell'));
    assert.equal(await rowOf('says goodbye'), undefined);
  });

  it('carries out every run that is asked for while another goes on', async () => {
    const made = ['tests/slow.test.ts', 'slow.runs', 'slow.go'].map((file) => path.join(root(), file));
    fs.writeFileSync(made[0], slow);
    try {
      await vscode.commands.executeCommand('testing.refreshTests');
      await open('tests/slow.test.ts');
      let lastAsked = 0;
      const runs = [];
      await until('the slow test runs', () => {
        if (fs.existsSync(made[1])) return true;
        if (Date.now() - lastAsked > 5000) {
          lastAsked = Date.now();
          runs.push(vscode.commands.executeCommand('testing.runCurrentFile'));
        }
        return false;
      });
      await open('tests/greeting.test.ts');
      runs.push(vscode.commands.executeCommand('testing.runCurrentFile'));
      runs.push(vscode.commands.executeCommand('testing.runCurrentFile'));
      await until('the others wait', async () => (await rowOf('says goodbye'))?.startsWith('…'));
      fs.writeFileSync(made[2], '');
      await Promise.all(runs);
      await until('the slow test passed', async () => (await rowOf('slow.test.ts'))?.startsWith('✔'));
      await until('the others have run', async () => (await rowOf('says goodbye'))?.startsWith('✔'));
    } finally {
      for (const file of made) fs.rmSync(file, { force: true });
    }
  });

  it('offers to save before a run of files that are not', async () => {
    const settings = vscode.workspace.getConfiguration('testing');
    await settings.update('saveBeforeTest', false, vscode.ConfigurationTarget.Global);
    try {
      await type('// Not saved.\n');
      const run = vscode.commands.executeCommand('testing.runCurrentFile');
      const offer = await until('it offers to save', async () => (await messages())[0]);
      assert.deepEqual(offer.buttons, ['Save All & Run', 'Run Saved Version']);
      await ask('click', 'Save All & Run');
      await run;
      assert.equal(document.isDirty, false);
    } finally {
      await settings.update('saveBeforeTest', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
