'use strict';
// Files of scenarios in a real editor: mistakes at their place, a quick fix, completion and hover.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const vscode = require('vscode');
const { open, until, uriOf } = require('./support.cjs');

// A component is no test, so that the Testing view stays as other specs want it.
const file = 'log-in.component.yaml';
const text =
  'name: Log in\nparameters:\n  - { name: user }\nsteps:\n  - type: navgate\n    config: { url: "/{{user}}" }\n  - ';

describe('a scenario file', function () {
  this.timeout(200_000);
  let document;
  before(async () => {
    fs.writeFileSync(uriOf(file).fsPath, text);
    document = await open(file);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    fs.rmSync(uriOf(file).fsPath);
  });

  const labels = async (where) => {
    const offset = document.getText().indexOf(where) + where.length;
    const { items } = await vscode.commands.executeCommand(
      'vscode.executeCompletionItemProvider',
      document.uri,
      document.positionAt(offset),
    );
    return items.map(({ label }) => (typeof label === 'string' ? label : label.label));
  };

  it('shows a mistake with what was probably meant, and mends it', async () => {
    const own = () =>
      vscode.languages
        .getDiagnostics(document.uri)
        .filter(({ source, message }) => source === 'testmend' && message.includes('navgate'));
    const [problem] = await until('the mistake is shown', () => own().length > 0 && own());
    assert.equal(problem.message, 'Unknown type of step: "navgate". Did you mean "navigate"?');
    assert.equal(document.getText(problem.range), 'navgate');
    const fix = await until('it can be mended', async () => {
      const actions = await vscode.commands.executeCommand(
        'vscode.executeCodeActionProvider',
        document.uri,
        problem.range,
      );
      return actions.find(({ title }) => title === 'Change to "navigate"');
    });
    await vscode.workspace.applyEdit(fix.edit);
    assert.match(document.getText(), /type: navigate/);
    await until('the mistake is gone', () => own().length === 0);
  });

  it('offers whole steps, fields and variables', async () => {
    const steps = await until('steps are offered', async () => {
      const found = await labels('\n  - type: navigate\n    config: { url: "/{{user}}" }\n  - ');
      return found.includes('assert visible') && found;
    });
    assert.ok(steps.includes('click'));
    assert.ok((await labels('{{us')).includes('user'));
    assert.ok((await labels('config: { ')).includes('waitUntil'));
  });

  it('explains a field', async () => {
    const at = document.positionAt(document.getText().indexOf('url') + 1);
    const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, at);
    const said = hovers.flatMap(({ contents }) => contents.map((one) => one.value)).join('\n');
    assert.match(said, /relative to the baseUrl/);
  });
});
