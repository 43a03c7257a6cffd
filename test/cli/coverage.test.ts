// `testmend run --coverage`: the sums in JSON (CONTRACTS F3), the table at the terminal, and the reports for CI.
import assert from 'node:assert/strict';
import { runDocument } from '../../src/core/engine/documentSchemas.ts';
import { testmend } from '../support/testmendCli.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

describe('testmend run --coverage', () => {
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace({
      'src/half.mjs':
        'export function half(x) {\n  if (x > 1) {\n    return x / 2;\n  }\n  return 0;\n}\n\nexport const never = () => {\n  half(0);\n  return half(1);\n};\n',
      'src/full.mjs': 'export const full = 1;\n',
      'tests/half.tests.mjs':
        "import { half } from '../src/half.mjs';\nimport '../src/full.mjs';\nexport default () => (half(4), { passed: 1, failed: 0, errors: [] });\n",
    });
  });
  after(() => workspace.dispose());
  const run = (...args: readonly string[]) => testmend(['run', ...args], { cwd: workspace.root });

  it('adds the sums of the run and of each file to the JSON', async () => {
    const { code, stdout } = await run('--coverage', '--json');
    assert.equal(code, 0);
    const { coverage, passed } = runDocument.parse(JSON.parse(stdout));
    assert.equal(passed, 1);
    const { files, ...sums } = coverage ?? { files: [] };
    const [full, half] = files;
    assert.deepEqual(sums, {
      lines: { covered: 4, total: 7, percent: 57.1 },
      statements: { covered: 4, total: 7, percent: 57.1 },
      branches: { covered: 1, total: 2, percent: 50 },
      functions: { covered: 1, total: 2, percent: 50 },
    });
    assert.deepEqual(full, {
      file: 'src/full.mjs',
      lines: { covered: 1, total: 1, percent: 100 },
      statements: { covered: 1, total: 1, percent: 100 },
      branches: { covered: 0, total: 0, percent: null },
      functions: { covered: 0, total: 0, percent: null },
    });
    assert.equal(half?.file, 'src/half.mjs');
  });

  it('says nothing of coverage without the option', async () => {
    const { stdout } = await run('--json');
    assert.equal(runDocument.parse(JSON.parse(stdout)).coverage, undefined);
  });

  it('shows the sums at the terminal, and the sources with what is missing of them', async () => {
    const { stdout } = await run('--coverage');
    assert.ok(
      stdout.includes(
        [
          'Coverage  lines 57.1 % · statements 57.1 % · branches 50 % · functions 50 %',
          '  src/half.mjs     50 %  5, 9-10',
          '  1 file with every line covered',
          '',
        ].join('\n'),
      ),
      stdout,
    );
  });

  it('writes lcov and Cobertura, adding up repeated runs', async () => {
    const { code } = await run(
      '--repeat',
      '2',
      '--reporter',
      'lcov',
      '--reporter',
      'cobertura=ci/cobertura.xml',
    );
    assert.equal(code, 0);
    assert.equal(
      await workspace.read('.testmend/lcov.info'),
      [
        'TN: SF:src/full.mjs FNF:0 FNH:0 DA:1,2 LF:1 LH:1 BRF:0 BRH:0 end_of_record',
        'TN: SF:src/half.mjs FN:1,half FN:8,(anonymous_8_22) FNF:2 FNH:1 FNDA:2,half FNDA:0,(anonymous_8_22)',
        'DA:2,2 DA:3,2 DA:5,0 DA:8,2 DA:9,0 DA:10,0 LF:6 LH:3 BRDA:2,0,0,2 BRDA:2,0,1,0 BRF:2 BRH:1 end_of_record',
        '',
      ]
        .join('\n')
        .replaceAll(' ', '\n'),
    );
    const xml = await workspace.read('ci/cobertura.xml');
    assert.match(xml, /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<!DOCTYPE coverage /);
    assert.match(xml, /<coverage lines-valid="7" lines-covered="4" line-rate="0\.5714" branches-valid="2" /);
    assert.match(
      xml,
      /<package name="src" .*>\n\s+<classes>\n\s+<class name="full\.mjs" filename="src\/full\.mjs"/,
    );
    assert.match(xml, /<line number="2" hits="2" branch="true" condition-coverage="50% \(1\/2\)"\/>/);
  });
});
