// Workspaces that misbehave: links, files that vanish or are no files, hostile titles and texts. Discovery and run agree, nothing hangs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { discoverTests } from '../../../src/core/frameworks/discover.ts';
import { testsOf } from '../../../src/core/frameworks/discoverJson.ts';
import { drawn, resultOf, runWorkspace } from '../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const packageJson = '{ "type": "module", "devDependencies": { "vitest": "*" } }';
const passing = `import { it } from 'vitest';\nit('runs', () => {});\n`;
const skill = 'export default () => ({ passed: 1, failed: 0, errors: [] });\n';
/** The order of the files is the order of their names, one after the other. */
const inOrder = `export default { test: { fileParallelism: false, sequence: { sequencer: class {
  shard = (files) => files;
  sort = (files) => files.sort((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
} } } };\n`;

async function discovered(root: string): Promise<readonly string[]> {
  const limits = { timeoutMs: 60_000, skillTimeoutMs: 30_000, maxParallel: 1 };
  const cacheFolder = path.join(path.dirname(root), 'caches');
  const { files } = await discoverTests({ root, limits, frameworks: [], cacheFolder });
  return files.flatMap((file) => testsOf(file).map(({ id }) => id));
}

describe('a run in a workspace that misbehaves', () => {
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());
  const make = async (files: Readonly<Record<string, string>>, name?: string): Promise<void> => {
    const all = { 'package.json': packageJson, ...files };
    workspace = await temporaryWorkspace(all, { vitest: true, ...(name === undefined ? {} : { name }) });
  };

  it('counts each test once, by whatever links its file can be reached', async () => {
    await make({ 'src/a.test.ts': passing, 'shared/common.ts': passing });
    const link = (target: string, at: string): Promise<void> =>
      symlink(target, path.join(workspace.root, at));
    await link('.', 'self');
    await link('..', 'src/up');
    await link('loop2', 'loop1');
    await link('loop1', 'loop2');
    await link('a.test.ts', 'src/again.test.ts');
    // Under the name of the link alone it is a test.
    await link('../shared/common.ts', 'src/linked.test.ts');
    await link('nowhere', 'src/dead.test.ts');
    const ids = ['vitest:src/a.test.ts#runs', 'vitest:src/linked.test.ts#runs'];
    assert.deepEqual(await discovered(workspace.root), ids);
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(
      drawn(summary.tests),
      ids.map((id) => `passed ${id}`),
    );
    const file = path.join(workspace.root, 'src/linked.test.ts');
    const alone = await runWorkspace(workspace.root, { selection: { files: [file] } });
    assert.deepEqual(drawn(alone.summary.tests), ['passed vitest:src/linked.test.ts#runs']);
  });

  it('takes no folder, socket or pipe for a test file, and waits for none', async function () {
    if (process.platform !== 'linux') this.skip();
    await make({ 'a.test.ts': passing, 'tests/a.tests.mjs': skill });
    await mkdir(path.join(workspace.root, 'folder.test.ts'));
    execFileSync('mkfifo', ['pipe.test.ts', 'tests/pipe.tests.mjs'], { cwd: workspace.root });
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(path.join(workspace.root, 'socket.test.ts'), resolve);
    });
    try {
      const ids = ['vitest:a.test.ts#runs', 'skill:tests/a.tests.mjs'];
      assert.deepEqual(await discovered(workspace.root), ids);
      const { summary } = await runWorkspace(workspace.root);
      assert.deepEqual(
        drawn(summary.tests),
        ids.map((id) => `passed ${id}`),
      );
    } finally {
      server.close();
    }
  });

  it('says of a file that vanishes during the run that it is gone', async () => {
    await make({
      'vitest.config.mjs': inOrder,
      'a.test.ts': `import { it } from 'vitest';
import { rmSync } from 'node:fs';
it('deletes its neighbour and itself', () => { rmSync('b.test.ts'); rmSync('a.test.ts'); });\n`,
      'b.test.ts': passing,
    });
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(drawn(summary.tests), [
      'passed vitest:a.test.ts#deletes its neighbour and itself',
      'errored vitest:b.test.ts',
    ]);
    const { failure } = resultOf(summary, 'vitest:b.test.ts');
    assert.match(failure?.message ?? '', /^There is no file b\.test\.ts \(any more\)\./);
  });

  it('ends when the whole workspace is deleted, and is no pass', async () => {
    await make({
      'vitest.config.mjs': inOrder,
      'a.test.ts': `import { it } from 'vitest';
import { rmSync } from 'node:fs';
it('deletes all', () => rmSync(process.cwd(), { recursive: true, force: true }));\n`,
      'b.test.ts': passing,
    });
    const { summary } = await runWorkspace(workspace.root);
    assert.equal(summary.ended, 'complete');
    assert.ok(summary.errored > 0);
    const { failure } = summary.tests.find(({ outcome }) => outcome === 'errored') ?? {};
    assert.match(failure?.message ?? '', /The folder .* was deleted while its tests ran\./);
  });

  it('is no pass either when the test that deleted it was the last', async () => {
    workspace = await temporaryWorkspace({
      'tests/a.tests.mjs': `import { rmSync } from 'node:fs';
export default () => { rmSync(process.cwd() + '/..', { recursive: true, force: true }); return { passed: 1, failed: 0, errors: [] }; };\n`,
    });
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual([summary.passed, summary.errored], [0, 1]);
  });

  it('gives tests the same ids at discovery and in the run, whatever their titles are', async () => {
    const titles = [
      'suite › a # [2]',
      'twice[2]',
      'bell \u0007 escape \u001b[31mred\u001b[0m nul \u0000',
      'newline \n tab \t return \r',
      '\u202ertl\u202c עברית',
      'emoji 👩‍👩‍👧 e\u0301 \u00e9',
      'half \ud800 of a character',
      'half \udc00 of a character',
      'separators \u2028 \u2029',
      `long ${'x'.repeat(10_000)}`,
      'a::1',
      '',
      '  spaces  ',
      `]]> & < > " ' \\`,
    ];
    const lines = titles.map((title) => `it(${asciiLiteral(title)}, () => {});`);
    await make({
      'a.test.ts': [
        "import { describe, it } from 'vitest';",
        ...lines,
        "describe('again', () => {",
        "it('twice', () => {}); it('twice', () => {}); it('twice[2]', () => {}); it('twice', () => {});",
        '});',
        "describe('again', () => { it('twice', () => {}); });",
        '',
      ].join('\n'),
    });
    const ids = await discovered(workspace.root);
    assert.equal(new Set(ids).size, titles.length + 5);
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(summary.tests.map(({ id }) => id).toSorted(), [...ids].sort());
    for (const id of ids) {
      assert.doesNotMatch(id, /\p{Cc}|\p{Cs}/u);
      assert.equal(id.split('#').length, 2);
    }
  });

  it('finds and runs files of every name that vite can load', async () => {
    const names = ['new\nline', `"q" 'a'`, '$x %20 %', '[id] {a,b}', '-dash', '`tick` *'];
    const unicode = ['nfc \u00e9', 'nfd e\u0301', '\u202ertl'];
    const files = [...names, ...unicode].map((name) => [`${name}.test.ts`, passing] as const);
    await make({ ...Object.fromEntries(files), '-folder/[x]/a.test.ts': passing });
    const ids = await discovered(workspace.root);
    assert.equal(ids.length, files.length + 1);
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(drawn(summary.tests).toSorted(), ids.map((id) => `passed ${id}`).sort());
  });

  it('keeps a test failed whose message or values have many megabytes', async () => {
    const literal = 'z'.repeat(1 << 20);
    await make({
      'a.test.ts': `import { expect, it } from 'vitest';
it('throws', () => { throw new Error('first ' + 'm'.repeat(40_000_000) + ' last'); });
it('compares', () => { expect('a'.repeat(20_000_000)).toBe('b'.repeat(20_000_000)); });
it('has a literal', () => { expect('${literal}x').toBe('${literal}y'); });
it('is fine', () => {});\n`,
      'tests/a.tests.mjs': `export default () => { throw new Error('s'.repeat(40_000_000)); };\n`,
    });
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(drawn(summary.tests), [
      'failed vitest:a.test.ts#throws',
      'failed vitest:a.test.ts#compares',
      'failed vitest:a.test.ts#has a literal',
      'passed vitest:a.test.ts#is fine',
      'errored skill:tests/a.tests.mjs',
    ]);
    const { failure } = resultOf(summary, 'vitest:a.test.ts#throws');
    assert.match(failure?.message ?? '', /^first m+\n… \d+ characters left out …\nm+ last$/);
    assert.deepEqual(failure?.location, { file: 'a.test.ts', line: 2, column: 28 });
    for (const test of summary.tests)
      for (const text of [test.failure?.message, test.failure?.expected, test.failure?.actual])
        assert.ok((text ?? '').length <= 100_100);
    assert.deepEqual(summary.notes, []);
  });

  it('tells the reason when the configuration throws or cannot be parsed, and still lists the tests', async () => {
    const configs = [
      [
        'vitest.config.ts',
        "throw new Error('the config is broken \u2603');\n",
        /the config is broken \u2603/,
      ],
      ['vitest.config.ts', 'export default {\n  test: {{\n', /Expected identifier but found "\{"/],
      ['tsconfig.json', '{ broken', /tsconfig\.json/],
    ] as const;
    for (const [file, text, reason] of configs) {
      await make({ 'a.test.ts': passing, [file]: text });
      assert.deepEqual(await discovered(workspace.root), ['vitest:a.test.ts#runs']);
      const { summary } = await runWorkspace(workspace.root);
      assert.deepEqual([summary.passed, summary.errored], [0, 1]);
      assert.match(summary.tests[0]?.failure?.message ?? '', reason);
      await workspace.dispose();
    }
  });

  it('works with byte order marks and carriage returns everywhere, in TypeScript configurations too', async () => {
    const windows = (text: string): string => '\uFEFF' + text.replaceAll('\n', '\r\n');
    await make({
      'package.json': windows('{\n  "type": "module",\n  "devDependencies": { "vitest": "*" }\n}\n'),
      'vitest.config.ts': windows(
        "import { defineConfig } from 'vitest/config';\nconst include: string[] = ['checks/*.ts'];\nexport default defineConfig({\n  test: { include },\n});\n",
      ),
      'tsconfig.json': windows('{\n  // a comment\n  "compilerOptions": { "strict": true },\n}\n'),
      'checks/a.ts': windows(
        "import { expect, it } from 'vitest';\n\nit('adds', () => {\n  expect(1).toBe(2);\n});\n",
      ),
      'other.test.ts': passing,
    });
    assert.deepEqual(await discovered(workspace.root), ['vitest:checks/a.ts#adds']);
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(drawn(summary.tests), ['failed vitest:checks/a.ts#adds']);
    const { line, failure } = resultOf(summary, 'vitest:checks/a.ts#adds');
    assert.deepEqual([line, failure?.location], [3, { file: 'checks/a.ts', line: 4, column: 13 }]);
  });

  it('runs in folders that tools usually ignore as in any other', async () => {
    await make({ 'a.test.ts': passing, 'tests/a.tests.mjs': skill }, 'dist/tmp/node_modules/.hidden/build');
    const ids = await discovered(workspace.root);
    assert.equal(ids.length, 2);
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(
      drawn(summary.tests),
      ids.map((id) => `passed ${id}`),
    );
  });

  for (const framework of ['jest', 'mocha']) {
    it(`holds for ${framework} too: links, hostile titles, megabytes`, async () => {
      const titles = ['twice', 'suite › # [2] \u0007 \n', 'half \ud800', '\u202ertl', '  spaces  '];
      const tests = titles.map((title) => `it(${asciiLiteral(title)}, () => {});\n`);
      workspace = await temporaryWorkspace({
        'package.json': `{ "devDependencies": { "${framework}": "*" } }`,
        'test/a.test.js': `${tests.join('')}it('twice', () => {});
it('throws', () => { throw new Error('first ' + 'm'.repeat(40_000_000) + ' last'); });\n`,
      });
      await mkdir(path.join(workspace.root, 'node_modules'));
      const installed = path.resolve(import.meta.dirname, '../../../node_modules', framework);
      await symlink(installed, path.join(workspace.root, 'node_modules', framework));
      await symlink('.', path.join(workspace.root, 'self'));
      await symlink('a.test.js', path.join(workspace.root, 'test/again.test.js'));
      const ids = await discovered(workspace.root);
      assert.equal(new Set(ids).size, titles.length + 2);
      const { summary } = await runWorkspace(workspace.root);
      assert.deepEqual(
        drawn(summary.tests),
        ids.map((id) => `${id.endsWith('#throws') ? 'failed' : 'passed'} ${id}`),
      );
      const { failure } = resultOf(summary, `${framework}:test/a.test.js#throws`);
      assert.match(failure?.message ?? '', /^first m+\n… \d+ characters left out …\nm+ last$/);
      assert.deepEqual(failure?.location, { file: 'test/a.test.js', line: 7, column: 28 });
    });
  }

  it('runs exactly the thousands of tests that were chosen one by one', async () => {
    const name = (index: number): string => `adds, in a title that is as long as some are (${index})`;
    const tests = Array.from({ length: 4_000 }, (_test, index) => `it('${name(index)}', () => {});\n`);
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "devDependencies": { "mocha": "*" } }',
        'test/a.test.js': `${tests.join('')}it('was not chosen', () => { require('node:fs').writeFileSync('ran', ''); });\n`,
        'test/b.test.js': `it('is in another file', () => {});\n`,
      },
      { packages: ['mocha'] },
    );
    const file = (part: string): string => path.join(workspace.root, 'test', part);
    const chosen = tests.map((_test, index) => ({ file: file('a.test.js'), names: [name(index)] }));
    const { summary } = await runWorkspace(workspace.root, {
      selection: { tests: [...chosen, { file: file('b.test.js'), names: ['is in another file'] }] },
    });
    assert.deepEqual([summary.passed, summary.total, summary.notes], [4_001, 4_001, []]);
    assert.equal(new Set(summary.tests.map(({ id }) => id)).size, 4_001);
    await assert.rejects(workspace.read('ran'), { code: 'ENOENT' });
  });

  it('gives the tests the colour settings of the user and none of its own', async () => {
    const shows = `const names = ['NO_COLOR', 'FORCE_COLOR', 'CI', 'TERM', 'COLORTERM', 'CLICOLOR_FORCE'];
export default () => { console.log(JSON.stringify(Object.fromEntries(names.map((name) => [name, process.env[name]])))); return { passed: 1, failed: 0, errors: [] }; };\n`;
    workspace = await temporaryWorkspace({ 'tests/a.tests.mjs': shows });
    const own = { ...process.env };
    try {
      for (const set of [{}, { NO_COLOR: '' }, { NO_COLOR: '0', FORCE_COLOR: '3' }, { CI: 'no' }]) {
        for (const name of ['NO_COLOR', 'FORCE_COLOR', 'CI']) delete process.env[name];
        Object.assign(process.env, set);
        const { TERM, COLORTERM, CLICOLOR_FORCE } = process.env;
        const { summary } = await runWorkspace(workspace.root);
        // Node itself may warn below that the one is ignored for the other.
        const seen: unknown = JSON.parse(summary.tests[0]?.output?.split('\n')[0] ?? '');
        assert.deepEqual(seen, JSON.parse(JSON.stringify({ ...set, TERM, COLORTERM, CLICOLOR_FORCE })));
      }
    } finally {
      for (const name of Object.keys(process.env)) if (!(name in own)) delete process.env[name];
      Object.assign(process.env, own);
    }
  });

  it('leaves no temporary folder of vitest when it is ended by its limit', async () => {
    await make({
      'a.test.ts': `import { it } from 'vitest';\nit('never ends', () => new Promise(() => {}), 60_000);\n`,
      'temporary/keep.txt': '',
    });
    const own = process.env['TMPDIR'];
    process.env['TMPDIR'] = path.join(workspace.root, 'temporary');
    try {
      const controller = new AbortController();
      const { summary } = await runWorkspace(workspace.root, {
        signal: controller.signal,
        onEvent: (event) => {
          if (event.type === 'testStarted') controller.abort();
        },
      });
      assert.equal(summary.ended, 'cancelled');
    } finally {
      if (own === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = own;
    }
    assert.deepEqual(await readdir(path.join(workspace.root, 'temporary')), ['keep.txt']);
  });

  it('refuses a regular expression that does not get done with a title', async () => {
    await make({ 'a.test.ts': `import { it } from 'vitest';\nit('${'a'.repeat(50)}!', () => {});\n` });
    await assert.rejects(runWorkspace(workspace.root, { selection: { nativeFilter: '(a+)+$' } }), {
      code: 'bad-input',
      message: /^The filter needs more than a second for the title "a+!"\.$/,
    });
    const { summary } = await runWorkspace(workspace.root, { selection: { nativeFilter: '^a+!$' } });
    assert.equal(summary.passed, 1);
  });
});

/** A string literal that survives the encoding of the file: halves of characters exist only as escapes. */
function asciiLiteral(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
