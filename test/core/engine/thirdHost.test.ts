// A host beside the editor and the command line: it discovers, runs, fixes and applies, and knows nothing of the core but the engine.
import assert from 'node:assert/strict';
import { HumanError } from '../../../src/core/base/humanError.ts';
import { chooseTests } from '../../../src/core/engine/chooseTests.ts';
import type { RunJson, VerifyJson } from '../../../src/core/engine/documentSchemas.ts';
import { discoverWorkspace } from '../../../src/core/engine/discoverWorkspace.ts';
import { applyToDisk, fixWorkspace } from '../../../src/core/engine/fixWorkspace.ts';
import { openWorkspace, type OpenedWorkspace } from '../../../src/core/engine/openWorkspace.ts';
import { runJson } from '../../../src/core/engine/runJson.ts';
import { runWorkspace } from '../../../src/core/engine/runWorkspace.ts';
import { verifyJson, verifyWorkspace } from '../../../src/core/engine/verifyWorkspace.ts';
import { workspaceOf } from '../../../src/core/engine/workspaceOf.ts';
import type { CycleReport } from '../../../src/core/model/cycle.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

/** All that an assistant would need as tools. */
class ThirdHost {
  readonly told: string[] = [];
  readonly #root: string;
  readonly #signal: AbortSignal;

  constructor(root: string, signal = AbortSignal.timeout(300_000)) {
    this.#root = root;
    this.#signal = signal;
  }

  async discover(): Promise<readonly string[]> {
    const { json } = await discoverWorkspace(workspaceOf({ root: this.#root }), this.#signal);
    return json.files.flatMap(({ tests }) => tests.map(({ id }) => id));
  }

  async run(...files: string[]): Promise<RunJson> {
    const opened = await this.#opened();
    const chosen = await chooseTests({ files }, opened, this.#signal);
    const run = runWorkspace({ opened, chosen, signal: this.#signal });
    for (;;) {
      const { value, done } = await run.next();
      if (done === true) return runJson(value.summary);
      if (value.type === 'testEnded') this.told.push(`${value.result.outcome} ${value.result.title}`);
    }
  }

  async fix(...files: string[]): Promise<CycleReport> {
    const cycle = fixWorkspace({ ...(await this.#common()), asked: { files } });
    for (;;) {
      const { value, done } = await cycle.next();
      if (done === true) return value;
      if (value.type === 'fixJudged') this.told.push(`${value.fix.verdict.verdict} ${value.fix.trust}`);
    }
  }

  async apply(...ids: string[]): Promise<CycleReport> {
    const { outcome, unwritten } = await applyToDisk({ ...(await this.#common()), ids });
    if (unwritten !== undefined) throw unwritten.error;
    return outcome.report;
  }

  async verify(patch: string): Promise<VerifyJson> {
    const common = await this.#common();
    return verifyJson(
      await verifyWorkspace({ ...common, patch, inPlace: false, onSandboxNote: common.onNote }),
    );
  }

  #opened(): Promise<OpenedWorkspace> {
    return openWorkspace(workspaceOf({ root: this.#root }), this.#signal);
  }

  async #common(): Promise<Pick<Parameters<typeof applyToDisk>[0], 'opened' | 'signal' | 'onNote'>> {
    return {
      opened: await this.#opened(),
      signal: this.#signal,
      onNote: (note) => void this.told.push(note),
    };
  }
}

const source = (name: string): string =>
  `module.exports = { ${name}: (lines) => lines.reduce((sum, line) => sum + line, 0) };\n`;

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
    const { fixes, patch } = await finder.fix();
    const [fix] = fixes;
    assert.ok(fix !== undefined && fixes.length === 1);
    assert.deepEqual(
      [fix.verdict.verdict, finder.told.includes(`verified ${fix.trust}`)],
      ['verified', true],
    );
    assert.equal(await shop.read('test/cart.test.js'), before);
    assert.equal((await finder.verify(patch)).verdict, 'verified');
    // Another process, as far as the engine can tell: nothing but the cache of the root joins them.
    const applier = new ThirdHost(shop.root);
    await assert.rejects(
      applier.apply('none'),
      (error) => error instanceof HumanError && error.code === 'stale',
    );
    const report = await applier.apply(fix.id);
    assert.deepEqual([report.status, report.passed, report.failed], ['passed', 2, 0]);
    assert.match(await shop.read('test/cart.test.js'), /totalOf\(\[1, 2\]\)/);
    const all = await applier.run();
    assert.deepEqual([all.passed, all.failed], [2, 0]);
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
