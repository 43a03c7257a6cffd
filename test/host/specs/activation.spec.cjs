'use strict';
// What the extension is before anybody uses it. Runs first: later specs start the engine.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const vscode = require('vscode');
const { engines, open, until } = require('./support.cjs');

describe('the extension', () => {
  const extension = () => vscode.extensions.getExtension('testmend.testmend');
  const { contributes } = require('../../../package.json');

  it('is active after the start and has started no engine', async function () {
    if (!fs.existsSync('/proc/self/stat')) this.skip();
    await until('the extension is active', () => extension()?.isActive);
    await open('src/greeting.ts');
    assert.deepEqual(engines(), []);
  });

  it('starts one engine when a test file is opened', async function () {
    if (!fs.existsSync('/proc/self/stat')) this.skip();
    await open('tests/greeting.test.ts');
    await until('the engine runs', () => engines().length > 0);
    assert.equal(engines().length, 1);
  });

  it('has every command it declares', async () => {
    const commands = new Set(await vscode.commands.getCommands(true));
    const missing = contributes.commands.map(({ command }) => command).filter((id) => !commands.has(id));
    assert.deepEqual(missing, []);
  });

  it('has every setting it declares, with its default', () => {
    for (const [key, { default: value }] of Object.entries(contributes.configuration.properties))
      assert.deepEqual(vscode.workspace.getConfiguration().inspect(key)?.defaultValue, value, key);
  });
});
