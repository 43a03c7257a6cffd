'use strict';
// Quick fixes through the real API: offered, applied as one undoable edit, refused when the document has moved on.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const vscode = require('vscode');
const { activeDiff, open, openTestingView, quickFixes, until, uriOf } = require('./support.cjs');

const file = 'tests/greeting.test.ts';
const place = "expect(greet('Ada'))";

describe('quick fixes of a failing test', function () {
  this.timeout(400_000);
  let document;
  let original;
  const fixes = () =>
    until('fixes are offered', async () => {
      const actions = await quickFixes(document, place);
      return actions.length > 0 && actions;
    });
  /** Chooses the fix; the dialogue is open until somebody answers it. */
  const tryFix = async () => {
    const fix = (await fixes()).find(({ command }) => command.command === 'testmend.tryFix');
    void vscode.commands.executeCommand('testmend.tryFix', ...fix.command.arguments);
    return until('the diff is shown', activeDiff);
  };

  before(async () => {
    // A workbench in a browser saves by itself after a second, which a busy machine may take.
    await vscode.workspace
      .getConfiguration('files')
      .update('autoSave', 'off', vscode.ConfigurationTarget.Global);
    // Before the files are listed there is nothing to run.
    await openTestingView();
    document = await open(file);
    original = document.getText();
    await vscode.commands.executeCommand('testing.runCurrentFile');
  });

  after(() =>
    vscode.workspace
      .getConfiguration('files')
      .update('autoSave', undefined, vscode.ConfigurationTarget.Global),
  );

  it('say what will change, and offer to call it a bug', async () => {
    const titles = (await fixes()).map(({ title }) => title);
    // In between is what changes other tests that failed before in the same way.
    assert.deepEqual(
      [titles[0], titles.at(-1)],
      ["Fix (surgical): expect 'Hello, Ada!' (was 'Hi, Ada!')", "It's a bug in the source"],
    );
  });

  it('are shown as a diff, applied and saved as one edit, and undone by one undo', async () => {
    const diff = await tryFix();
    // At any width: the part that changes is what the editor shows.
    await until('the change is in sight', () => {
      const editor = vscode.window.activeTextEditor;
      if (editor?.document.uri.toString() !== diff.modified.toString()) return false;
      const { selection, visibleRanges } = editor;
      return (
        editor.document.getText(selection) === 'ello' &&
        visibleRanges.some((range) => range.contains(selection))
      );
    });
    const proposed = await vscode.workspace.openTextDocument(diff.modified);
    const after = original.replace(`${place}.toBe('Hi,`, `${place}.toBe('Hello,`);
    assert.equal(proposed.getText(), after);
    assert.equal(document.getText(), original, 'nothing changes before it is applied');
    await vscode.commands.executeCommand('testmend.applyFix');
    assert.equal(document.getText(), after);
    assert.equal(fs.readFileSync(uriOf(file).fsPath, 'utf8'), after);
    assert.equal(activeDiff(), undefined);
    await open(file);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), original);
    await vscode.commands.executeCommand('redo');
    assert.equal(document.getText(), after);
    await vscode.commands.executeCommand('undo');
    await document.save();
  });

  it('are refused when the document was edited meanwhile, and nothing is lost', async () => {
    await vscode.commands.executeCommand('testing.runCurrentFile');
    await tryFix();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), '// My own words.\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    void vscode.commands.executeCommand('testmend.applyFix');
    await until('the diff is closed', () => activeDiff() === undefined);
    assert.equal(document.getText(), `// My own words.\n${original}`);
    assert.equal(fs.readFileSync(uriOf(file).fsPath, 'utf8'), original);
    await open(file);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    assert.equal(document.getText(), original);
  });
});
