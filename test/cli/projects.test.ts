import assert from 'node:assert/strict';
import { access, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { discoverDocument, errorDocument, runDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const skill = 'export default () => ({ passed: 1, failed: 0, errors: [] });\n';

describe('testmend in a broken project', () => {
  let workspace: TemporaryWorkspace | undefined;
  afterEach(() => workspace?.dispose());

  it('says where package.json is broken', async () => {
    workspace = await temporaryWorkspace({
      'package.json': '{\n  "name": "shop",\n  "devDependencies": { "vitest" }\n}\n',
    });
    const result = await testmend(['run', '--json'], { cwd: workspace.root });
    assert.equal(result.code, 2);
    const { error } = documentOf(errorDocument, result);
    assert.equal(error.code, 'broken-project');
    assert.match(error.message, /package\.json is broken at line 3/);
    assert.match(error.remedy, /line 3/);
  });

  it('runs what can be run beside a broken package.json, and notes the trouble', async () => {
    workspace = await temporaryWorkspace({ 'package.json': '{', 'tests/wrap.tests.mjs': skill });
    const result = await testmend(['run', '--json'], { cwd: workspace.root });
    assert.equal(result.code, 0);
    assert.match(documentOf(runDocument, result).notes.join('\n'), /package\.json is broken at line 1/);
  });

  it('says what is missing where there is no node on PATH, and lists the tests all the same', async () => {
    workspace = await temporaryWorkspace({ 'tests/wrap.tests.mjs': skill });
    const options = { cwd: workspace.root, env: { PATH: path.join(workspace.root, 'nothing') } };
    const result = await testmend(['run', '--json'], options);
    assert.equal(result.code, 2);
    const { error } = documentOf(errorDocument, result);
    assert.equal(error.message, 'No node executable was found on PATH.');
    assert.match(error.remedy, /^Install Node\.js .* and put it on PATH/);
    assert.equal(result.stderr, '');
    const listed = await testmend(['discover'], options);
    assert.deepEqual([listed.code, /wrap\.tests\.mjs/.test(listed.stdout)], [0, true]);
  });

  it('names the project above to whom starts it in a folder of tests', async () => {
    const nodeTest = "import { test } from 'node:test';\n\ntest('adds', () => {});\n";
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
        'test/unit/add.test.js': nodeTest,
        'test/helpers.js': 'export const one = () => 1;\n',
        'lib/package.json': '{}',
        'lib/add.js': 'export const add = (a, b) => a + b;\n',
      },
      { git: true },
    );
    const remedyIn = async (cwd: string, ...args: string[]): Promise<string> =>
      documentOf(errorDocument, await testmend(['run', '--json', ...args], { cwd })).error.remedy;
    const { root } = workspace;
    const inside = await remedyIn(path.join(root, 'test'));
    assert.ok(
      inside.endsWith(`This folder is part of the project in ${root}: name that project with --root ..`),
      inside,
    );
    assert.match(inside, /Skill tests \(named tests\/<skill>\.tests\.mjs\)/);
    assert.doesNotMatch(inside, /first test/);
    assert.match(await remedyIn(path.join(root, 'test', 'unit')), /--root \.\.\/\.\.$/);
    assert.match(await remedyIn(root, '--root', 'test'), /name that project with --root \.$/);
    // A package without tests is a project of its own, whatever lies above it.
    assert.match(await remedyIn(path.join(root, 'lib')), /For a first test: testmend generate add\.js$/);
  });

  it('says that its folder is gone, whatever it is asked', async () => {
    workspace = await temporaryWorkspace({ 'gone/tests/wrap.tests.mjs': skill });
    const cwd = path.join(workspace.root, 'gone');
    // The folder goes after the process has started in it, before it looks.
    const vanish = path.join(workspace.root, 'vanish.cjs');
    await workspace.write('vanish.cjs', "require('node:fs').rmSync(process.cwd(), { recursive: true });\n");
    for (const command of ['run', 'discover', 'fix']) {
      await mkdir(cwd, { recursive: true });
      const { code, stderr } = await testmend([command], {
        cwd,
        env: { NODE_OPTIONS: `--require ${JSON.stringify(vanish)}` },
      });
      assert.equal(code, 2);
      assert.match(stderr, /The current folder no longer exists\.\s+Change to the folder/);
      assert.doesNotMatch(stderr, /\n\s+at /);
    }
    const { code, stderr } = await testmend(['run', '--root', cwd], { cwd: workspace.root });
    assert.equal(code, 2);
    assert.match(stderr, /There is no folder .*gone\./);
  });

  it('notes an example that cannot run, and fails only where its tests are asked for', async () => {
    workspace = await temporaryWorkspace({
      'tests/wrap.tests.mjs': skill,
      'examples/app/package.json': '{ "scripts": { "test": "react-scripts test" } }',
      'examples/app/src/a.test.js': `it('a', () => {});\n`,
    });
    const run = (...args: string[]): ReturnType<typeof testmend> =>
      testmend(['run', '--json', ...args], { cwd: workspace?.root ?? '' });
    const all = await run();
    const { total, notes } = documentOf(runDocument, all);
    assert.deepEqual([all.code, total], [0, 1]);
    assert.match(notes.join('\n'), /examples\/app\/package\.json starts its tests with react-scripts/);
    const asked = await run('examples/app/src/a.test.js');
    assert.deepEqual([asked.code, documentOf(runDocument, asked).errored], [1, 1]);
    const only = await run('--framework', 'jest');
    assert.deepEqual([only.code, documentOf(errorDocument, only).error.code], [2, 'not-installed']);
    const fix = await testmend(['fix'], { cwd: workspace.root });
    assert.equal(fix.code, 0);
    assert.match(fix.stderr, /starts its tests with react-scripts/);
  });

  it('says that there are no tests, also without a package.json', async () => {
    workspace = await temporaryWorkspace({ 'README.md': 'nothing here' });
    for (const command of ['run', 'fix']) {
      const result = await testmend([command, '--json'], { cwd: workspace.root });
      assert.equal(result.code, 2);
      assert.equal(documentOf(errorDocument, result).error.code, 'no-tests');
    }
    const { code, stderr } = await testmend(['run'], { cwd: workspace.root });
    assert.equal(code, 2);
    assert.match(stderr, /^✗ No tests found in /);
  });

  it('says what is there instead of a framework that is asked for, or what is missing', async () => {
    workspace = await temporaryWorkspace({
      'app/package.json': '{ "scripts": { "test": "node --test" } }',
      'app/a.test.js': "require('node:test').test('a', () => {});\n",
    });
    const { root } = workspace;
    const said = async (cwd: string, ...args: string[]): Promise<string> => {
      const { code, stderr } = await testmend(['run', ...args], { cwd });
      assert.equal(code, 2);
      return stderr.replaceAll(/\s+/g, ' ').trim();
    };
    assert.equal(
      await said(root, '--framework', 'mocha'),
      `✗ No Mocha tests found in ${root}. Found instead: node:test (--framework nodeTest) in app.`,
    );
    await workspace.write('docs/package.json', '{ "devDependencies": { "tap": "1" } }');
    const docs = path.join(root, 'docs');
    assert.equal(
      await said(docs, '--framework', 'mocha'),
      `✗ No Mocha tests found in ${docs}. Its package.json names no test framework that Testmend runs, and Testmend found no test files.`,
    );
  });

  it('says how to install vitest when it is named but missing', async () => {
    workspace = await temporaryWorkspace({
      'package.json': '{ "devDependencies": { "vitest": "4" } }',
      'package-lock.json': '{}',
      'a.test.ts': "import { test } from 'vitest';\ntest('a', () => {});\n",
    });
    const result = await testmend(['run', '--json'], { cwd: workspace.root });
    assert.equal(result.code, 2);
    const { error } = documentOf(errorDocument, result);
    assert.equal(error.code, 'not-installed');
    assert.match(error.remedy, /npm install/);
  });
});

describe('testmend discover', () => {
  it('lists tests with their lines and runs none of their code', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "devDependencies": { "vitest": "4" } }',
        'a.test.ts':
          "import { writeFileSync } from 'node:fs';\nimport { describe, it } from 'vitest';\nwriteFileSync('ran.txt', '');\n\ndescribe('cart', () => {\n  it('adds', () => {});\n  it.each([1, 2])('has %i', () => {});\n});\n",
        'vitest.config.ts':
          "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran.txt', '');\nexport default {};\n",
        'tests/wrap.tests.mjs': `import { writeFileSync } from 'node:fs';\nwriteFileSync('ran.txt', '');\n${skill}`,
      },
      { vitest: true },
    );
    try {
      const result = await testmend(['discover', '--json'], { cwd: workspace.root });
      assert.equal(result.code, 0);
      const { root, files, totals } = documentOf(discoverDocument, result);
      assert.equal(root, workspace.root);
      assert.deepEqual(totals, { files: 2, tests: 3 });
      assert.deepEqual(files[0]?.tests, [
        { id: 'vitest:a.test.ts#cart › adds', title: 'adds', suites: ['cart'], line: 6, kind: 'test' },
        {
          id: 'vitest:a.test.ts#cart › has %25i',
          title: 'has %i',
          suites: ['cart'],
          line: 7,
          kind: 'template',
        },
      ]);
      const human = await testmend(['discover'], { cwd: workspace.root });
      assert.match(human.stdout, /^a\.test\.ts vitest\n {2}cart :5\n {4}adds :6\n {4}has %i … :7\n/);
      await assert.rejects(access(path.join(workspace.root, 'ran.txt')));
    } finally {
      await workspace.dispose();
    }
  });
});
