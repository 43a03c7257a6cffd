// A test must fail in the copy as it does in the workspace: a value that only the copy shows is nothing to expect. Real runs of node:test.
import assert from 'node:assert/strict';
import { summarize } from '../../../src/core/model/summarize.ts';
import type { Failure, RunSummary, TestResult } from '../../../src/core/model/testResult.ts';
import { otherFailures, stillOther } from '../../../src/core/verification/failsOtherwise.ts';
import { verifyPatch, type PatchVerdict } from '../../../src/core/verification/verifyPatch.ts';
import { unifiedDiff } from '../../../src/core/workspace/unifiedDiff.ts';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { requestFor } from './request.ts';

const imports = "import test from 'node:test';\nimport assert from 'node:assert';\n";
const differently =
  /^"costs" fails differently in the copy: 12 in the workspace, 11 in the copy\. .*--sandbox in-place/;

describe('a test that fails in the workspace and in the copy', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
        '.gitignore': '.env\n',
        'src/price.js': `import fs from 'node:fs';
export const price = () => (/(?:sandboxes|copies)\\//.test(import.meta.url) ? 11 : 12);
export const total = () => 5;
export const rate = () => Number(fs.readFileSync(new URL('../.env', import.meta.url), 'utf8'));
`,
        'test/price.test.js': `${imports}import { price, total } from '../src/price.js';

test('costs', () => {
  assert.strictEqual(price(), 10);
});
test('adds up', () => {
  assert.strictEqual(total(), 4);
});
`,
        'test/rate.test.js': `${imports}import { rate } from '../src/price.js';

test('has a rate', () => {
  const read = () => { try { return rate(); } catch { return 1; } };
  assert.strictEqual(read(), 2);
});
`,
        'test/noise.test.js': `${imports}import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import { total } from '../src/price.js';

test('tells much', () => {
  const folder = fs.mkdtempSync(os.tmpdir() + '/noise-');
  fs.rmdirSync(folder);
  const made = [randomUUID(), folder, new Date().toISOString(), performance.now() + ' ms', import.meta.url];
  assert.strictEqual(total(), 4, made.join(' '));
});
`,
      },
      { git: true },
    );
    await workspace.write('.env', '3');
  });
  after(() => workspace?.dispose());

  const verdictOf = async (file: string, old: string, now: string): Promise<PatchVerdict> => {
    const text = await workspace.read(file);
    assert.ok(text.includes(old));
    return verifyPatch(unifiedDiff(file, text, text.replace(old, now)), {
      ...(await requestFor(workspace)),
      isTestFile: (one) => one.startsWith('test/'),
    });
  };

  it('proves neither value where it sees another one in each, but what is said of its neighbour', async () => {
    for (const value of ['11', '12']) {
      const { verdict, reason = '' } = await verdictOf('test/price.test.js', '10', value);
      assert.deepEqual([verdict, differently.test(reason)], ['unverifiable', true], reason);
    }
    const { verdict, reason } = await verdictOf('test/price.test.js', 'total(), 4', 'total(), 5');
    assert.deepEqual([verdict, reason], ['verified', undefined]);
  });

  it('sees the value of the workspace once the files are there that git ignores', async () => {
    assert.equal((await verdictOf('test/rate.test.js', '(), 2', '(), 1')).verdict, 'rejected');
    const { verdict, reason } = await verdictOf('test/rate.test.js', '(), 2', '(), 3');
    assert.deepEqual([verdict, reason], ['verified', undefined]);
  });

  it('fails alike where only ids, times, durations and temporary files differ', async () => {
    const { verdict, reason } = await verdictOf('test/noise.test.js', '(), 4', '(), 5');
    assert.deepEqual([verdict, reason], ['verified', undefined]);
  });

  it('fails alike where a message differs from run to run in the workspace itself, in nothing that could be a value', () => {
    const run = (message: string): RunSummary => {
      const failure: Failure = { message, stack: [], kind: 'error', severity: 'medium' };
      const test: TestResult = {
        id: 'nodeTest:a.test.js#a',
        file: 'a.test.js',
        line: 1,
        title: 'a',
        suites: [],
        outcome: 'failed',
        durationMs: 1,
        failure,
      };
      return summarize([test], { durationMs: 1, notes: [], ended: 'complete' });
    };
    const places = { originalRoot: '/shop', told: (text: string) => text.replaceAll('/copy/', '') };
    const isOther = (original: string, copy: string, anew: string): boolean => {
      const others = otherFailures(run(original), run(copy), places);
      return stillOther(others, run(anew), places).length > 0;
    };
    assert.equal(isOther('lost /shop/a.js', 'lost /copy/a.js', 'gone'), false, 'places');
    assert.equal(isOther('no 12', 'no 11', 'no 12'), true, 'a value');
    assert.equal(isOther('no 12', 'no 11', 'no 13'), true, 'a value that is another one each time');
    assert.equal(
      isOther('job 9f1c22aa: no 12', 'job 81b77c10: no 12', 'job c0ffee99: no 12'),
      false,
      'an id',
    );
    assert.equal(isOther('job 9f1c22aa: no 12', 'job 81b77c10: no 11', 'job c0ffee99: no 12'), true, 'both');
    assert.equal(isOther('after 12 ms', 'after 9 ms', 'after 14 ms'), false, 'a duration');
    assert.equal(isOther('takes 12 ms', 'takes 9 ms', 'takes 12 ms'), true, 'a stated duration');
    assert.equal(isOther('stale', 'does not compile', 'does not compile'), false, 'a cache of the runner');
  });

  it('gets no proven fix of the cycle either', async () => {
    const { fixes } = await mendWorkspace(workspace, { assume: 'source-is-right' });
    const costs = fixes.filter(({ failures }) => failures.some((id) => id.endsWith('#costs')));
    assert.deepEqual(
      costs.map(({ verdict }) => [verdict.verdict, differently.test(verdict.reason ?? '')]),
      [['unverifiable', true]],
    );
    const others = fixes.filter(({ failures }) => failures.some((id) => /#(?:adds up|has a rate)$/.test(id)));
    assert.deepEqual(
      others.map(({ verdict }) => verdict.verdict),
      ['verified', 'verified'],
    );
  });
});
