// Projects that are broken, doubled or written elsewhere, with the real frameworks: what cannot run says why, the rest runs.
import assert from 'node:assert/strict';
import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { discoverTests } from '../../../src/core/frameworks/discover.ts';
import { programOnPath } from '../../../src/core/process/programOnPath.ts';
import { makeEnvironment, pythonWith } from '../../support/python.ts';
import { drawn, resultOf, runWorkspace } from '../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const modules = path.resolve(import.meta.dirname, '../../../node_modules');
const named = (name: string): string => JSON.stringify({ devDependencies: { [name]: '*' } });
const windows = (text: string): string => '\uFEFF' + text.replaceAll('\n', '\r\n');

describe('a project', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  const ownPath = process.env['PATH'];
  afterEach(async () => {
    if (ownPath !== undefined) process.env['PATH'] = ownPath;
    await workspace.dispose();
  });

  async function discovered(): Promise<readonly string[]> {
    const { files } = await discoverTests({
      root: workspace.root,
      limits: { timeoutMs: 1, skillTimeoutMs: 1, maxParallel: 1 },
      frameworks: [],
      cacheFolder: path.join(path.dirname(workspace.root), 'cache'),
    });
    return files.flatMap(({ tests }) => tests.map(({ id }) => id));
  }

  const throwing: readonly (readonly [string, string, Readonly<Record<string, string>>, RegExp])[] = [
    [
      'jest',
      'jest.config.js',
      { 'a.test.js': `it('a', () => {});\n` },
      /^The configuration did not load \(jest\.config\.js:1\): Error: no database$/,
    ],
    [
      'mocha',
      '.mocharc.cjs',
      { 'test/a.js': `it('a', () => {});\n` },
      /^The configuration did not load \(\.mocharc\.cjs:1\): Error: no database$/,
    ],
    [
      'ava',
      'ava.config.js',
      { 'test.js': `const test = require('ava'); test('a', (t) => t.pass());\n` },
      /^The configuration did not load \(ava\.config\.js:1\): Error: no database$/,
    ],
  ];
  for (const [framework, config, tests, reason] of throwing) {
    it(`of ${framework} whose configuration throws names the file and the reason, without a line of ours`, async () => {
      workspace = await temporaryWorkspace(
        { 'package.json': named(framework), [config]: `throw new Error('no database');\n`, ...tests },
        { packages: [framework] },
      );
      const { summary } = await runWorkspace(workspace.root);
      assert.deepEqual([summary.passed, summary.errored], [0, 1]);
      const [{ file, failure } = { file: '', failure: undefined }] = summary.tests;
      assert.equal(file, config);
      assert.match(failure?.message ?? '', reason);
      assert.deepEqual(
        failure?.stack.filter((frame) => /Host\.cjs|Reporter\.cjs/.test(frame.file)),
        [],
      );
    });
  }

  it('with a TypeScript configuration says that ts-node is missing, in the words of its framework', async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': named('jest'),
        'jest.config.ts': `export default { testMatch: ['**/*.test.js'] };\n`,
        'a.test.js': `it('a', () => {});\n`,
      },
      { packages: ['jest'] },
    );
    assert.deepEqual(await discovered(), ['jest:a.test.js#a']);
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual([summary.passed, summary.errored, summary.tests[0]?.file], [0, 1, 'jest.config.ts']);
    assert.match(summary.tests[0]?.failure?.message ?? '', /^Jest came to no test: [^]*ts-node/);
  });

  it('runs with the version of the framework that it has itself, beside another one', async () => {
    const test = `it('is run by ' + require(require.resolve('mocha/package.json', { paths: [__dirname] })).version, () => {});
it('has its globals', () => { if (!require.main.filename.includes('mocha')) throw new Error(require.main.filename); });\n`;
    workspace = await temporaryWorkspace(
      {
        'package.json': named('mocha'),
        'test/a.js': test,
        'packages/old/package.json': named('mocha'),
        'packages/old/test/b.js': test,
      },
      { packages: ['mocha'] },
    );
    const own = path.join(workspace.root, 'packages/old/node_modules');
    await mkdir(own, { recursive: true });
    for (const name of await readdir(modules))
      if (name !== 'mocha' && !name.startsWith('.'))
        await symlink(path.join(modules, name), path.join(own, name));
    await cp(path.join(modules, 'mocha'), path.join(own, 'mocha'), { recursive: true });
    const manifest = 'packages/old/node_modules/mocha/package.json';
    const text = await workspace.read(manifest);
    const version = /"version": "([^"]+)"/.exec(text)?.[1] ?? '';
    await workspace.write(manifest, text.replace(`"version": "${version}"`, '"version": "11.99.0"'));
    const { summary } = await runWorkspace(workspace.root);
    const titles = summary.tests.map(({ outcome, file, title }) => `${outcome} ${file} ${title}`);
    assert.ok(titles.includes('passed packages/old/test/b.js is run by 11.99.0'), titles.join('\n'));
    assert.ok(titles.includes(`passed test/a.js is run by ${version}`), titles.join('\n'));
  });

  const python = pythonWith();
  const doubled: readonly (readonly [string, Readonly<Record<string, string>>, string, string, string])[] = [
    [
      'vitest',
      { 'package.json': named('vitest') },
      'Foo.test.ts',
      'foo.test.ts',
      `import { it } from 'vitest';\n`,
    ],
    ['jest', { 'package.json': named('jest') }, 'Foo.test.js', 'foo.test.js', ''],
    ['mocha', { 'package.json': named('mocha') }, 'test/Foo.js', 'test/foo.js', ''],
    ['nodeTest', { 'package.json': '{ "scripts": { "test": "node --test" } }' }, 'Foo.test.js', 'foo.test.js', `const { it } = require('node:test');\n`], // prettier-ignore
    ['pytest', { 'pytest.ini': '[pytest]\n' }, 'test_Foo.py', 'test_foo.py', ''],
    ['skill', {}, 'tests/Foo.tests.mjs', 'tests/foo.tests.mjs', ''],
  ];
  for (const [framework, settings, upper, lower, head] of doubled) {
    it(`of ${framework} keeps two files apart whose names differ in case only`, async function () {
      if (process.platform !== 'linux' || (framework === 'pytest' && python === undefined)) this.skip();
      const body = (passes: boolean): string =>
        framework === 'pytest'
          ? `def test_a():\n    assert ${passes ? '1' : '0'}\n`
          : framework === 'skill'
            ? `export default () => ({ passed: ${passes ? 1 : 0}, failed: ${passes ? 0 : 1}, errors: [${passes ? '' : "'a: no'"}] });\n`
            : `${head}it('a', () => { if (!${passes}) throw new Error('no'); });\n`;
      const packages = framework === 'vitest' ? ['vitest', 'vite'] : framework in { jest: 1, mocha: 1 } ? [framework] : []; // prettier-ignore
      workspace = await temporaryWorkspace(
        { ...settings, [upper]: body(true), [lower]: body(false) },
        { packages },
      );
      const name = framework === 'pytest' ? '#test_a' : framework === 'skill' ? '' : '#a';
      const [first, second] = [`${framework}:${upper}${name}`, `${framework}:${lower}${name}`];
      for (const source of ['the files', 'what was remembered of them'])
        if (framework !== 'skill') assert.deepEqual((await discovered()).toSorted(), [first, second], source);
      const all = await runWorkspace(workspace.root);
      assert.deepEqual(drawn(all.summary.tests).toSorted(), [`failed ${second}`, `passed ${first}`]);
      for (const [file, expected] of [
        [upper, `passed ${first}`],
        [lower, `failed ${second}`],
      ] as const) {
        const selection = { files: [path.join(workspace.root, file)] };
        const { summary } = await runWorkspace(workspace.root, { selection });
        assert.deepEqual(drawn(summary.tests), [expected]);
      }
    });
  }

  it('written on Windows is read and run alike in Python', async function () {
    if (python === undefined) this.skip();
    workspace = await temporaryWorkspace({
      'pytest.ini': windows('[pytest]\npython_files = check_*.py\n'),
      'tests/check_a.py': windows(
        'import pytest\n\n\ndef test_a():\n    """doc\n    string"""\n    assert 1 == 2\n\n\nclass TestB:\n    @pytest.mark.parametrize("x", [1])\n    def test_c(self, x):\n        assert x == 1\n',
      ),
    });
    const ids = ['pytest:tests/check_a.py#test_a', 'pytest:tests/check_a.py#TestB › test_c'];
    assert.deepEqual((await discovered()).slice(0, 1), ids.slice(0, 1));
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(drawn(summary.tests), [`failed ${ids[0]}`, `passed ${ids[1]}::1`]);
    const { line, failure } = resultOf(summary, ids[0] ?? '');
    assert.deepEqual([line, failure?.location?.line], [4, 7]);
  });

  it('written on Windows is read and run alike in Go', async function () {
    if (programOnPath(['go']) === undefined) this.skip();
    workspace = await temporaryWorkspace({
      'go.mod': 'module example.com/x\r\n\r\ngo 1.20\r\n',
      'a_test.go': windows(
        'package x\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\tt.Run("sub one", func(t *testing.T) {\n\t\tt.Fatal("no")\n\t})\n}\n\nfunc TestB(t *testing.T) {}\n',
      ),
    });
    const ids = await discovered();
    assert.ok(ids.includes('goTest:a_test.go#TestB'), ids.join());
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(drawn(summary.tests), [
      'passed goTest:a_test.go#TestA',
      'failed goTest:a_test.go#TestA › sub_one',
      'passed goTest:a_test.go#TestB',
    ]);
    const failed = summary.tests.find(({ outcome }) => outcome === 'failed');
    assert.deepEqual([failed?.title, failed?.failure?.location?.line], ['sub_one', 7]);
  });

  it('of Python runs where there is no node, and what needs node says so', async function () {
    if (python === undefined) this.skip();
    workspace = await temporaryWorkspace(
      {
        'pytest.ini': '[pytest]\n',
        'test_a.py': 'def test_a(): pass\n',
        'package.json': '{ "scripts": { "test": "mocha" } }',
        'test/a.js': `it('a', () => {});\n`,
      },
      { packages: ['mocha'] },
    );
    makeEnvironment(python, path.join(workspace.root, '.venv'), '--system-site-packages');
    process.env['PATH'] = path.join(workspace.root, 'nothing');
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(drawn(summary.tests).toSorted(), [
      'errored mocha:package.json',
      'passed pytest:test_a.py#test_a',
    ]);
    const { failure } = resultOf(summary, 'mocha:package.json');
    assert.match(failure?.message ?? '', /^No node executable was found on PATH\. Install Node/);
  });

  it('runs the thousands of files that were chosen, when their names are longer than a command line', async () => {
    const folder = `test/${'a long name of a folder, '.repeat(10)}`;
    const count = 6_000;
    const names = Array.from(
      { length: count },
      (_file, index) => `${folder}/${'part'.repeat(30)}${index}.js`,
    );
    workspace = await temporaryWorkspace(
      {
        'package.json': named('mocha'),
        '.mocharc.json': '{ "spec": "test/**/*.js" }',
        'test/other.js': `it('was not chosen', () => {});\n`,
        ...Object.fromEntries(names.map((file) => [file, `it('a', () => {});\n`])),
      },
      { packages: ['mocha'] },
    );
    const files = names.map((file) => path.join(workspace.root, file));
    assert.ok(files.join(' ').length > 2 * 1024 * 1024);
    const { summary } = await runWorkspace(workspace.root, { selection: { files } });
    assert.deepEqual([summary.passed, summary.total, summary.notes], [count, count, []]);
  });
});
