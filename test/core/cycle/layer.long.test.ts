// A cycle that is limited to a layer of tests (CONTRACTS F1), and the lines that its tests run (F3): real runs, real git.
import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import path from 'node:path';
import type { CycleRequest } from '../../../src/core/cycle/cycleRequest.ts';
import type { CycleReport } from '../../../src/core/model/cycle.ts';
import type { TestResult } from '../../../src/core/model/testResult.ts';
import type { LayerChoice } from '../../../src/core/run/layers.ts';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { pythonWith } from '../../support/python.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const nodeTest = (imports: string, body: string): string =>
  `import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n${imports}\ntest('adds', () => {\n  ${body}\n});\n`;
const files = {
  'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }',
  'src/sum.js': 'export const sum = (a, b) => {\n  if (a > 100) {\n    return 0;\n  }\n  return a + b;\n};\n',
  'test/unit/sum.test.js': nodeTest("import { sum } from '../../src/sum.js';", 'assert.equal(sum(1, 2), 3);'),
  'test/integration/sum.test.js': nodeTest(
    "import { sum } from '../../src/sum.js';",
    'assert.equal(sum(2, 2), 4);',
  ),
};
/** The export has another name: both layers are red, and both could be mended. */
const renamed = files['src/sum.js'].replace('sum =', 'total =');

describe('a fix cycle of one layer', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  beforeEach(async () => {
    workspace = await temporaryWorkspace(files, { git: true });
  });
  afterEach(() => workspace.dispose());

  const layer = (name: LayerChoice['layer'], ...own: readonly string[]): LayerChoice => ({
    layer: name,
    files: new Set(own.map((file) => path.join(workspace.root, file))),
    note: `Layer ${name}.`,
  });
  const unit = (): LayerChoice => layer('L1', 'test/unit/sum.test.js');
  const mend = (more: Partial<CycleRequest>): Promise<CycleReport> => mendWorkspace(workspace, more);

  it('runs and mends its tests only, and speaks of them alone', async () => {
    await workspace.write('src/sum.js', renamed);
    const trace = path.join(workspace.root, '../integration-ran');
    const leaveTrace = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(trace)}, '');`;
    await workspace.write('test/integration/sum.test.js', nodeTest(leaveTrace, 'assert.ok(true);'));
    const seen: TestResult[] = [];
    const report = await mend({ layer: unit(), onResults: (tests) => seen.push(...tests) });
    assert.deepEqual(
      [report.layer, report.status, report.passRate, report.total, report.remaining],
      ['L1', 'passed', 100, 1, []],
    );
    assert.match(report.patch, /test\/unit\/sum\.test\.js/);
    assert.doesNotMatch(report.patch, /integration/);
    assert.ok(report.notes.includes('Layer L1.'));
    await assert.rejects(access(trace));
    // What the workspace does without the fix, told of the workspace.
    assert.deepEqual(
      seen.map(({ file, outcome }) => [file, outcome]),
      [['test/unit/sum.test.js', 'errored']],
    );
    assert.doesNotMatch(JSON.stringify(seen), /testmend-mend-/);
  });

  it('counts what is red in its own tests only, whatever other layers do', async () => {
    await workspace.write('test/integration/sum.test.js', "throw new Error('no database');\n");
    const green = await mend({ layer: unit() });
    assert.deepEqual([green.status, green.ended, green.total], ['nothing-to-do', 'target', 1]);
    const whole = await mend({});
    assert.deepEqual([whole.layer, whole.status], [undefined, 'needs-attention']);
  });

  it('says which tests of other layers its fixes reach', async () => {
    await workspace.write('test/totals.js', "export { sum } from '../src/sum.js';\n");
    for (const place of ['unit', 'integration'])
      await workspace.write(
        `test/${place}/sum.test.js`,
        nodeTest("import { sum } from '../totals.js';", 'assert.equal(sum(1, 2), 3);'),
      );
    workspace.git('add', '-A');
    workspace.git('commit', '-qm', 'a helper');
    await workspace.write('src/sum.js', renamed);
    const report = await mend({ layer: unit() });
    assert.match(report.patch, /test\/totals\.js/);
    const note = report.notes.find((one) => one.startsWith('The fixes reach tests of other layers'));
    assert.match(note ?? '', /which were not run: test\/integration\/sum\.test\.js\.$/);
  });

  it('is limited in pytest by the same files, and says what counts its lines', async function () {
    if (pythonWith() === undefined) return this.skip();
    await workspace.dispose();
    const test = (text: string): string =>
      `from cart import label\n\n\ndef test_label():\n    assert label(2) == "${text}"\n`;
    workspace = await temporaryWorkspace(
      {
        'pytest.ini': '[pytest]\npythonpath = .\n',
        'cart.py': 'def label(n):\n    if n > 9:\n        return "many"\n    return f"{n} things"\n',
        'tests/test_cart.py': test('2 things'),
        'tests/test_integration_cart.py': test('2 things'),
      },
      { git: true },
    );
    await workspace.write('cart.py', (await workspace.read('cart.py')).replace('things', 'items'));
    const request = { layer: layer('L1', 'tests/test_cart.py'), coverage: 'counted' } as const;
    const report = await mend({ ...request, assume: 'source-is-right' });
    assert.deepEqual([report.status, report.total, report.remaining], ['passed', 1, []]);
    assert.match(report.patch, /^\+ {4}assert label\(2\) == "2 items"$/m);
    assert.doesNotMatch(report.patch, /integration/);
    const { lines, target, note = '' } = report.coverage ?? { lines: -1 };
    assert.equal(target, 80);
    // pytest-cov is not on every machine.
    assert.ok(
      lines === 75 || (lines === 0 && note.includes('-m pip install pytest-cov')),
      `${lines} ${note}`,
    );
  });

  it('is no pass where the layer has no tests', async () => {
    const report = await mend({ layer: layer('L3'), coverage: 'counted' });
    assert.deepEqual([report.status, report.ended, report.passRate], ['needs-attention', 'no-tests', null]);
    assert.ok(report.notes.some((note) => note.startsWith('No test files of L3 were found.')));
    assert.deepEqual(report.coverage, {
      lines: 0,
      target: 40,
      note: 'Not counted: The cycle ended before.',
    });
  });
});

describe('the line coverage at the end of a fix cycle', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  it('is that of the mended suite, once, with the target of the layer', async () => {
    workspace = await temporaryWorkspace(files, { git: true });
    await workspace.write('src/sum.js', renamed);
    const own = new Set([path.join(workspace.root, 'test/unit/sum.test.js')]);
    const request = { layer: { layer: 'L1', files: own, note: 'Layer L1.' } } as const;
    const plain = await mendWorkspace(workspace, request);
    const counted = await mendWorkspace(workspace, { ...request, coverage: 'counted' });
    // `return 0` is the one statement of four that nothing runs.
    assert.deepEqual([plain.coverage, counted.coverage], [undefined, { lines: 75, target: 80 }]);
    assert.equal(counted.spent.testProcesses, plain.spent.testProcesses + 1);
    assert.deepEqual([counted.status, counted.passRate], ['passed', 100]);
  });

  it('decides nothing about the tests, and tells which of them it disturbs', async () => {
    workspace = await temporaryWorkspace(
      {
        ...files,
        'test/unit/clean.test.js': nodeTest('', 'assert.equal(process.env.NODE_V8_COVERAGE, undefined);'),
      },
      { git: true },
    );
    const report = await mendWorkspace(workspace, { coverage: 'counted' });
    assert.deepEqual([report.status, report.remaining], ['nothing-to-do', []]);
    assert.equal(report.coverage?.lines, 75);
    assert.equal(report.coverage?.note, 'Tests that pass, but not while it is counted: "adds".');
  });

  it('is 0 with a note where the framework lacks what counts, and where the budget is used up', async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "devDependencies": { "vitest": "4" } }',
        'a.js': 'export const a = 1;\n',
        'a.test.js':
          "import { expect, test } from 'vitest';\nimport { a } from './a.js';\ntest('a', () => expect(a).toBe(1));\n",
      },
      { git: true, vitest: true },
    );
    const { coverage, status } = await mendWorkspace(workspace, { coverage: 'counted' });
    assert.deepEqual([status, coverage?.lines, coverage?.target], ['nothing-to-do', 0, undefined]);
    assert.match(
      coverage?.note ?? '',
      /package that is not installed\. Run `npm install -D @vitest\/coverage-v8/,
    );
    const spent = await mendWorkspace(workspace, { coverage: 'counted', budget: { processes: 1 } });
    assert.deepEqual(spent.coverage, {
      lines: 0,
      note: 'Not counted: The 1 test processes that the cycle may start are used up.',
    });
  });
});
