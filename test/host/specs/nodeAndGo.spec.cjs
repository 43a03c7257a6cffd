'use strict';
// Tests of node:test and of Go from the Testing view, subtests included. Without go its part is skipped; with CI=true it fails.
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { ask, open, openTestingView, root, rowOf, until } = require('./support.cjs');

const files = {
  'packages/plain/package.json': '{ "scripts": { "test": "node --test" } }\n',
  'packages/plain/plain.test.js': `const { describe, it, test } = require('node:test');
describe('plain', () => {
  it('adds plainly', () => {});
  it('fails plainly', () => { throw new Error('plainly wrong'); });
});
test('outer of node', async (t) => { await t.test('inner of node', () => {}); });
`,
  'packages/gopher/go.mod': 'module example.com/gopher\n\ngo 1.20\n',
  'packages/gopher/gopher_test.go': `package gopher

import "testing"

func TestDigs(t *testing.T) {
	t.Run("deep hole", func(t *testing.T) {})
	t.Run("broken spade", func(t *testing.T) { t.Fatal("it broke") })
}
`,
};

describe('node:test and go test', function () {
  this.timeout(400_000);
  const place = (file) => path.join(root(), file);

  before(async () => {
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(place(name)), { recursive: true });
      fs.writeFileSync(place(name), text);
    }
    await openTestingView();
    await vscode.commands.executeCommand('testing.refreshTests');
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    fs.rmSync(place('packages'), { recursive: true, force: true });
    await vscode.commands.executeCommand('testing.refreshTests');
  });

  /** Runs the tests of the file, opens the tests that hold others, and waits for the rows. */
  async function run(framework, file, parents, ...rows) {
    await ask('expand', framework);
    await open(file);
    // Its tests are there once the file has been looked at.
    await until(`the tests of ${file} have run`, async () => {
      await vscode.commands.executeCommand('testing.runCurrentFile');
      for (const name of [path.basename(file), ...parents]) await ask('expand', name);
      const states = await Promise.all(rows.map((row) => rowOf(row.slice(2))));
      return rows.every((row, index) => states[index] === row);
    }).catch(async (error) => {
      error.message += ` in ${JSON.stringify(await ask('tree'))}`;
      throw error;
    });
  }

  it('runs a file of node:test with its suites and subtests', async () => {
    const rows = ['✔ adds plainly', '✖ fails plainly', '✔ inner of node'];
    await run('node:test', 'packages/plain/plain.test.js', ['plain', 'outer of node'], ...rows);
  });

  it('runs a file of Go with its subtests', async function () {
    try {
      execFileSync('go', ['version']);
    } catch (error) {
      if (process.env.CI === 'true') throw error;
      return this.skip();
    }
    await run('go test', 'packages/gopher/gopher_test.go', ['TestDigs'], '✔ deep_hole', '✖ broken_spade');
    return undefined;
  });
});
