'use strict';
// Tests of pytest in the Testing view: listed, run by the machine's Python, and followed while their file is edited.
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { ask, open, openTestingView, root, until } = require('./support.cjs');

const files = {
  'tests/py/pytest.ini': '[pytest]\n',
  'tests/py/test_pricing.py': `import pytest


def test_adds():
    assert 1 + 1 == 2


@pytest.mark.parametrize("price", [1, 2])
def test_is_cheap(price):
    assert price == 1


class TestBasket:
    def test_is_empty(self):
        raise ValueError("not empty")
`,
};

describe('pytest in the Testing view', function () {
  this.timeout(400_000);
  const place = (file) => path.join(root(), file);
  const row = async (title) => (await ask('tree')).find((one) => one.includes(title));

  before(async function () {
    try {
      execFileSync('python3', ['-c', 'import pytest'], { stdio: 'ignore' });
    } catch (error) {
      if (process.env.CI === 'true') throw error;
      this.skip();
    }
    await openTestingView();
    for (const [file, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(place(file)), { recursive: true });
      fs.writeFileSync(place(file), text);
    }
    await vscode.commands.executeCommand('testmend.refreshTests');
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    fs.rmSync(place('tests/py'), { recursive: true, force: true });
    await vscode.commands.executeCommand('testmend.refreshTests');
  });

  it('lists tests and runs them: cases below their test, failures at their lines', async () => {
    // Rows out of view are not there: those of other frameworks must not fill it.
    await vscode.commands.executeCommand('testing.collapseAll');
    const document = await open('tests/py/test_pricing.py');
    await until('pytest is listed', () => row('pytest'));
    await ask('expand', 'pytest');
    await until('the file is listed', () => row('test_pricing.py'));
    await ask('expand', 'test_pricing.py');
    await until('its tests are listed', () => row('test_adds'));
    await vscode.commands.executeCommand('testing.runCurrentFile');
    await until('it has run', async () => (await row('test_adds'))?.startsWith('✔'));
    await until('the class failed', async () => (await row('TestBasket'))?.startsWith('✖'));
    await until('the first case passed', async () => {
      await ask('expand', 'test_is_cheap');
      return (await row('test_is_cheap[1]'))?.startsWith('✔');
    });
    await until('the second failed', async () => (await row('test_is_cheap[2]'))?.startsWith('✖'));
    assert.equal(document.isDirty, false);
  });

  it('follows the file while it is edited', async () => {
    const document = await open('tests/py/test_pricing.py');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(2, 0), 'async def test_comes_new():\n    pass\n\n\n');
    assert.ok(await vscode.workspace.applyEdit(edit));
    await until('the new test is shown', () => row('test_comes_new'));
    await vscode.commands.executeCommand('undo');
    await document.save();
    await until('it is gone again', async () => (await row('test_comes_new')) === undefined);
  });
});
