'use strict';
// The last of the first start: every test has a result, which specs/afterReload looks for in the next window.
const assert = require('node:assert/strict');
const vscode = require('vscode');
const { openTestingView, rowOf, until } = require('./support.cjs');

describe('a window that is about to be closed', () => {
  it('has run every test', async () => {
    await openTestingView();
    await until('the files are listed', () => rowOf('greeting.test.ts'));
    await vscode.commands.executeCommand('testing.runAll');
    for (const file of ['greeting.test.ts', 'money.test.ts'])
      await until(`${file} failed`, async () => (await rowOf(file))?.startsWith('✖'));
    // It does not load: what it imports has moved.
    assert.match(await rowOf('dates.test.ts'), /^!/);
  });
});
