// Coverage over the wire: sums of all files with the end of a run, details of one file when they are asked for.
import assert from 'node:assert/strict';
import path from 'node:path';
import { drawFile } from '../support/coverageSource.ts';
import { startEngine, type EngineProcess } from '../support/engineProcess.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { requests, type RunEnd } from '../../src/server/messages.ts';

const skillTest = (call: string): string =>
  `import { half } from '../src/half.mjs';\nexport default () => (${call}, { passed: 1, failed: 0, errors: [] });\n`;

describe('coverage of the engine', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let engine: EngineProcess;
  const run = (runId: string): Promise<RunEnd> =>
    engine.request(requests.run, { runId, root: workspace.root, coverage: true });
  const details = async (runId: string, test?: string) => {
    const asked = { runId, root: workspace.root, file: 'src/half.mjs', ...(test !== undefined && { test }) };
    const { coverage } = await engine.request(requests.coverageDetails, asked);
    return coverage && drawFile(coverage);
  };

  before(async () => {
    workspace = await temporaryWorkspace({
      'src/half.mjs': 'export function half(x) {\n  if (x > 1) return x / 2;\n  return 0;\n}\n',
      'src/generated/big.mjs': 'export const big = 1;\n',
      'tests/large.tests.mjs': `import '../src/generated/big.mjs';\n${skillTest('half(4)')}`,
      'tests/small.tests.mjs': skillTest('half(1)'),
      'tests/other.tests.mjs': 'export default () => ({ passed: 1, failed: 0, errors: [] });\n',
    });
    engine = await startEngine('ipc', {
      initializationOptions: {
        roots: [{ root: workspace.root, coverage: ['!**/generated/**'] }],
        trusted: true,
        storageFolder: path.join(path.dirname(workspace.root), 'storage'),
      },
    });
    await engine.request(requests.listFiles, {});
  });
  after(async () => {
    await engine.end();
    await workspace.dispose();
  });

  it('tells sums and the tests behind them, then details of all tests and of one, until another run takes its place', async () => {
    const { coverage, notes } = await run('1');
    assert.deepEqual(notes, []);
    assert.deepEqual(coverage, [
      {
        file: 'src/half.mjs',
        statements: { covered: 3, total: 3 },
        branches: { covered: 2, total: 2 },
        functions: { covered: 1, total: 1 },
        tests: ['skill:tests/large.tests.mjs', 'skill:tests/small.tests.mjs'],
      },
    ]);
    assert.deepEqual(await details('1'), { lines: '2:2 3:1', functions: '1:2', branches: '2:1,1' });
    const alone = { lines: '2:1 3:0', functions: '1:1', branches: '2:1,0' };
    assert.deepEqual(await details('1', 'skill:tests/large.tests.mjs'), alone);
    assert.equal(await details('1', 'skill:tests/other.tests.mjs'), undefined);
    await run('2');
    assert.equal(await details('1'), undefined);
    assert.equal((await details('2'))?.functions, '1:2');
  });

  it('tells none of a run without coverage, and keeps that of the one before', async () => {
    const end = await engine.request(requests.run, { runId: '3', root: workspace.root });
    assert.equal(end.coverage, undefined);
    assert.equal((await details('2'))?.functions, '1:2');
  });
});
