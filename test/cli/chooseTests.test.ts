// `testmend run --layer` and `--affected`: which tests they choose, and what they say about it.
import assert from 'node:assert/strict';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { errorDocument, runDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

describe('choosing what to run', () => {
  let workspace: TemporaryWorkspace;
  const skill = 'export default () => ({ passed: 1, failed: 0, errors: [] });\n';
  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'tests/plain.tests.mjs': skill,
        'integration/tests/shop.tests.mjs': `import '../../src/shop.mjs';\n${skill}`,
        'browser/tests/buy.tests.mjs': skill,
        'src/shop.mjs': '',
      },
      { git: true },
    );
  });
  after(() => workspace.dispose());
  const run = (...args: string[]) => testmend(['run', '--json', ...args], { cwd: workspace.root });
  const ran = async (...args: string[]) => {
    const result = await run(...args);
    assert.equal(result.code, 0, result.stdout);
    const { tests, notes } = documentOf(runDocument, result);
    return { files: tests.map(({ file }) => file), notes };
  };

  it('runs the tests of a layer, and says how many files are of which', async () => {
    const { files, notes } = await ran('--layer', 'L2');
    assert.deepEqual(files, ['integration/tests/shop.tests.mjs']);
    assert.deepEqual(notes, ['Layer L2: 1 of 3 test files (L1: 2, L3: 0).']);
  });

  it('runs the test at a line of a file, and says where tests begin when there is none', async () => {
    const lines = await temporaryWorkspace({
      'package.json': '{ "scripts": { "test": "node --test" } }',
      'a.test.js': `const { describe, it } = require('node:test');

describe('suite', () => {
  it('one', () => {});
  it('two', () => {
    // Somewhere inside.
  });
});
it('three', () => {});
`,
      'b.test.js': "require('node:test').test('four', () => {});\n",
      'c.test.js':
        "const { suite, test } = require('node:test');\nsuite('s', () => { test('five', () => {}); }); test('six', () => {});\n",
    });
    const at = async (...args: string[]): Promise<readonly string[]> => {
      const result = await testmend(['run', '--json', ...args], { cwd: lines.root });
      assert.equal(result.code, 0, result.stdout);
      return documentOf(runDocument, result).tests.map(({ title }) => title);
    };
    assert.deepEqual(await at('a.test.js:6'), ['two']);
    assert.deepEqual(await at('a.test.js:3', 'b.test.js'), ['one', 'two', 'four']);
    assert.deepEqual(await at('c.test.js:2'), ['five', 'six']);
    const none = await testmend(['run', '--json', 'a.test.js:1'], { cwd: lines.root });
    assert.equal(none.code, 2);
    const { message, remedy } = documentOf(errorDocument, none).error;
    assert.equal(message, 'There is no test at line 1 of a.test.js.');
    assert.equal(remedy, 'Its tests begin at lines 4, 5 and 9.');
    const only = await testmend(['run', '--json', 'b.test.js:2'], { cwd: lines.root });
    assert.equal(documentOf(errorDocument, only).error.remedy, 'Its only test begins at line 1.');
    await lines.dispose();
  });

  it('ends with 2 when no test is of the layer, and takes globs from the settings of the editor', async () => {
    const none = await run('--layer', 'L3');
    assert.equal(none.code, 2);
    assert.match(documentOf(errorDocument, none).error.message, /^No test file belongs to the layer/);
    await workspace.write(
      '.vscode/settings.json',
      '{ // mine\n "testmend.layers": { "L3": ["browser/**"], }, }',
    );
    assert.deepEqual((await ran('--layer', 'L3')).files, ['browser/tests/buy.tests.mjs']);
    const chosen = await run('tests', '--layer', 'L3');
    assert.equal(chosen.code, 2);
    assert.match(documentOf(errorDocument, chosen).error.message, /^None of the chosen test files/);
    await workspace.write('.vscode/settings.json', '{ "testmend.layers": ["browser/**"] }');
    const broken = documentOf(errorDocument, await run('--layer', 'L3')).error;
    assert.match(
      `${broken.message} ${broken.file} ${broken.value}`,
      /testmend\.layers .*settings\.json .*browser/,
    );
  });

  it('fails for no helper among the tests that a rule chose, and for one that was named', async () => {
    const shop = await temporaryWorkspace(
      {
        'package.json': '{ "devDependencies": { "mocha": "*" } }',
        'src/price.js': 'exports.price = 1;\n',
        'test/helpers.js': "exports.price = () => require('../src/price.js').price;\n",
        'test/price.js':
          "it('is one', () => require('node:assert').equal(require('./helpers.js').price(), 1));\n",
      },
      { git: true, packages: ['mocha'] },
    );
    await shop.write('src/price.js', '// Changed.\nexports.price = 1;\n');
    const outcomes = async (...args: string[]): Promise<readonly string[]> => {
      const result = await testmend(['run', '--json', ...args], { cwd: shop.root });
      const { tests } = documentOf(runDocument, result);
      return [`exit ${result.code}`, ...tests.map(({ file, outcome }) => `${file} ${outcome}`)];
    };
    const green = ['exit 0', 'test/price.js passed'];
    for (const args of [['--affected'], ['--layer', 'L1'], ['test']])
      assert.deepEqual(await outcomes(...args), green, args.join(' '));
    const named = await outcomes('test/helpers.js', 'test/price.js');
    assert.deepEqual(named, ['exit 1', 'test/helpers.js errored', 'test/price.js passed']);
    await shop.dispose();
  });

  it('runs what changes affect, and says why it runs more', async () => {
    await workspace.write('src/shop.mjs', '// changed\n');
    const some = await ran('--affected');
    assert.deepEqual(some.files, ['integration/tests/shop.tests.mjs']);
    assert.deepEqual(some.notes, ['1 of 3 test files are affected by 2 changed files.']);
    await workspace.write('.env', 'A=1\n');
    const all = await ran('--affected');
    assert.equal(all.files.length, 3);
    assert.ok(all.notes.includes('.env changed: all tests of the workspace run.'));
  });
});
