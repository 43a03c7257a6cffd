// The preset `qa`: new tests follow their source, and 95 % are enough after two iterations (CONTRACTS F2, F10).
import assert from 'node:assert/strict';
import type { CycleRequest } from '../../../src/core/cycle/cycleRequest.ts';
import { expectedValue } from '../../../src/core/fixes/assertion/expectedValue.ts';
import type { FixProvider } from '../../../src/core/fixes/fixProvider.ts';
import type { CycleReport } from '../../../src/core/model/cycle.ts';
import { fileEdit } from '../../../src/core/model/edit.ts';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const file = 'tests/price.test.js';
const files = {
  'package.json': JSON.stringify({ name: 'shop', type: 'module', scripts: { test: 'node --test' } }),
  'src/price.js': 'export const price = (n) => n * 2;\nexport const none = () => undefined;\n',
};
const head = `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\nimport { none, price } from '../src/price.js';\n`;

describe('the preset qa', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  beforeEach(async () => {
    workspace = await temporaryWorkspace(files, { git: true });
  });
  afterEach(() => workspace.dispose());

  const mend = (more: Partial<CycleRequest>): Promise<CycleReport> =>
    mendWorkspace(workspace, { providers: [expectedValue], targetPassRate: 95, ...more });
  const states = ({ fixes }: CycleReport): readonly string[] =>
    fixes.map(({ state, trust, verdict }) => `${trust} ${verdict.verdict} ${state}`);

  it('takes the source for right where a test is new, but for values that are none', async () => {
    await workspace.write(
      file,
      `${head}test('doubles', () => {\n  assert.equal(price(2), 5);\n});\ntest('gives', () => {\n  assert.equal(none(), 1);\n});\n`,
    );
    const report = await mend({ preset: 'qa' });
    assert.match(report.patch, /\+ {2}assert\.equal\(price\(2\), 4\);/);
    assert.doesNotMatch(report.patch, /undefined/);
    assert.ok(states(report).includes('oracle verified accepted'));
    assert.deepEqual(
      states(await mend({ preset: 'tester' })).filter((one) => one.endsWith(' accepted')),
      [],
    );
  });

  it('is content with 95 % after two iterations', async () => {
    const many = Array.from(
      { length: 39 },
      (_, n) => `test('t${n}', () => {\n  assert.equal(price(${n}), ${2 * n});\n});\n`,
    );
    await workspace.write(
      file,
      `${head}${many.join('')}test('last', () => {\n  assert.equal(price(50), 100);\n});\n`,
    );
    workspace.git('add', '-A');
    workspace.git('commit', '-qm', 'tests');
    await workspace.write(
      'src/price.js',
      'export const price = (n) => (n === 50 ? 7 : n * 2);\nexport const none = () => undefined;\n',
    );
    const wrong: FixProvider = {
      id: 'wrong',
      description: 'Expects what is not so.',
      propose: async (context) => {
        const { failing } = context;
        const text = (await context.readText(file)) ?? '';
        const start = text.indexOf('100);');
        return [2, 3, 4, 5, 6].map((value, index) => ({
          id: `wrong-${value}`,
          title: `expect ${value}`,
          grade: 'surgical' as const,
          trust: 'oracle' as const,
          edits: [fileEdit(file, text, [{ start, end: start + 3, newText: String(value) }])],
          failures: failing.map(({ result }) => result.id),
          provider: 'wrong',
          confidence: 0.9 - index / 10,
          evidence: [],
        }));
      },
    };
    const common = { providers: [wrong], assume: 'source-is-right' as const, targetPassRate: 100 };
    const qa = await mend({ ...common, preset: 'qa' });
    assert.deepEqual([qa.ended, qa.iterations.length, qa.status], ['target', 2, 'needs-attention']);
    const tester = await mend({ ...common, preset: 'tester' });
    assert.ok(tester.iterations.length > 2, String(tester.iterations.length));
  });
});
