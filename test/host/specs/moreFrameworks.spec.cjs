'use strict';
// AVA and a plain `npm test` beside the vitest of the shop: shown in the Testing view, and run from there.
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { ask, open, openTestingView, root, rowOf, until } = require('./support.cjs');

const files = {
  'packages/unicorns/package.json': '{ "type": "module", "scripts": { "test": "ava" } }\n',
  'packages/unicorns/test/counts.js': `import test from 'ava';
test('counts the horns', t => t.is(1, 1));
test('counts too many', t => t.is(2, 1));
`,
  'packages/chores/package.json': '{ "scripts": { "test": "node check.js" } }\n',
  'packages/chores/check.js': "console.log('TAP version 13\\nok 1 sweeps the floor\\n1..1');\n",
};

describe('more frameworks', function () {
  this.timeout(400_000);
  const place = (file) => path.join(root(), file);

  before(async () => {
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(place(name)), { recursive: true });
      fs.writeFileSync(place(name), text);
    }
    fs.mkdirSync(place('packages/unicorns/node_modules'));
    fs.symlinkSync(
      path.resolve(__dirname, '../../../node_modules/ava'),
      place('packages/unicorns/node_modules/ava'),
    );
    await openTestingView();
    await vscode.commands.executeCommand('testing.refreshTests');
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    fs.rmSync(place('packages'), { recursive: true, force: true });
    await vscode.commands.executeCommand('testing.refreshTests');
  });

  /** Runs the tests of the file, and waits for the rows. */
  async function run(framework, file, ...rows) {
    await ask('expand', framework);
    await open(file);
    // Its tests are there once the file has been looked at.
    await until(`the tests of ${file} have run`, async () => {
      await vscode.commands.executeCommand('testing.runCurrentFile');
      await ask('expand', path.basename(file));
      const states = await Promise.all(rows.map((row) => rowOf(row.slice(2))));
      return rows.every((row, index) => states[index] === row);
    }).catch(async (error) => {
      error.message += ` in ${JSON.stringify(await ask('tree'))}`;
      throw error;
    });
  }

  it('runs a file of AVA', () =>
    run('AVA', 'packages/unicorns/test/counts.js', '✔ counts the horns', '✖ counts too many'));

  it('runs npm test, and shows the tests that it tells of', () =>
    run('npm test', 'packages/chores/package.json', '✔ sweeps the floor'));
});
