// What discovery lists and tells, from a whole workspace to one file.
import assert from 'node:assert/strict';
import { chmod, readdir, readFile, writeFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import { discoverFile, discoverTests, listTestFiles } from '../../../src/core/frameworks/discover.ts';
import { toDiscoverJson } from '../../../src/core/frameworks/discoverJson.ts';
import { createTestFileCheck } from '../../../src/core/frameworks/testFiles.ts';
import type { Workspace } from '../../../src/core/model/settings.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const shop = {
  'package.json': '{ "name": "shop", "devDependencies": { "vitest": "^4" } }',
  'src/cart.test.ts': `import { describe, it } from 'vitest';
describe('cart', () => {
  it('adds', () => {});
  it('adds', () => {});
  it.each([1])('row %i', () => {});
});
`,
  'skills/greet/SKILL.md': '# Greet',
  'skills/greet/tests/greet.tests.mjs': 'export default () => ({ passed: 1, failed: 0, errors: [] });',
};

describe('discovering tests', () => {
  let workspace: TemporaryWorkspace;
  let settings: Workspace;
  async function open(files: Record<string, string>, name?: string): Promise<void> {
    workspace = await temporaryWorkspace(files, { vitest: true, ...(name === undefined ? {} : { name }) });
    const { root } = workspace;
    const limits = { timeoutMs: 1000, skillTimeoutMs: 1000, maxParallel: 1 };
    settings = { root, limits, frameworks: [], cacheFolder: path.join(path.dirname(root), 'cache') };
  }
  afterEach(() => workspace.dispose());

  it('prints frameworks, files and tests as the command line promises', async () => {
    await open(shop);
    const { durationMs, ...json } = toDiscoverJson(await discoverTests(settings));
    assert.equal(typeof durationMs, 'number');
    const version: unknown = JSON.parse(await workspace.read('node_modules/vitest/package.json')).version;
    const id = 'vitest:src/cart.test.ts#cart › ';
    const suites = ['cart'];
    assert.deepEqual(json, {
      root: workspace.root,
      frameworks: [
        { id: 'vitest', root: '.', version },
        { id: 'skill', root: '.' },
      ],
      files: [
        {
          file: 'skills/greet/tests/greet.tests.mjs',
          framework: 'skill',
          tests: [
            {
              id: 'skill:skills/greet/tests/greet.tests.mjs',
              title: 'greet',
              suites: [],
              line: 1,
              kind: 'test',
            },
          ],
        },
        {
          file: 'src/cart.test.ts',
          framework: 'vitest',
          tests: [
            { id: `${id}adds`, title: 'adds', suites, line: 3, kind: 'test' },
            { id: `${id}adds[2]`, title: 'adds', suites, line: 4, kind: 'test' },
            { id: `${id}row %25i`, title: 'row %i', suites, line: 5, kind: 'template' },
          ],
          warnings: ['Duplicate title "cart › adds" at line 4.'],
        },
      ],
      totals: { files: 2, tests: 4 },
      notes: [],
      problems: [],
    });
  });

  it('calls a test a template when a suite around it stands for several', async () => {
    await open({
      'package.json': shop['package.json'],
      'cart.test.ts': `describe.each([1, 2])('cart %i', () => {\n  it('adds', () => {});\n});\nit('alone', () => {});\n`,
    });
    const { files } = toDiscoverJson(await discoverTests(settings));
    assert.deepEqual(
      files.flatMap(({ tests }) => tests.map(({ title, kind }) => [title, kind])),
      [
        ['adds', 'template'],
        ['alone', 'test'],
      ],
    );
  });

  it('works at paths with spaces, quotes, shell syntax, escapes and unicode', async () => {
    const file = `tests/a b'"$(x)#%20é%.tests.mjs`;
    await open({ [file]: '' }, `my "shop" $(x) #%20 é`);
    const { files } = await discoverTests(settings);
    assert.deepEqual(
      files.map(({ file: found, id }) => [found, id]),
      [[file, `skill:tests/a b'"$(x)%23%2520é%25.tests.mjs`]],
    );
  });

  it('shows a file with a syntax error with a warning and what could be read', async () => {
    await open({
      'package.json': shop['package.json'],
      'a.test.ts': "it('a', () => {});\nit('b', () => {\n)",
    });
    const { files } = await discoverTests(settings);
    assert.match(files[0]?.warnings[0] ?? '', /^Syntax error at line 3: /);
    assert.equal(files[0]?.tests[0]?.title, 'a');
  });

  it('parses the unsaved text of an open file in full', async () => {
    await open(shop);
    const { files } = await listTestFiles(settings);
    const listed = files.find(({ framework }) => framework === 'vitest');
    assert.ok(listed);
    const found = await discoverFile(listed, "it('new', () => {});\nconst = 1;");
    assert.deepEqual(
      found.tests.map(({ id }) => id),
      ['vitest:src/cart.test.ts#new'],
    );
    assert.match(found.warnings[0] ?? '', /^Syntax error at line 2: /);
    assert.deepEqual((await discoverFile({ ...listed, absolute: '/nowhere/x.test.ts' })).tests, []);
  });

  it('discovers only the files asked for', async () => {
    await open(shop);
    const { files } = await discoverTests(settings, { files: ['src/cart.test.ts'] });
    assert.deepEqual(
      files.map(({ file }) => file),
      ['src/cart.test.ts'],
    );
  });

  it('remembers what it found, outside of the workspace, until the file changes', async () => {
    const text = `import { describe, it as check } from 'vitest';
describe('cart', () => {
  check('one', () => {});
  check.each([1, 2])('adds %i', () => {});
  describe('empty', () => {});
});
check.skip('two', () => {});
`;
    const writeEarlier = async (content: string): Promise<void> => {
      await workspace.write('a.test.ts', content);
      const earlier = new Date(Date.now() - 10_000 - content.length);
      await utimes(path.join(workspace.root, 'a.test.ts'), earlier, earlier);
    };
    await open({ 'package.json': shop['package.json'] });
    await writeEarlier(text);
    const found = async (): Promise<unknown> =>
      (await discoverTests(settings)).files.map(({ tests, warnings }) => ({ tests, warnings }));
    const before = await readdir(workspace.root);
    const first = await found();
    assert.deepEqual(await readdir(workspace.root), before);
    assert.deepEqual(await found(), first);
    // What is read from the cache is what was put there.
    const [name = ''] = await readdir(settings.cacheFolder);
    const cache = path.join(settings.cacheFolder, name);
    const remembered = await readFile(cache, 'utf8');
    await writeFile(cache, remembered.replace('"one"', '"remembered"'));
    assert.match(JSON.stringify(await found()), /"remembered"/);
    await writeEarlier(text.replace('one', 'changed'));
    assert.match(JSON.stringify(await found()), /"changed"/);
    for (const broken of ['{ broken', remembered.replace('[[],', '[7,'), remembered.slice(0, -9)]) {
      await writeFile(cache, broken);
      assert.match(JSON.stringify(await found()), /"changed"/);
    }
  });

  it('remembers nothing of a file that may still be changing', async () => {
    await open(shop);
    await workspace.write('src/fresh.test.ts', "import { it } from 'vitest'; it('one', () => {});");
    await discoverTests(settings, {});
    const names = await readdir(settings.cacheFolder).catch(() => []);
    const texts = await Promise.all(
      names.map((name) => readFile(path.join(settings.cacheFolder, name), 'utf8')),
    );
    assert.doesNotMatch(texts.join(), /fresh/);
  });

  it('names what could not be read', async function () {
    if (process.getuid?.() === 0) this.skip();
    await open({ ...shop, 'locked/a.test.ts': '' });
    const locked = path.join(workspace.root, 'locked');
    await chmod(locked, 0o000);
    try {
      const { notes } = await listTestFiles(settings);
      assert.ok(notes.includes('locked cannot be read: the tests in it are missing.'), notes.join());
    } finally {
      await chmod(locked, 0o755);
    }
  });

  it('stops when it is cancelled', async () => {
    await open(shop);
    await assert.rejects(discoverTests(settings, {}, AbortSignal.abort()), { code: 'cancelled' });
  });

  it('tells which files a fix may touch', async () => {
    await open(shop);
    const isTestFile = createTestFileCheck(await listTestFiles(settings), {
      reachedOnlyFromTests: (file) => file === 'src/helpers.ts',
    });
    for (const file of [
      'src/cart.test.ts',
      'src/__snapshots__/cart.test.ts.snap',
      'src/__mocks__/api.ts',
      '__mocks__/fs.js',
      'test/fixtures/cart.json',
      'testdata/x.txt',
      'src/helpers.ts',
      'skills/greet/tests/greet.tests.mjs',
    ])
      assert.ok(isTestFile(file), file);
    for (const file of [
      'src/cart.ts',
      'src/__snapshots__/other.test.ts.snap',
      'src/fixtures.ts',
      'node_modules/x/fixtures/a.js',
      '../src/cart.test.ts',
      'fixtures/../src/cart.ts',
      path.join(workspace.root, 'src/cart.test.ts'),
    ])
      assert.ok(!isTestFile(file), file);
  });
});
