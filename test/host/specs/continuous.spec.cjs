'use strict';
// Continuous run: a save runs what it affects, several saves run it once, a later save supersedes, tests cannot keep it going.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { messages, open, openTestingView, root, rowOf, until } = require('./support.cjs');

const files = {
  'src/watchedOne.ts': 'export const one = 1;\n',
  'src/watchedTwo.ts': 'export const two = 2;\n',
  'src/watchedMade.ts': 'export const made = 0;\n',
  'src/watchedSlow.ts': 'export const slow = 1;\n',
  'tests/watchedBoth.test.ts': `import { appendFileSync } from 'node:fs';
import { it } from 'vitest';
import '../src/watchedOne';
import '../src/watchedTwo';
it('watches both', () => appendFileSync('watched.log', 'both\\n'));
`,
  'tests/watchedNone.test.ts': `import { appendFileSync } from 'node:fs';
import { it } from 'vitest';
it('watches none', () => appendFileSync('watched.log', 'none\\n'));
`,
  'tests/watchedLoop.test.ts': `import { appendFileSync, writeFileSync } from 'node:fs';
import { it } from 'vitest';
import '../src/watchedMade';
it('writes what it imports', () => {
  appendFileSync('watched.log', 'loop\\n');
  writeFileSync('src/watchedMade.ts', 'export const made = ' + Date.now() + ';\\n');
});
`,
  'tests/watchedSlow.test.ts': `import { appendFileSync, existsSync } from 'node:fs';
import { it } from 'vitest';
import '../src/watchedSlow';
it('waits to be let go', async () => {
  appendFileSync('watched.log', 'slow begins\\n');
  while (!existsSync('watched.go')) await new Promise((done) => setTimeout(done, 20));
  appendFileSync('watched.log', 'slow ends\\n');
}, 600_000);
`,
};

describe('a continuous run', function () {
  this.timeout(400_000);
  const place = (file) => path.join(root(), file);
  const log = () =>
    fs.existsSync(place('watched.log')) ? fs.readFileSync(place('watched.log'), 'utf8') : '';
  const count = (line) =>
    log()
      .split('\n')
      .filter((one) => one === line).length;
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  /** Edits the files and saves them all. */
  const save = async (...names) => {
    const documents = [];
    for (const name of names) {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(place(name)));
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), '// Saved.\n');
      assert.ok(await vscode.workspace.applyEdit(edit));
      documents.push(document);
    }
    for (const document of documents) assert.ok(await document.save());
  };

  before(async () => {
    await vscode.workspace
      .getConfiguration('files')
      .update('autoSave', 'off', vscode.ConfigurationTarget.Global);
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(place(name), text);
    await openTestingView();
    await vscode.commands.executeCommand('testing.refreshTests');
    await until('the tests are listed', () => rowOf('watchedBoth.test.ts'));
    await vscode.commands.executeCommand('testing.startContinuousRun');
    await pause(3_000);
  });

  after(async () => {
    await vscode.commands.executeCommand('testing.stopContinuousRun');
    fs.writeFileSync(place('watched.go'), '');
    await vscode.workspace
      .getConfiguration('files')
      .update('autoSave', undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const name of [...Object.keys(files), 'watched.log', 'watched.go'])
      fs.rmSync(place(name), { force: true });
    await vscode.commands.executeCommand('testing.refreshTests');
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('runs the tests that a saved file affects, once for several saves, and no other', async () => {
    await open('src/watchedOne.ts');
    await save('src/watchedOne.ts', 'src/watchedTwo.ts');
    await until('the affected test has run', () => count('both') > 0);
    await pause(4_000);
    assert.equal(log(), 'both\n');
    assert.match(await rowOf('watchedBoth.test.ts'), /^✔/);
    await save('tests/watchedNone.test.ts');
    await until('the saved test has run', () => count('none') > 0);
    assert.equal(count('both'), 1);
  });

  it('ends a run that is superseded by a later save', async () => {
    await save('src/watchedSlow.ts');
    await until('the slow test runs', () => count('slow begins') === 1);
    await save('src/watchedOne.ts');
    // What the first run had not done is done with what came after it.
    await until('it runs again', () => count('slow begins') === 2);
    assert.equal(count('slow ends'), 0);
    fs.writeFileSync(place('watched.go'), '');
    await until('it ended', () => count('slow ends') > 0);
    await until('the other ran, too', () => count('both') === 2);
    await pause(1_000);
    assert.equal(count('slow ends'), 1);
  });

  it('follows a test that writes what it imports once, and says so', async () => {
    await save('src/watchedMade.ts');
    const told = await until('it is told', async () =>
      (await messages()).find(({ text }) => /Tests write src\/watchedMade\.ts/.test(text)),
    );
    assert.match(told.text, /ignores these writes/);
    const runs = count('loop');
    assert.equal(runs, 2);
    await pause(5_000);
    assert.equal(count('loop'), runs);
  });
});
