// The files that we list against those that AVA itself finds, and how tests are read from their text.
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { detectProjects } from '../../../../src/core/frameworks/detect.ts';
import { ava } from '../../../../src/core/frameworks/ava/ava.ts';
import { listTestFiles } from '../../../../src/core/frameworks/discover.ts';
import { drawTests, drawTitles } from '../../../support/drawTests.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const home = path.resolve(import.meta.dirname, '../../../../node_modules/ava/lib');
const tree = Object.fromEntries(
  [
    'test.js',
    'src/test.js',
    'lib/test.js',
    'a.test.js',
    'b.spec.mjs',
    'deep/C.Test.JS',
    'test-d.cjs',
    'test/e.js',
    'test/_helper.js',
    'test/_folder/f.js',
    'test/helpers/g.js',
    'tests/fixture/h.js',
    'tests/i.ts',
    'test/.dot/j.js',
    'coverage/k.test.js',
    'x/coverage/l.test.js',
    '__tests__/m.js',
    '__tests__/__helpers__/n.js',
    'test/[id] $x.js',
    'build/test/o.js',
  ].map((file) => [file, "import test from 'ava';\n"]),
);

async function found(root: string, options: Readonly<Record<string, unknown>>): Promise<readonly string[]> {
  const load = (name: string): Promise<Record<string, CallableFunction>> =>
    import(pathToFileURL(path.join(home, name)).href);
  const { normalizeGlobs, findTests } = await load('globs.js');
  const { default: normalizeExtensions } = await load('extensions.js');
  assert.ok(normalizeGlobs && findTests && normalizeExtensions);
  const extensions: unknown = normalizeExtensions(options['extensions']);
  const globs: object = normalizeGlobs({ files: options['files'], extensions, providers: [] });
  const files: readonly string[] = await findTests({ cwd: root, ...globs });
  return files.map((file) => path.relative(root, file)).sort();
}

const cases: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'nothing configured': {},
  'patterns of its own': { files: ['./test/**/*', '!test/e.js', 'tests/*'] },
  'exclusions only': { files: ['!**/test/e.js', '!build'] },
  'an exclusion before an inclusion': { files: ['!test/e.js', 'test/*'] },
  'other endings': { extensions: ['ts'], files: ['tests/**'] },
  'endings as modules': { extensions: { js: true, ts: 'module' } },
};

describe('listing ava', () => {
  for (const [name, options] of Object.entries(cases)) {
    it(`lists what ava finds: ${name}`, async () => {
      const workspace = await temporaryWorkspace(
        { ...tree, 'package.json': JSON.stringify({ scripts: { test: 'ava' }, ava: options }) },
        { packages: ['ava'] },
      );
      const { files, notes } = await listTestFiles({
        root: workspace.root,
        limits: { timeoutMs: 1, skillTimeoutMs: 1, maxParallel: 1 },
        frameworks: [],
        cacheFolder: '',
      });
      const listed = files.map(({ file }) => file).sort();
      assert.deepEqual(listed, await found(workspace.root, options));
      assert.ok(listed.length > 0);
      assert.deepEqual(notes, []);
      await workspace.dispose();
    });
  }

  it('reads configuration files without running them, those above a package too, and names what is computed', async () => {
    const workspace = await temporaryWorkspace(
      {
        ...tree,
        'package.json': '{ "workspaces": ["packages/*"] }',
        'ava.config.js': `const where = 'checks';
export default () => ({ files: [\`\${where}/**\`], typescript: { rewritePaths: { 'checks/': 'checks/out/' } }, serial: true });\n`,
        'packages/one/package.json': '{ "scripts": { "test": "ava" } }',
        'packages/one/checks/a.ts': '',
        'packages/one/checks/a.d.ts': '',
        'packages/one/checks/out/a.js': '',
        'packages/two/package.json': '{ "ava": {}, "scripts": { "test": "ava --config=own.mjs unit/*.js" } }',
        'packages/two/own.mjs': 'export default { files: globalThis.wanted };\n',
        'packages/two/unit/test-a.js': '',
        'packages/two/test/b.js': '',
      },
      { packages: ['ava'], git: true },
    );
    const { files, notes } = await listTestFiles({
      root: workspace.root,
      limits: { timeoutMs: 1, skillTimeoutMs: 1, maxParallel: 1 },
      frameworks: [],
      cacheFolder: '',
    });
    assert.deepEqual(
      files.map(({ file }) => file).filter((file) => file.startsWith('packages')),
      ['packages/one/checks/a.ts', 'packages/two/unit/test-a.js'],
    );
    assert.deepEqual(notes, [
      '"files" in packages/two/own.mjs cannot be read without running it; showing AVA\'s defaults for it.',
    ]);
    await workspace.dispose();
  });

  it('names what keeps ava from running', async () => {
    const workspace = await temporaryWorkspace({
      'package.json': '{ "devDependencies": { "ava": "^6.0.0" } }',
      'test.js': '',
      'old/package.json': '{ "scripts": { "test": "ava" } }',
      'old/node_modules/ava/package.json': '{ "version": "3.15.0", "bin": { "ava": "cli.mjs" } }',
      'old/node_modules/ava/cli.mjs': '',
      'no/package.json': '{ "devDependencies": { "ava": "^6.0.0" }, "scripts": { "test": "vitest" } }',
    });
    const { projects } = await detectProjects(workspace.root, { frameworks: ['ava'] });
    assert.deepEqual(
      projects.map(({ root, problem }) => [path.relative(workspace.root, root), problem?.message]),
      [
        ['', 'AVA is named in package.json but not installed.'],
        ['old', 'AVA 3.15.0 is too old: version 4 or newer is needed.'],
      ],
    );
    await workspace.dispose();
  });
});

describe('scanning ava', () => {
  const titles = async (text: string): Promise<readonly string[]> =>
    drawTitles((await ava.scan('file.ts', text)).tests);

  it('reads modes, macros, hooks and titles as ava prints them', async () => {
    const text = `import test from 'ava';
test.beforeEach(t => { t.context = {}; });
test.serial.after.always('clean up', () => {});
const macro = test.macro({ exec(t, n) { t.is(n, 1); }, title: (_, n) => 'is ' + n });
test('  two   words ', t => t.pass());
test.serial('a', t => t.pass());
test.serial.failing.skip('b', t => t.pass());
test.only('c', t => t.pass());
test.todo('d');
test(macro, 1);
test('e', macro, 2);
for (const n of [1]) test(\`f \${n}\`, t => t.pass());
`;
    const { tests } = await ava.scan('file.js', text);
    assert.deepEqual(drawTests(tests), [
      'test two words [5:1-5:38]',
      'test a [6:1-6:32]',
      'test b [7:1-7:45] skip',
      'test c [8:1-8:30] only',
      'test d [9:1-9:15] todo',
      'template macro [10:1-10:15]',
      'test e [11:1-11:20]',
      'template f ${n} [12:22-12:51]',
    ]);
    assert.deepEqual((await ava.scan('file.js', text, { thorough: true })).tests, tests);
  });

  it('follows the function under other names', async () => {
    const body = "('a', t => t.pass());\n";
    assert.deepEqual(await titles(`import it from 'ava';\nit${body}`), ['test a']);
    assert.deepEqual(
      await titles(
        `import anyTest, { type TestFn } from 'ava';\nconst test = anyTest as TestFn<{ n: 1 }>;\ntest${body}test.serial${body}`,
      ),
      ['test a', 'test a'],
    );
    assert.deepEqual(await titles(`const check = require('ava');\ncheck${body}`), ['test a']);
    assert.deepEqual(await titles(`const { default: ava } = require('ava');\nava${body}`), ['test a']);
    assert.deepEqual(await titles(`const { default: unit } = await import('ava');\nunit${body}`), ['test a']);
    assert.deepEqual(
      await titles(`import test from './_setup.js';\ntest('a', withServer, async t => {});\n`),
      ['test a'],
    );
  });
});
