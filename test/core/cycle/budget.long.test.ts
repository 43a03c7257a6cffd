// A cycle whose budget is used up ends with what is proven, and says so.
import assert from 'node:assert/strict';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const files = {
  'package.json': JSON.stringify({ name: 'shop', type: 'module', scripts: { test: 'node --test' } }),
  'src/price.js': 'export const price = (n) => n * 2;\n',
  'src/names.js': 'export const net = (gross) => Math.round(gross / 1.2);\n',
  'tests/price.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { price } from '../src/price.js';
import { net } from '../src/names.js';
test('price', () => {
  assert.equal(price(2), 4);
});
test('net', () => {
  assert.equal(net(120), 100);
});
`,
};

describe('the budget of a cycle', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace(files, { git: true });
    await workspace.write('src/price.js', 'export const price = (n) => n * 3;\n');
    await workspace.write('src/names.js', 'export const withoutTax = (gross) => Math.round(gross / 1.2);\n');
  });
  after(() => workspace.dispose());

  it('ends it before the first fix when nothing is left', async () => {
    const { ended, status, notes, patch, spent, durationMs } = await mendWorkspace(workspace, {
      budget: { processes: 1 },
    });
    assert.deepEqual([ended, status, patch], ['budget', 'needs-attention', '']);
    assert.match(notes.join('\n'), /The 1 test processes that the cycle may start are used up\./);
    assert.ok(spent.testProcesses >= 2 && spent.testProcesses <= 4, String(spent.testProcesses));
    assert.ok(durationMs > 0);
  });

  it('ends it between two fixes with what is proven, without calling the suite green', async () => {
    const full = await mendWorkspace(workspace, { assume: 'source-is-right' });
    assert.equal(full.status, 'passed');
    // Enough for the renamed export, not for the changed value behind it.
    const report = await mendWorkspace(workspace, {
      assume: 'source-is-right',
      budget: { processes: 4 },
    });
    assert.deepEqual([report.ended, report.status], ['budget', 'needs-attention']);
    assert.match(report.patch, /\+import \{ withoutTax/);
    assert.doesNotMatch(report.patch, /price\(2\), 6/);
    assert.ok(report.spent.testProcesses < full.spent.testProcesses);
  });

  it('counts time, too', async () => {
    const { ended, notes } = await mendWorkspace(workspace, { budget: { timeMs: 1 } });
    assert.equal(ended, 'budget');
    assert.match(notes.join('\n'), /The 0\.001 s that the cycle may take are used up\./);
  });
});
