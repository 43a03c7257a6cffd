// Runs that are asked for in a special way: several times over, and with new snapshots.
import assert from 'node:assert/strict';
import path from 'node:path';
import { requests } from '../../src/server/messages.ts';
import { startEngine, type EngineProcess } from '../support/engineProcess.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

describe('kinds of run in the engine', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let engine: EngineProcess;
  const flaky = 'skill:tests/flaky.tests.mjs';
  const stored = 'vitest:snap.test.js';

  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "devDependencies": { "vitest": "*" } }',
        'snap.test.js': `import { expect, it } from 'vitest';\nit('keeps', () => expect(2).toMatchSnapshot());\n`,
        '__snapshots__/snap.test.js.snap':
          '// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[`keeps 1`] = `1`;\n',
        'tests/flaky.tests.mjs': `import { existsSync, writeFileSync } from 'node:fs';
export default () => {
  const seen = existsSync('seen');
  writeFileSync('seen', '');
  return seen ? { passed: 1, failed: 0, errors: [] } : { passed: 0, failed: 1, errors: ['a: first'] };
};
`,
      },
      { vitest: true },
    );
    engine = await startEngine('ipc', {
      initializationOptions: {
        roots: [{ root: workspace.root }],
        trusted: true,
        storageFolder: path.join(path.dirname(workspace.root), 'storage'),
        hasOwnUi: true,
      },
    });
    await engine.request(requests.listFiles, {});
  });
  after(async () => {
    await engine.end();
    await workspace.dispose();
  });
  const run = (fileId: string, kind: { repeat?: number; updateSnapshots?: boolean }) =>
    engine.request(requests.run, { runId: fileId, root: workspace.root, targets: [{ fileId }], ...kind });

  it('repeats, tells each test once with its worst result, and names the flaky', async () => {
    const { total, failed, notes, ended } = await run(flaky, { repeat: 3 });
    assert.deepEqual({ total, failed, ended }, { total: 1, failed: 1, ended: 'complete' });
    assert.ok(notes.some((note) => /^Flaky: .* failed in 1 of 3 runs\.$/.test(note)));
    const ends = engine.runEvents.flatMap((event) =>
      event.type === 'testEnded' ? event.result.outcome : [],
    );
    assert.deepEqual(ends, ['failed']);
    const printed = engine.runEvents.flatMap((event) => (event.type === 'output' ? event.text : []));
    assert.ok(printed.includes('Run 2 of 3: 1 passed, 0 failed.\n'));
  });

  it('writes stored snapshots anew only when asked', async () => {
    assert.equal((await run(stored, {})).failed, 1);
    assert.equal((await run(stored, { updateSnapshots: true })).passed, 1);
    assert.match(await workspace.read('__snapshots__/snap.test.js.snap'), /`keeps 1`\] = `2`/);
  });
});
