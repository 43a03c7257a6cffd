'use strict';
// Kinds of run beside the plain one, and results that follow edits: at the cursor, repeated, affected, skills, outdated.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { ask, open, openTestingView, root, rowOf, until } = require('./support.cjs');

const files = {
  'src/kindsPart.ts': 'export const part = 1;\n',
  'tests/kinds.test.ts': `import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { part } from '../src/kindsPart';
it('stays as it is', () => {
  appendFileSync('kinds.log', 'first\\n');
  expect(part).toBeGreaterThan(0);
});
it('has the cursor', () => {
  appendFileSync('kinds.log', 'second\\n');
});
it('is flaky', () => {
  const seen = existsSync('kinds.seen');
  writeFileSync('kinds.seen', '');
  if (!seen) throw new Error('the first time');
});
`,
  'tests/kindsOther.test.ts': `import { it } from 'vitest';
it('depends on nothing', () => undefined);
`,
  'skills/kinds/SKILL.md': '---\nname: Kinds of things\n---\nTells them apart.\n',
};

describe('kinds of run', function () {
  this.timeout(400_000);
  const place = (file) => path.join(root(), file);
  const made = [...Object.keys(files), 'kinds.log', 'kinds.seen', 'tests/kinds.tests.mjs'];
  const logged = () => (fs.existsSync(place('kinds.log')) ? fs.readFileSync(place('kinds.log'), 'utf8') : '');
  const row = async (title) => (await ask('tree')).find((one) => one.includes(` ${title}`));
  const accept = async (command) => {
    const done = vscode.commands.executeCommand(command);
    let over = false;
    void done.then(() => (over = true));
    // The question needs a moment to be there; what is accepted before it is lost.
    await until(`${command} is answered`, async () => {
      if (over) return true;
      await new Promise((resolve) => setTimeout(resolve, 500));
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return false;
    });
    return done;
  };
  const setAutoSave = (value) =>
    vscode.workspace.getConfiguration('files').update('autoSave', value, vscode.ConfigurationTarget.Global);

  before(async () => {
    await setAutoSave('off');
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(place(name)), { recursive: true });
      fs.writeFileSync(place(name), text);
    }
    await openTestingView();
    await vscode.commands.executeCommand('testing.refreshTests');
    await until('the tests are listed', () => rowOf('kinds.test.ts'));
    await open('tests/kinds.test.ts');
    await ask('expand', 'kinds.test.ts');
    await ask('expand', 'kindsOther.test.ts');
    await until('its tests are shown', () => rowOf('has the cursor'));
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await setAutoSave(undefined);
    for (const name of made) fs.rmSync(place(name), { force: true });
    fs.rmSync(place('skills'), { recursive: true, force: true });
    await vscode.commands.executeCommand('testing.refreshTests');
  });

  it('runs the one test at the cursor', async () => {
    await open('tests/kinds.test.ts');
    const editor = vscode.window.activeTextEditor;
    const line = editor.document
      .getText()
      .split('\n')
      .findIndex((text) => text.includes("'second"));
    editor.selection = new vscode.Selection(line, 4, line, 4);
    await vscode.commands.executeCommand('testing.runAtCursor');
    await until('it passed', async () => (await rowOf('has the cursor'))?.startsWith('✔'));
    assert.equal(logged(), 'second\n');
    assert.match(await rowOf('stays as it is'), /^·/);
  });

  it('repeats the tests of a file, and judges a flaky one failed', async () => {
    await open('tests/kinds.test.ts');
    await accept('testmend.repeatTests');
    assert.equal(logged().split('first').length - 1, 10);
    await until('the flaky test failed', async () => (await rowOf('is flaky'))?.startsWith('✖'));
    await until('the others passed', async () => (await rowOf('stays as it is'))?.startsWith('✔'));
  });

  it('follows a test that is renamed in an unsaved file, and keeps the results of the others', async () => {
    const document = await open('tests/kinds.test.ts');
    const start = document.positionAt(document.getText().indexOf('has the cursor'));
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(start, start.translate(0, 14)), 'has another name');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until('the new name is shown', () => rowOf('has another name'));
    assert.ok(document.isDirty);
    assert.equal(await rowOf('has the cursor'), undefined);
    assert.equal(await row('stays as it is'), '✔ stays as it is');
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('the old name is back', () => rowOf('has the cursor'));
  });

  it('calls the results of tests outdated when a file they import changes, and no others', async () => {
    await open('tests/kindsOther.test.ts');
    await vscode.commands.executeCommand('testing.runCurrentFile');
    await until('the other passed', async () => (await rowOf('depends on nothing'))?.startsWith('✔'));
    assert.equal(await row('stays as it is'), '✔ stays as it is');
    fs.writeFileSync(place('src/kindsPart.ts'), 'export const part = 2;\n');
    await until(
      'it is outdated',
      async () => (await row('stays as it is')) === '✔ stays as it is (outdated)',
      10_000,
    ).catch(async (error) => {
      error.message += ` in ${JSON.stringify(await ask('tree'))}`;
      throw error;
    });
    assert.equal(await row('depends on nothing'), '✔ depends on nothing');
  });

  it('runs the tests that changes affect', async () => {
    const before = logged().length;
    await vscode.commands.executeCommand('testmend.runAffected');
    assert.ok(logged().length > before);
    await until('it is fresh again', async () => (await row('stays as it is')) === '✔ stays as it is');
  });

  it('writes a test for a skill that runs', async () => {
    await accept('testmend.newSkillTest');
    assert.ok(fs.existsSync(place('tests/kinds.tests.mjs')));
    assert.match(vscode.window.activeTextEditor.document.fileName, /kinds\.tests\.mjs$/);
    await ask('expand', 'Skill tests');
    await until('it is listed', () => rowOf('kinds.tests.mjs'));
    await accept('testmend.runSkillTests');
    await until('it passed', async () => (await rowOf('kinds.tests.mjs'))?.startsWith('✔'));
  });
});
