// What `testmend verify --patch` makes of test files that the patch adds or moves: nobody lists them yet.
import assert from 'node:assert/strict';
import path from 'node:path';
import os from 'node:os';
import { symlink, writeFile } from 'node:fs/promises';
import { unifiedDiff } from '../../src/core/workspace/unifiedDiff.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { verifyDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const head = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price } from '../src/price.js';

`;
const once = `${head}test('once', () => {\n  assert.equal(price(1), 2);\n});\n`;
const ten = `${head}test('ten', () => {\n  assert.equal(price(10), 30);\n});\n`;

describe('a patch with test files that are not there yet', function () {
  this.timeout(240_000);
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
        'src/price.js': 'export const price = (n) => n * 2;\n',
        'test/price.test.js': once,
      },
      { git: true },
    );
    await workspace.write('src/price.js', 'export const price = (n) => n * 3;\n');
  });
  after(() => workspace.dispose());
  const verify = async (...parts: string[]) => {
    const file = path.join(workspace.root, '../it.patch');
    await writeFile(file, parts.join(''));
    const result = await testmend(['verify', '--patch', file, '--json'], { cwd: workspace.root });
    return documentOf(verifyDocument, result);
  };
  const honest = unifiedDiff('test/price.test.js', once, once.replace(', 2)', ', 3)'));
  const rules = ({ violations }: { violations: readonly { rule: string; file: string }[] }) =>
    violations.map(({ rule, file }) => `${rule} ${file}`);

  it('is verified with a new test file beside an honest change', async () => {
    const found = await verify(honest, unifiedDiff('test/ten.test.js', undefined, ten));
    assert.deepEqual([found.verdict, found.reason], ['verified', undefined]);
    const told = found.tests.map(
      ({ title, before, after }) => `${title}: ${before ?? 'not there'}, ${after}`,
    );
    assert.deepEqual(told.sort(), ['once: failed, passed', 'ten: not there, passed']);
    await assert.rejects(workspace.read('test/ten.test.js'));
  });

  it('is verified with a test file that moves', async () => {
    const moved = honest
      .replaceAll('b/test/price.test.js', 'b/test/cost.test.js')
      .replace(/^--- /m, 'rename from test/price.test.js\nrename to test/cost.test.js\n--- ');
    const { verdict, reason } = await verify(moved);
    assert.deepEqual([verdict, reason], ['verified', undefined]);
  });

  it('is rejected with a new test that fails, and with a new file that is no test, a source or a setting', async () => {
    const wrong = await verify(honest, unifiedDiff('test/ten.test.js', undefined, ten.replace('30', '31')));
    assert.equal(wrong.verdict, 'rejected');
    assert.match(wrong.reason ?? '', /"ten" does not pass with the patch/);
    await symlink(os.tmpdir(), path.join(workspace.root, 'test/elsewhere'));
    for (const [file, text] of [
      ['test/elsewhere/x.test.js', ten],
      ['src/more.js', 'export const more = 1;\n'],
      ['test.config.js', 'export default {};\n'],
      ['vitest.config.test.ts', ten],
      ['node_modules/x/x.test.js', ten],
    ] as const) {
      const found = await verify(honest, unifiedDiff(file, undefined, text));
      assert.equal(found.verdict, 'rejected', file);
      assert.match(rules(found).join(), /only-test-files|unsafe-path/, file);
    }
  });

  it('is verified with a new test file where jest and vitest run the tests', async () => {
    const [source, text] = [
      'exports.price = (n) => n * 2;\n',
      (n: number): string => `test('${n}', () => expect(price(${n})).toBe(${2 * n}));\n`,
    ];
    const [forJest, forVitest] = [
      "const { price } = require('../src/price.js');\n",
      "import { expect, test } from 'vitest';\nimport { price } from '../src/price.js';\n",
    ];
    for (const [framework, start, files] of [
      ['jest', forJest, { 'src/price.js': source }],
      ['vitest', forVitest, { 'src/price.js': source.replace('exports.price =', 'export const price =') }],
    ] as const) {
      const other = await temporaryWorkspace(
        {
          'package.json': JSON.stringify({ name: 'shop', devDependencies: { [framework]: '*' } }),
          ...files,
          'test/price.test.js': start + text(1),
        },
        { git: true, packages: [framework] },
      );
      try {
        const file = path.join(other.root, '../it.patch');
        await writeFile(file, unifiedDiff('test/ten.test.js', undefined, start + text(10)));
        const result = await testmend(['verify', '--patch', file, '--json'], { cwd: other.root });
        const { verdict, reason } = documentOf(verifyDocument, result);
        assert.deepEqual([framework, verdict, reason], [framework, 'verified', undefined]);
      } finally {
        await other.dispose();
      }
    }
  });
});
