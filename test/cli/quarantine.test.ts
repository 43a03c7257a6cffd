// Tests in the quarantine list: they run, and what fails of them is told, whatever the exit code.
import assert from 'node:assert/strict';
import { testmend } from '../support/testmendCli.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

const head = `const { test } = require('node:test');\nconst assert = require('node:assert');\n`;
const flaky = 'nodeTest:test/a.test.js#fails now and then';
const other = 'nodeTest:test/b.test.js#is wrong';

describe('a quarantine list', () => {
  let shop: TemporaryWorkspace;
  before(async () => {
    shop = await temporaryWorkspace({
      'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
      'test/a.test.js': `${head}test('adds', () => {});\ntest('fails now and then', () => assert.strictEqual(1, 2));\n`,
      'test/b.test.js': `${head}test('is wrong', () => assert.strictEqual(3, 4));\n`,
      'testmend.quarantine': `# since May\n${flaky}\nnodeTest:test/a.test.js#adds\n`,
    });
  });
  after(() => shop.dispose());
  const run = async (...args: string[]) => {
    const { code, stdout } = await testmend(['run', ...args, '--json'], { cwd: shop.root });
    return { code, ...JSON.parse(stdout) };
  };

  it('marks what fails of it, which fails all the same', async () => {
    const { code, failed, passed, tests, notes } = await run('test/a.test.js');
    assert.deepEqual([code, failed, passed], [1, 1, 1]);
    const marked = tests.filter((test: { quarantined?: true }) => test.quarantined);
    assert.deepEqual(
      marked.map(({ id, outcome }: { id: string; outcome: string }) => [id, outcome]),
      [[flaky, 'failed']],
    );
    assert.ok(notes.includes(`2 quarantined tests ran, 1 failed: ${flaky}.`), notes.join('\n'));
    const { stdout } = await testmend(['run', 'test/a.test.js'], { cwd: shop.root });
    assert.match(stdout, /FAIL .*quarantined\n/);
  });

  it('sets no exit code where a person allows it, and hides no other failure', async () => {
    assert.equal((await run('test/a.test.js', '--allow-quarantined')).code, 0);
    const all = await run('--allow-quarantined');
    assert.deepEqual([all.code, all.failed], [1, 2]);
    assert.ok(!all.tests.find(({ id }: { id: string }) => id === other).quarantined);
  });
});
