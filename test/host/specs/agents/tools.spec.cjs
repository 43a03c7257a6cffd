'use strict';
// The tools of the chat: what an agent of VS Code runs, finds out, has proven and writes, and what its user has to say to it.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { ask, commandsBelow, filesOf, open, root, until } = require('../support.cjs');
const { contributes } = require('../../../../package.json');

const use = async (name, input, token) => {
  const { content } = await vscode.lm.invokeTool(`testmend_${name}`, { input }, token);
  return JSON.parse(content.map(({ value }) => value).join(''));
};
const files = () => filesOf();

/** Without reports, and the history of runs by agents. */
const ofTheUser = (all) =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('.testmend/')));

describe('the tools in the chat', () => {
  let proposed;

  it('are all there, as they are declared', async () => {
    const names = contributes.languageModelTools.map(({ name }) => name);
    await until('they are there', () =>
      names.every((name) => vscode.lm.tools.some((tool) => tool.name === name)),
    );
    const run = vscode.lm.tools.find(({ name }) => name === 'testmend_run_tests');
    assert.deepEqual(run.inputSchema, contributes.languageModelTools[0].inputSchema);
  });

  it('run tests and find out who is at fault, and write nothing', async () => {
    const before = ofTheUser(files());
    const run = await use('run_tests', {});
    assert.equal(run.exit_code, 1);
    assert.ok(run.failed > 0 && run.passed > 0);
    const { id } = run.failures[0];
    const told = await use('diagnose_failure', { test_id: id });
    assert.equal(told.id, id);
    assert.match(told.fault, /^(?:test|source|environment|flaky|unknown)$/);
    proposed = (await use('propose_fixes', {})).fixes.filter(({ verdict }) => verdict === 'verified');
    assert.ok(proposed.length > 1);
    const { fixId } = proposed[0];
    const dialogs = await ask('dialogs');
    assert.equal((await use('apply_fix', { fixId })).applied, false);
    assert.equal(await ask('dialogs'), dialogs);
    assert.deepEqual(ofTheUser(files()), before);
  });

  it('judge a patch', async () => {
    const [name, text] = Object.entries(files()).find(([file]) => file.endsWith('greeting.test.ts'));
    const line = text.split('\n')[0];
    const patch = `--- a/${name}\n+++ b/${name}\n@@ -1,1 +1,2 @@\n+// @ts-nocheck\n ${line}\n`;
    const judged = await use('verify_patch', { patch, strength: 'off' });
    assert.equal(judged.verdict, 'rejected');
  });

  it('refuse what their schemas do not allow, with what to do', async () => {
    await assert.rejects(
      use('run_tests', { filter: '--reporter=x' }),
      /Invalid arguments for run_tests.*must not start with/s,
    );
    await assert.rejects(use('apply_fix', { fixId: '0123456789ab' }), /Run a fix cycle again/);
  });

  it('write a fix that was confirmed, but not over unsaved changes', async () => {
    const { fixId, files: changed } = proposed.find(({ needs }) => needs === 'nothing');
    const [file] = changed;
    const document = await open(file);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '// unsaved\n');
    await vscode.workspace.applyEdit(edit);
    await assert.rejects(use('apply_fix', { fixId, dry_run: false }), /unsaved changes/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    const before = document.getText();
    const dialogs = await ask('dialogs');
    const { applied, accepted } = await use('apply_fix', { fixId, dry_run: false });
    assert.deepEqual([applied, accepted], [true, 'not needed']);
    assert.equal(await ask('dialogs'), dialogs + 1);
    assert.notEqual(fs.readFileSync(document.uri.fsPath, 'utf8'), before);
  });

  it('change no expectation to which the user has not agreed, whatever the agent says', async () => {
    const { fixId } = proposed.find(({ needs }) => /accept_expectation/.test(needs));
    const before = files();
    // No message is shown in a host of tests, which is as if it was closed.
    await assert.rejects(use('apply_fix', { fixId, dry_run: false, accept_expectation: true }));
    assert.deepEqual(files(), before);
  });

  it('end what they run when they are cancelled', async function () {
    if (!fs.existsSync('/proc/self/stat')) this.skip();
    const file = path.join(root(), 'tests/endless.test.ts');
    const begun = path.join(root(), 'begun');
    fs.writeFileSync(
      file,
      `import { writeFileSync } from 'node:fs';\nimport { it } from 'vitest';\nit('never ends', async () => {\n  writeFileSync(${JSON.stringify(begun)}, '');\n  await new Promise(() => setInterval(() => undefined, 1000));\n}, 600_000);\n`,
    );
    const running = () => commandsBelow().filter((command) => /vitest/.test(command));
    const source = new vscode.CancellationTokenSource();
    try {
      const run = use('run_tests', { files: ['tests/endless.test.ts'] }, source.token);
      run.catch(() => undefined);
      await until('the test runs', () => fs.existsSync(begun));
      assert.ok(running().length > 0);
      source.cancel();
      await assert.rejects(run);
      await until('nothing runs', () => running().length === 0);
    } finally {
      for (const made of [file, begun]) fs.rmSync(made, { force: true });
    }
  });
});
