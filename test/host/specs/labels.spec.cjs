'use strict';
// What a test is called: on one line wherever VS Code shows it, as it is written, and as a screen reader says it.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { ask, open, openTestingView, root, rowOf, until } = require('./support.cjs');

const labels = `import { describe, expect, it } from 'vitest';

describe(\`a label
  over two lines\`, () => {
  it('says\\nwhat \\u202Egpj.exe is', () => expect(1).toBe(2));
  it('$(document) is ready', () => expect(1).toBe(2));
  [it][0]('one\\ntwo', () => expect(1).toBe(2));
});
`;

describe('the labels of tests', function () {
  this.timeout(400_000);
  const files = { 'tests/labels.test.ts': labels, 'tests/half.test.ts': "it('is half', () => {\n" };

  before(async () => {
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(root(), name), text);
    await openTestingView();
    await vscode.commands.executeCommand('testing.refreshTests');
    await until('the files are listed', async () => (await rowOf('labels.test.ts')) && rowOf('half.test.ts'));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('workbench.action.closePanel');
    for (const name of Object.keys(files)) fs.rmSync(path.join(root(), name), { force: true });
    await vscode.commands.executeCommand('testing.refreshTests');
  });

  it('are one line of the Testing view and of Test Results, where nothing hides', async () => {
    await open('tests/labels.test.ts');
    await until('its tests are listed', async () => {
      await vscode.commands.executeCommand('testing.runCurrentFile');
      return (await rowOf('labels.test.ts'))?.startsWith('✖');
    });
    await ask('expand', 'labels.test.ts');
    await ask('expand', 'a label ⏎ over two lines');
    assert.ok(await rowOf('says ⏎ what \\u202egpj.exe is'));
    // What only the run knows stands in its suite, whatever that is called.
    const tree = await until('what only the run knows is listed', async () => {
      const shown = await ask('tree');
      return shown.includes('✖ one ⏎ two') && shown;
    });
    const at = tree.findIndex((row) => row.endsWith('a label ⏎ over two lines'));
    assert.ok(tree.indexOf('✖ one ⏎ two') > at, tree.join('\n'));
    await vscode.commands.executeCommand('workbench.panel.testResults.view.focus');
    const rows = await until('the results are shown', async () => {
      const shown = await ask('results');
      return shown.some((row) => row.includes('one ⏎ two')) && shown;
    });
    const ours = rows.filter((row) => row.includes('a label'));
    assert.equal(ours.length, 3, rows.join('\n'));
    for (const row of ours) assert.doesNotMatch(row.trim(), /over two lines.*\n|\n +over|\u202E/);
    assert.ok(
      ours.some((row) => row.includes('$(document) is ready')),
      ours.join('\n'),
    );
  });

  it('and what is wrong with a file are spoken as words', async () => {
    await ask('expand', 'half.test.ts');
    const spoken = await until('the error is shown', async () =>
      (await ask('spoken')).find((words) => words.includes('Syntax')),
    );
    assert.match(spoken, /^Syntax error at line 2: /);
  });
});
