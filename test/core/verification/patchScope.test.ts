// A patch of one test file is judged by all tests that it can reach: that read the file, and that share its process. Real runners.
import assert from 'node:assert/strict';
import { verifyPatch, type PatchVerdict } from '../../../src/core/verification/verifyPatch.ts';
import { unifiedDiff } from '../../../src/core/workspace/unifiedDiff.ts';
import { pythonWith } from '../../support/python.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { requestFor } from './request.ts';

describe('a patch of one test file', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace?.dispose());

  const verdictOf = async (file: string, old: string, now: string): Promise<PatchVerdict> => {
    const text = await workspace.read(file);
    assert.ok(text.includes(old));
    return verifyPatch(unifiedDiff(file, text, text.replace(old, now)), {
      ...(await requestFor(workspace)),
      isTestFile: (one) => /(?:^|\/)test/.test(one),
    });
  };

  it('is rejected for a test that reads the file, and proven in its own file where nothing does', async () => {
    const imports = "import test from 'node:test';\nimport assert from 'node:assert';\n";
    const priceTest = (price: number): string =>
      `${imports}import { price } from '../src/price.js';\n\ntest('costs', () => {\n  assert.strictEqual(price(), ${price});\n});\n`;
    workspace = await temporaryWorkspace(
      {
        'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
        'src/price.js': 'export const price = () => 11;\n',
        'test/price.test.js': priceTest(10),
        'test/cheap.test.js': priceTest(9),
        'test/other.test.js': `${imports}test('stands', () => {\n  assert.ok(true);\n});\n`,
        'test/documented.test.js': `${imports}import fs from 'node:fs';\n\ntest('documents the price', () => {\n  const text = fs.readFileSync(import.meta.dirname + '/price.test.js', 'utf8');\n  assert.ok(text.includes('price(), 10'));\n});\n`,
      },
      { git: true },
    );
    const read = await verdictOf('test/price.test.js', '10', '11');
    assert.deepEqual(
      [read.verdict, read.reason, read.scope],
      ['rejected', '"documents the price" passed before and fails now.', 'affected'],
    );
    const alone = await verdictOf('test/cheap.test.js', '9', '11');
    assert.deepEqual(
      [alone.verdict, alone.reason, alone.scope, alone.runs],
      ['verified', undefined, 'file', 3],
    );
  });

  it('is rejected for a test of the same process that it breaks', async () => {
    const imports = "const assert = require('assert');\nconst store = require('../src/store');\n\n";
    workspace = await temporaryWorkspace(
      {
        'package.json': '{"scripts":{"test":"mocha"},"devDependencies":{"mocha":"11.0.0"}}',
        'src/store.js':
          'const items = [];\nexports.add = (item) => items.push(item);\nexports.size = () => items.length;\n',
        'test/a.js': `${imports}it('starts', () => {\n  assert.strictEqual(typeof store.size(), 'number');\n});\n`,
        'test/b.js': `${imports}it('is empty', () => {\n  assert.strictEqual(store.size(), 0);\n});\n`,
      },
      { git: true, packages: ['mocha'] },
    );
    const adds = "it('adds', () => {\n  assert.strictEqual(store.add('x'), 1);\n});\n";
    const starts = "it('starts', () => {";
    const breaks = await verdictOf('test/a.js', starts, adds + starts);
    assert.deepEqual(
      [breaks.verdict, breaks.reason, breaks.scope],
      ['rejected', '"is empty" passed before and fails now.', 'suite'],
    );
    const counts = "it('counts', () => {\n  assert.strictEqual(store.size(), 0);\n});\n";
    const end = "'number');\n});\n";
    const harmless = await verdictOf('test/a.js', end, end + counts);
    assert.deepEqual(
      [harmless.verdict, harmless.reason, harmless.scope, harmless.runs],
      ['verified', undefined, 'suite', 4],
    );
  });

  it('is rejected for a test of Python that finds the file in its folder', async function () {
    if (pythonWith() === undefined) return this.skip();
    workspace = await temporaryWorkspace(
      {
        'pytest.ini': '[pytest]\n',
        '.gitignore': '__pycache__\n.pytest_cache\n',
        'price.py': 'def price():\n    return 11\n',
        'test_price.py': 'from price import price\n\n\ndef test_costs():\n    assert price() == 10\n',
        'test_style.py':
          'import pathlib\n\n\ndef test_style():\n    for file in pathlib.Path(__file__).parent.glob("test_p*.py"):\n        assert "== 10" in file.read_text()\n',
      },
      { git: true },
    );
    const { verdict, reason, scope } = await verdictOf('test_price.py', '10', '11');
    assert.deepEqual(
      [verdict, reason, scope],
      ['rejected', '"test_style" passed before and fails now.', 'affected'],
    );
  });
});
