// A configuration that throws: the error itself with its place, exit code 2, and no fix. Real runners.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { errorDocument, fixDocument, runDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const throws = "const today = 'today';\nthrow new Error('no config ' + today);\n";

interface Case {
  readonly name: string;
  readonly packages: readonly string[];
  readonly files: Readonly<Record<string, string>>;
  readonly test: string;
  /** Where the error is. */
  readonly place: string;
}

const cases: readonly Case[] = [
  {
    name: 'vitest',
    packages: ['vitest', 'vite'],
    files: {
      'package.json': '{ "type": "module", "devDependencies": { "vitest": "*" } }',
      // Its line is known by its text: it is bundled before it is run.
      'vitest.config.mjs': "// of today\nthrow new Error('no config today');\n",
      'a.test.mjs': "import { test } from 'vitest';\ntest('a', () => {});\n",
    },
    test: 'a.test.mjs',
    place: 'vitest.config.mjs:2',
  },
  {
    name: 'jest',
    packages: ['jest'],
    files: {
      'package.json': '{ "devDependencies": { "jest": "*" } }',
      'jest.config.js': throws,
      'a.test.js': "test('a', () => {});\n",
    },
    test: 'a.test.js',
    place: 'jest.config.js:2',
  },
  {
    name: 'mocha',
    packages: ['mocha'],
    files: {
      'package.json': '{ "devDependencies": { "mocha": "*" } }',
      '.mocharc.cjs': "throw new Error('no config today');\n",
      'test/a.js': "it('a', () => {});\n",
    },
    test: 'test/a.js',
    place: '.mocharc.cjs:1',
  },
  {
    name: 'mocha with --require',
    packages: ['mocha'],
    files: {
      'package.json':
        '{ "scripts": { "test": "mocha --require ./setup.cjs" }, "devDependencies": { "mocha": "*" } }',
      'setup.cjs': throws,
      'test/a.js': "it('a', () => {});\n",
    },
    test: 'test/a.js',
    place: 'setup.cjs:2',
  },
  {
    name: 'ava',
    packages: ['ava'],
    files: {
      'package.json': '{ "type": "module", "devDependencies": { "ava": "*" } }',
      'ava.config.js': throws,
      'test.js': "import test from 'ava';\ntest('a', (t) => t.pass());\n",
    },
    test: 'test.js',
    place: 'ava.config.js:2',
  },
  {
    name: 'Playwright',
    packages: ['@playwright/test', 'playwright'],
    files: {
      'package.json': '{ "devDependencies": { "@playwright/test": "*" } }',
      'playwright.config.js': throws,
      'a.spec.js': "const { test } = require('@playwright/test');\ntest('a', () => {});\n",
    },
    test: 'a.spec.js',
    place: 'playwright.config.js:2',
  },
  {
    name: 'node:test with --import',
    packages: [],
    files: {
      'package.json': '{ "type": "module", "scripts": { "test": "node --import ./setup.js --test" } }',
      'setup.js': throws,
      'a.test.js': "import { test } from 'node:test';\ntest('a', () => {});\n",
    },
    test: 'a.test.js',
    place: 'setup.js:2',
  },
  {
    name: 'pytest, conftest.py',
    packages: [],
    files: {
      'pytest.ini': '[pytest]\n',
      'conftest.py': "TODAY = 'today'\nraise RuntimeError('no config ' + TODAY)\n",
      'test_a.py': 'def test_a():\n    assert True\n',
    },
    test: 'test_a.py',
    place: 'conftest.py:2',
  },
  {
    name: 'pytest, pyproject.toml',
    packages: [],
    files: {
      'pyproject.toml': '# no config today\n[tool.pytest.ini_options\n',
      'test_a.py': 'def test_a():\n    assert True\n',
    },
    test: 'test_a.py',
    place: 'pyproject.toml:2',
  },
];

describe('a configuration that throws', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  for (const { name, packages, files, test, place } of cases) {
    it(`is told with its error and its place, and ends with 2: ${name}`, async () => {
      workspace = await temporaryWorkspace(files, { packages });
      for (const args of [[], [test]]) {
        const run = await testmend(['run', '--json', ...args], { cwd: workspace.root });
        const [failed, ...more] = documentOf(runDocument, run).tests;
        assert.ok(run.code === 2 && more.every(({ failure }) => failure?.kind === 'config'), run.stdout);
        assert.equal(failed?.failure?.kind, 'config');
        const message = failed.failure.message;
        assert.match(message, / did not load/);
        assert.match(
          message,
          place.startsWith('pyproject') ? /Expected|declaration|Invalid/i : /no config today/,
        );
        const { location } = failed.failure;
        assert.equal(`${location?.file}:${location?.line}`, place, message);
      }
    });
  }

  for (const option of ['--require ./gone.cjs', '--import ./gone.mjs'])
    it(`ends with 2 where a file is missing that is to be loaded first: ${option}`, async () => {
      workspace = await temporaryWorkspace({
        'package.json': JSON.stringify({ scripts: { test: `node ${option} --test` } }),
        'a.test.js': "require('node:test')('a', () => {});\n",
      });
      const { code, stdout } = await testmend(['run'], { cwd: workspace.root });
      assert.equal(code, 2);
      assert.match(
        stdout.replaceAll(/\s+/g, ' '),
        /configuration did not load \(package\.json:1\): Cannot find module '\S*gone\.[cm]js', which is to be loaded before/,
      );
    });

  it('has nothing proposed, and takes nothing from the tests that ran', async () => {
    const broken = "TODAY = 'today'\nraise RuntimeError('no config ' + TODAY)\n";
    workspace = await temporaryWorkspace(
      {
        'pytest.ini': '[pytest]\n',
        'conftest.py': broken,
        'test_a.py': 'def test_a():\n    assert True\n',
      },
      { git: true },
    );
    const whole = await testmend(['fix', '--apply', '--json'], { cwd: workspace.root });
    const { error } = documentOf(errorDocument, whole);
    assert.deepEqual([whole.code, error.code, error.file], [2, 'broken-project', 'conftest.py']);
    assert.match(error.message, /no config today/);
    workspace.git('mv', 'conftest.py', 'other.py');
    await workspace.write('part/conftest.py', broken);
    await workspace.write('part/test_b.py', 'def test_b():\n    assert True\n');
    const part = await testmend(['fix', '--dry-run', '--json'], { cwd: workspace.root });
    const { remaining, fixes } = documentOf(fixDocument, part);
    assert.deepEqual([part.code, fixes], [2, []]);
    assert.deepEqual(
      remaining.map(({ fault, reason }) => [fault, /^Mend that first: .*no config today/.test(reason)]),
      [['environment', true]],
    );
  });

  it('that is a pipe is not waited for', async function () {
    if (process.platform === 'win32') this.skip();
    workspace = await temporaryWorkspace({
      'package.json': '{ "scripts": { "test": "mocha" }, "devDependencies": { "mocha": "*" } }',
      'test/a.test.js': "it('a', () => {});\n",
    });
    execFileSync('mkfifo', [path.join(workspace.root, '.mocharc.json')]);
    const { code, stdout } = await testmend(['discover'], { cwd: workspace.root, limitMs: 20_000 });
    assert.deepEqual([code, /a\.test\.js/.test(stdout)], [0, true]);
  });
});
