// What runs when the framework of a project is not installed.
import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { drawn, runWorkspace } from '../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspaceOptions } from '../../support/temporaryWorkspace.ts';
import { testmend } from '../../support/testmendCli.ts';

const packageJson = (test: string): string =>
  JSON.stringify({ devDependencies: { vitest: '^4' }, scripts: { test } });

async function ran(
  files: Readonly<Record<string, string>>,
  options: TemporaryWorkspaceOptions = {},
  selected?: string,
): Promise<{ readonly tests: readonly string[]; readonly notes: readonly string[] }> {
  const workspace = await temporaryWorkspace(files, options);
  try {
    const selection = selected === undefined ? {} : { files: [path.join(workspace.root, selected)] };
    const { summary } = await runWorkspace(workspace.root, { selection });
    return { tests: drawn(summary.tests), notes: summary.notes };
  } finally {
    await workspace.dispose();
  }
}

describe('falling back', () => {
  const { PATH } = process.env;
  // npm, which runs these tests, puts the programs of this repository there.
  before(() => {
    const folders = (PATH ?? '').split(path.delimiter);
    process.env['PATH'] = folders
      .filter((folder) => !folder.endsWith(path.join('node_modules', '.bin')))
      .join(path.delimiter);
  });
  after(() => {
    process.env['PATH'] = PATH;
  });

  it('runs npm test where the framework is missing, and says so in one sentence', async () => {
    const files = { 'package.json': packageJson('node check.js'), 'check.js': '', 'a.test.js': '' };
    const sentence = 'Vitest is named in package.json but not installed: ran `npm test` instead.';
    assert.deepEqual(await ran(files), { tests: ['passed script:package.json'], notes: [sentence] });
    const workspace = await temporaryWorkspace(files);
    const { code, stdout } = await testmend(['run', '--no-color'], { cwd: workspace.root });
    assert.equal(code, 0, stdout);
    assert.ok(stdout.includes(sentence), stdout);
    await workspace.dispose();
  });

  it('keeps the error where npm test could not work either, and where only some tests were asked for', async () => {
    const missing = 'Vitest is named in package.json but not installed. Run `npm install`.';
    const files = { 'package.json': packageJson('TZ=UTC vitest run'), 'a.test.js': '' };
    assert.deepEqual(await ran(files), { tests: ['errored vitest:package.json'], notes: [missing] });
    const other = { 'package.json': packageJson('node check.js'), 'a.test.js': '' };
    assert.deepEqual((await ran(other, {}, 'a.test.js')).notes, [missing]);
    const workspace = await temporaryWorkspace(files);
    const { code, stderr } = await testmend(['run', '--no-color'], { cwd: workspace.root });
    assert.equal(code, 2);
    assert.match(stderr, /Vitest is named in package\.json but not installed\./);
    await workspace.dispose();
  });

  it('tells a failure of npm test as one', async () => {
    const { tests } = await ran({ 'package.json': packageJson('node gone.js') });
    assert.deepEqual(tests, ['failed script:package.json']);
  });

  it('goes on to the next framework that is installed', async () => {
    const files = {
      'package.json': '{ "devDependencies": { "mocha": "*", "jest": "*" }, "scripts": { "test": "mocha" } }',
      'a.test.js': "test('runs', () => {});\n",
    };
    assert.deepEqual(await ran(files, { packages: ['jest'] }), {
      tests: ['passed jest:a.test.js#runs'],
      notes: ['Mocha is named in package.json but not installed: ran Jest instead.'],
    });
  });

  it('runs a script whose program is found elsewhere', async () => {
    const workspace = await temporaryWorkspace({
      'package.json': packageJson('vitest run'),
      // Stands in for a vitest that is installed for all workspaces.
      'bin/vitest': '#!/bin/sh\nexit 0\n',
    });
    await chmod(path.join(workspace.root, 'bin/vitest'), 0o755);
    const { PATH = '' } = process.env;
    process.env['PATH'] = `${path.join(workspace.root, 'bin')}${path.delimiter}${PATH}`;
    try {
      assert.deepEqual(drawn((await runWorkspace(workspace.root)).summary.tests), [
        'passed script:package.json',
      ]);
    } finally {
      process.env['PATH'] = PATH;
      await workspace.dispose();
    }
  });
});
