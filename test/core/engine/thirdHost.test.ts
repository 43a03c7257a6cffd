// The host that the tests write, in one process and another: what one of them proposed, a later one applies.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { HumanError } from '../../../src/core/base/humanError.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { ThirdHost } from './thirdHost.ts';

const source = (name: string): string =>
  `module.exports = { ${name}: (lines) => lines.reduce((sum, line) => sum + line, 0) };\n`;

const isStale = (error: unknown): boolean => error instanceof HumanError && error.code === 'stale';

describe('a third host', function () {
  this.timeout(300_000);
  let shop: TemporaryWorkspace;

  before(async () => {
    shop = await temporaryWorkspace(
      {
        'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
        'src/cart.js': source('sumOf'),
        'src/till.js': `module.exports.pay = (lines) => require('./cart.js').sumOf(lines);\n`,
        'test/cart.test.js': `const { test } = require('node:test');
const assert = require('node:assert');
const { sumOf } = require('../src/cart.js');
test('adds', () => assert.strictEqual(sumOf([1, 2]), 3));
`,
        'test/till.test.js': `const { test } = require('node:test');
const assert = require('node:assert');
const { pay } = require('../src/till.js');
test('pays', () => assert.strictEqual(pay([4]), 4));
`,
      },
      { git: true },
    );
  });
  after(() => shop.dispose());

  it('discovers, and runs what is chosen while it is told of each test', async () => {
    const host = new ThirdHost(shop.root);
    assert.deepEqual(await host.discover(), [
      'nodeTest:test/cart.test.js#adds',
      'nodeTest:test/till.test.js#pays',
    ]);
    const one = await host.run('test/cart.test.js');
    assert.deepEqual([one.passed, one.total, host.told], [1, 1, ['passed adds']]);
    await assert.rejects(host.run('test/none.test.js'), HumanError);
  });

  it('fixes, and has another process apply by id what was proven', async () => {
    await shop.write('src/cart.js', source('totalOf'));
    await shop.write('src/till.js', `module.exports.pay = (lines) => require('./cart.js').totalOf(lines);\n`);
    const before = await shop.read('test/cart.test.js');
    const finder = new ThirdHost(shop.root);
    const { cycleId = '', fixes, patch } = await finder.fix();
    const [fix] = fixes;
    assert.ok(fix !== undefined && fixes.length === 1);
    assert.deepEqual(
      [fix.verdict.verdict, finder.told.includes(`verified ${fix.trust}`)],
      ['verified', true],
    );
    assert.equal(await shop.read('test/cart.test.js'), before);
    assert.equal((await finder.verify(patch)).verdict, 'verified');
    const applier = new ThirdHost(shop.root);
    assert.deepEqual((await applier.report(cycleId))?.fixes, fixes);
    await assert.rejects(applier.apply(['0123456789abcdef']), isStale);
    const report = await applier.apply([fix.id]);
    assert.deepEqual([report.status, report.passed, report.failed], ['passed', 2, 0]);
    assert.match(await shop.read('test/cart.test.js'), /totalOf\(\[1, 2\]\)/);
    await assert.rejects(applier.apply([fix.id]), isStale);
    const all = await applier.run();
    assert.deepEqual([all.passed, all.failed], [2, 0]);
  });

  it('applies what a process had proposed that was killed then, unless a file is another by now', async () => {
    shop.git('checkout', '-q', '--', '.');
    await shop.write('src/cart.js', source('totalOf'));
    await shop.write('src/till.js', `module.exports.pay = (lines) => require('./cart.js').totalOf(lines);\n`);
    const script = path.join(import.meta.dirname, 'thirdHost.ts');
    const tsx = import.meta.resolve('tsx');
    const killed = spawnSync(process.execPath, ['--import', tsx, script, shop.root], {
      encoding: 'utf8',
      env: { ...process.env, TESTMEND_SANDBOX_DIR: path.join(shop.root, '../sandboxes') },
    });
    assert.equal(killed.signal, 'SIGKILL', killed.stderr);
    const found = killed.stdout.trim();
    await shop.write('src/cart.js', `${source('totalOf')}// another text\n`);
    await assert.rejects(new ThirdHost(shop.root).apply([found]), /src\/cart\.js changed after the fix/);
    await shop.write('src/cart.js', source('totalOf'));
    const { status, passed } = await new ThirdHost(shop.root).apply([found]);
    assert.deepEqual([status, passed], ['passed', 2]);
  });

  it('ends a run when its signal is aborted', async () => {
    const controller = new AbortController();
    controller.abort(
      new HumanError('cancelled', 'Cancelled.', { remedy: 'Start it again when you are ready.' }),
    );
    await assert.rejects(
      new ThirdHost(shop.root, controller.signal).run(),
      (error) => error instanceof HumanError && error.code === 'cancelled',
    );
  });
});
