// Which files are tests of node:test, by which flags they are run, and what is read in them.
import assert from 'node:assert/strict';
import { drawTitles } from '../../../support/drawTests.ts';
import { drawn, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';
import { discoverTests } from '../../../../src/core/frameworks/discover.ts';
import { nodeTestCommands } from '../../../../src/core/frameworks/nodeTest/nodeTestCommand.ts';
import { nodeTestVocabulary } from '../../../../src/core/frameworks/nodeTest/vocabulary.ts';
import { scanTests } from '../../../../src/core/syntax/javascript/scanTests.ts';
import { scanNodeTests } from '../../../../src/core/frameworks/nodeTest/nodeTestScan.ts';

const uses = `import { test } from 'node:test';\ntest('x', () => {});\n`;

async function listed(files: Record<string, string>): Promise<readonly string[]> {
  const workspace = await temporaryWorkspace(files);
  const { root } = workspace;
  const limits = { timeoutMs: 1000, skillTimeoutMs: 1000, maxParallel: 1 };
  const { listing } = await discoverTests({ root, limits, frameworks: [], cacheFolder: `${root}-cache` });
  await workspace.dispose();
  return [...listing.files.map(({ framework, file }) => `${framework} ${file}`), ...listing.notes];
}

describe('finding the tests of node:test', () => {
  it('goes by the patterns of node, and leaves out what a test folder holds beside tests', async () => {
    const found = await listed({
      'package.json': '{ "scripts": { "test": "c8 node --test" } }',
      'a.test.mjs': uses,
      'b-test.cjs': '',
      'c_test.js': '',
      'test-d.js': '',
      'test.js': '',
      'test/e.js': uses,
      'test/helper.js': '',
      'src/test/deep/f.mjs': uses,
      'src/spec.js': uses,
      'typed.test.ts': uses,
      'typed.test.d.ts': '',
    });
    const names = [
      'a.test.mjs',
      'b-test.cjs',
      'c_test.js',
      'src/test/deep/f.mjs',
      'test-d.js',
      'test.js',
      'test/e.js',
    ];
    assert.deepEqual(
      found,
      names.map((name) => `nodeTest ${name}`),
    );
  });

  const wrapper = {
    'lib/deep.js': `exports.test = require('node:test').test;\n`,
    'lib/wrapper.js': `module.exports = { ...require('./deep'), assert: require('assert') };\n`,
    'lib/own.mjs': `export const test = (title, body) => body();\n`,
  };
  const throughIt = `const { test, assert } = require('../lib/wrapper');\ntest('x', () => { assert.ok(0); });\n`;
  const helper = `${throughIt}exports.help = 1;\n`;

  it('counts what reaches the module through imports, and every script in a test folder that node itself runs', async () => {
    const files = {
      ...wrapper,
      'test/bare.js': `require('assert').equal(1, 2);\n`,
      'test/wrapped.js': throughIt,
      'test/helps-too.cjs': helper,
      'test/helper.mjs': `import '../lib/wrapper.js';\nexport const help = 1;\n`,
      'test/own.mjs': `import { test } from '../lib/own.mjs';\nexport default test('x', () => {});\n`,
      'test/tape.js': `const test = require('tape');\nexports.help = 1;\ntest('x', (t) => t.end());\n`,
      'test/blank.js': '\n',
      'other/bare.js': `require('assert').equal(1, 2);\n`,
    };
    const wrapped = ['nodeTest test/helps-too.cjs', 'nodeTest test/wrapped.js'];
    assert.deepEqual(await listed({ ...files, 'package.json': '{ "scripts": { "test": "node --test" } }' }), [
      'nodeTest test/bare.js',
      wrapped[0],
      'nodeTest test/tape.js',
      wrapped[1],
    ]);
    // Without such a script nobody runs them all.
    const plain = { 'package.json': '{}', 'a.test.js': uses, 'b.test.js': throughIt.replace('../', './') };
    assert.deepEqual(await listed({ ...files, ...plain }), [
      'nodeTest a.test.js',
      'nodeTest b.test.js',
      ...wrapped,
    ]);
  });

  it('takes no script beside TypeScript for what a compiler wrote', async () => {
    const found = await listed({
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'test/a.test.ts': uses,
      'test/setup.js': 'globalThis.ready = true;\n',
    });
    assert.deepEqual(found, ['nodeTest test/a.test.ts', 'nodeTest test/setup.js']);
  });

  it('runs what reaches the module through a wrapper, and a script as one test', async () => {
    const workspace = await temporaryWorkspace({
      ...wrapper,
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'test/bare.js': `require('assert').equal(1, 2);\n`,
      'test/fine.js': `require('assert').equal(1, 1);\n`,
      'test/wrapped.js': throughIt,
      'test/named.js': throughIt.replaceAll('test', 'check').replace('check, ', 'test: check, '),
    });
    const { summary } = await runWorkspace(workspace.root);
    await workspace.dispose();
    assert.deepEqual(drawn(summary.tests).toSorted(), [
      'failed nodeTest:test/bare.js#bare.js',
      'failed nodeTest:test/named.js#x',
      'failed nodeTest:test/wrapped.js#x',
      'passed nodeTest:test/fine.js#fine.js',
    ]);
  });

  it('goes by the names that the script gives', async () => {
    const found = await listed({
      'package.json': `{ "scripts": { "test": "npm run build && npm run unit", "build": "tsc",
        "unit": "tsx --test --test-timeout 500 'spec/**/*.ts' other/one.js" } }`,
      'spec/a.ts': uses,
      'spec/deep/b.ts': uses,
      'other/one.js': '',
      'other/two.js': uses,
    });
    assert.deepEqual(found, ['nodeTest other/one.js', 'nodeTest spec/a.ts', 'nodeTest spec/deep/b.ts']);
  });

  it('says that what the script names is not there, as long as nothing was built', async () => {
    const script = { 'package.json': '{ "scripts": { "test": "node --test dist/test/*.js" } }' };
    const note =
      'No file is dist/test/*.js, which a script starts as tests: where a build writes it, build first.';
    assert.deepEqual(await listed({ ...script, 'src/test/a.ts': uses }), [note]);
    assert.deepEqual(await listed({ ...script, 'dist/test/a.js': uses }), ['nodeTest dist/test/a.js']);
    const some = { 'package.json': '{ "scripts": { "test": "node --test a.js lost.js none/*.js" } }' };
    assert.deepEqual(await listed({ ...some, 'a.js': uses }), [
      'nodeTest a.js',
      note.replace('dist/test/*.js', 'lost.js'),
    ]);
  });

  it('goes by what borp is given, by its configuration, or by its own pattern', async () => {
    const files = {
      'test/a.js': uses,
      'test/b.test.js': uses,
      'test/deep/c.test.mjs': uses,
      'test/d.js': '',
    };
    const borp = (words: string): Record<string, string> => ({
      ...files,
      'package.json': JSON.stringify({
        scripts: { test: 'npm run lint && npm run unit', unit: `borp${words}` },
      }),
      'jest.config.js': '',
    });
    const found = async (words: string, more = {}): Promise<readonly string[]> =>
      (await listed({ ...borp(words), ...more })).filter((file) => file.startsWith('nodeTest'));
    assert.deepEqual(await found(''), ['nodeTest test/b.test.js', 'nodeTest test/deep/c.test.mjs']);
    const yaml = { '.borp.yaml': 'reporters:\n  - spec\nfiles:\n  - "test/*.test.js"\n' };
    assert.deepEqual(await found(' --coverage', yaml), ['nodeTest test/b.test.js']);
    assert.deepEqual(await found(' --timeout 180000 -p "test/**/*.js" -i "test/b*"'), [
      'nodeTest test/a.js',
      'nodeTest test/d.js',
    ]);
    assert.deepEqual(await found(' test/a.js'), ['nodeTest test/a.js']);
    const [command] = nodeTestCommands({ scripts: { test: 'A=1 borp --expose-gc -c 1 -t 5 -o' } }) ?? [];
    assert.deepEqual(command, {
      flags: ['--expose-gc', '--test-only'],
      env: { A: '1' },
      targets: [],
      isSerial: true,
      notes: [],
      runner: 'borp',
    });
  });

  it('finds tests that no script starts, but not beside another framework', async () => {
    const files = { 'package.json': '{}', 'test/a.js': uses, 'a.test.js': '' };
    assert.deepEqual(await listed(files), ['nodeTest test/a.js']);
    const mocha = '{ "scripts": { "test": "mocha a.test.js" } }';
    assert.deepEqual(await listed({ ...files, 'package.json': mocha }), ['mocha a.test.js']);
    const other = '{ "scripts": { "lint": "linter --test a.test.js" } }';
    assert.deepEqual(await listed({ ...files, 'package.json': other }), ['nodeTest test/a.js']);
  });

  it('leaves each package that starts its own tests to itself', async () => {
    const found = await listed({
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'packages/a/package.json': '{ "name": "a" }',
      'packages/a/a.test.js': uses,
      'packages/b/package.json': '{ "name": "b", "scripts": { "test": "node --test lib" } }',
      'packages/b/b.test.js': uses,
      'packages/b/lib/c.test.js': uses,
    });
    assert.deepEqual(found, ['nodeTest packages/a/a.test.js', 'nodeTest packages/b/lib/c.test.js']);
  });

  it('keeps the flags that tests need, and none that changes what a run is', () => {
    const [command] =
      nodeTestCommands({
        scripts: {
          test: 'TZ=UTC node --no-warnings --import tsx --watch --test --test-reporter spec --test-only --test-concurrency=1 -C dev --env-file .env --inspect a.ts $X',
        },
      }) ?? [];
    assert.deepEqual(command, {
      flags: ['--no-warnings', '--import=tsx', '--test-only', '--conditions=dev', '--env-file=.env'],
      env: { TZ: 'UTC' },
      targets: [{ text: 'a.ts', glob: false, computed: false }],
      isSerial: true,
      notes: ['$X in the script "test" is only filled in by a shell: left out.'],
    });
  });

  it('reads suites, subtests and every way to import the functions', async () => {
    const text = `const nt = require('node:test');
const { test: check, describe } = require('node:test');
import run, { it as does } from 'node:test';
import * as all from 'node:test';
nt('called', () => {});
nt.test('member', { skip: true }, () => {});
check('renamed', async (context) => {
  await context.test('inner', async (t2) => { await t2.test('innermost', () => {}); });
  /x/.test('no test');
  for (const n of [1]) await context.test('many ' + n, () => {});
});
describe('suite', () => { does.only('one', () => {}); does('two', { todo: 'later' }, () => {}); });
run.describe('by default', () => { all.it('three', () => {}); });
`;
    assert.deepEqual(drawTitles((await scanNodeTests('a.test.js', text)).tests), [
      'test called',
      'test member skip',
      'test renamed',
      '  test inner',
      '    test innermost',
      "  template 'many ' + n",
      'suite suite',
      '  test one only',
      '  test two todo',
      'suite by default',
      '  test three',
    ]);
    const plain = await scanNodeTests('/a/script.js', 'process.exit(0);\n');
    assert.deepEqual(drawTitles(plain.tests), ['test script.js']);
  });

  it('takes the usual ways to load the functions without a full parse', async () => {
    for (const head of [
      `const { describe, it } = require('node:test');`,
      `const test = require('node:test')`,
      `import test, { describe, it } from 'node:test';`,
    ]) {
      const found = scanTests(`${head}\nit('one', () => {});\ntest('two', () => {});\n`, nodeTestVocabulary);
      assert.notEqual(found, 'ambiguous', head);
      assert.deepEqual(found !== 'ambiguous' && drawTitles(found), ['test one', 'test two']);
    }
    for (const renamed of [
      `const { test: check } = require('node:test');\ncheck('one', () => {});\n`,
      `const { test } = require('node:test'); const nt = require('node:test');\nnt.it('one', () => {});\n`,
      `const { it } = await import('node:test');\nit('one', () => {});\n`,
    ]) {
      assert.equal(scanTests(renamed, nodeTestVocabulary), 'ambiguous');
      assert.deepEqual(drawTitles((await scanNodeTests('a.test.js', renamed)).tests), ['test one']);
    }
  });

  it('runs names that hold patterns, lines that end in CRLF, and files with a byte order mark', async () => {
    const workspace = await temporaryWorkspace({
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'a [b] (c)*.test.js': `\ufeffconst test = require('node:test');\r\ntest('a (b) › $', () => {});\r\n`,
    });
    const { summary } = await runWorkspace(workspace.root, { selection: { filter: '(b) › $' } });
    assert.deepEqual(drawn(summary.tests), ['passed nodeTest:a [b] (c)*.test.js#a (b) %E2%80%BA $']);
    assert.equal(summary.tests[0]?.line, 2);
    await workspace.dispose();
  });
});
