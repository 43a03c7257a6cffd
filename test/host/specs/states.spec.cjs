'use strict';
// States of tests while they run and when they are cut off: queued at once, the innermost test at the cursor, and a cancel that fails nobody.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { ask, open, openTestingView, root, rowOf, until } = require('./support.cjs');

// The first test takes its time: vitest may hold back what ends within 100 ms of its start until something else happens.
const slow = `import { appendFileSync } from 'node:fs';
import { describe, it } from 'vitest';

describe('a slow suite', () => {
  it('goes first', async () => {
    appendFileSync('states.log', 'first\\n');
    await new Promise((resolve) => setTimeout(resolve, 300));
  });

  it('goes on for long', async () => {
    appendFileSync('states.log', 'long\\n');
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  }, 100_000);

  it('waits for its turn', () => {
    appendFileSync('states.log', 'last\\n');
  });
});
`;

describe('the states of tests', function () {
  this.timeout(400_000);
  const place = (file) => path.join(root(), file);
  const logged = () =>
    fs.existsSync(place('states.log')) ? fs.readFileSync(place('states.log'), 'utf8') : '';

  before(async () => {
    fs.writeFileSync(place('tests/states.test.ts'), slow);
    await openTestingView();
    await vscode.commands.executeCommand('testing.refreshTests');
    await until('the file is listed', () => rowOf('states.test.ts'));
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const name of ['tests/states.test.ts', 'states.log']) fs.rmSync(place(name), { force: true });
    await vscode.commands.executeCommand('testing.refreshTests');
  });

  it('marks a file that nobody has opened as queued before anything of it runs, and skips what a cancel cut off', async () => {
    assert.match(await rowOf('states.test.ts'), /^·/);
    const run = vscode.commands.executeCommand('testing.runAll');
    await until('the file is queued', async () => (await rowOf('states.test.ts'))?.startsWith('…'));
    assert.equal(logged(), '', 'before its first test runs');
    await until('the long test runs', () => logged().includes('long'));
    await ask('expand', 'states.test.ts');
    await ask('expand', 'a slow suite');
    await until('the first test passed', async () => (await rowOf('goes first'))?.startsWith('✔'));
    await vscode.commands.executeCommand('testing.cancelRun');
    await run;
    await until('the long test is not run', async () => (await rowOf('goes on for long'))?.startsWith('↷'));
    const tree = await ask('tree');
    assert.match(await rowOf('goes first'), /^✔/);
    assert.match(await rowOf('waits for its turn'), /^[↷·]/);
    assert.doesNotMatch(tree.find((row) => row.includes('states.test.ts')) ?? '', /^[✖!]/, tree.join('\n'));
  });

  it('runs the test whose indentation holds the cursor, not its suite', async () => {
    fs.rmSync(place('states.log'), { force: true });
    const document = await open('tests/states.test.ts');
    const line = document.getText().split('\n').indexOf("  it('waits for its turn', () => {");
    vscode.window.activeTextEditor.selection = new vscode.Selection(line, 0, line, 0);
    await vscode.commands.executeCommand('testing.runAtCursor');
    await until('it passed', async () => (await rowOf('waits for its turn'))?.startsWith('✔'));
    assert.equal(logged(), 'last\n');
  });
});
