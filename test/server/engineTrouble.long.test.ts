// What is left of an engine that was killed, and what the next one knows; two engines on one root.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, realpath, rm, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { requests } from '../../src/server/messages.ts';
import type { EngineProcess } from '../support/engineProcess.ts';
import { endlessPid, gone, nodeGreetingShop, startEngineFor } from '../support/greetingShop.ts';
import { processesIn } from '../support/processesIn.ts';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { treeSnapshot } from '../support/treeSnapshot.ts';

const greetingFile = 'nodeTest:tests/greeting.test.js';
const endlessFile = 'nodeTest:tests/endless.test.js';
const failingTest = `${greetingFile}#greets by name`;

describe('after the engine was killed', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let sandboxes: string;
  const engines: EngineProcess[] = [];
  const start = async (): Promise<EngineProcess> => {
    const engine = await startEngineFor([workspace.root]);
    engines.push(engine);
    return engine;
  };
  const kill = async (engine: EngineProcess): Promise<void> => {
    engine.child.kill('SIGKILL');
    await engine.exited;
  };
  const runGreeting = (engine: EngineProcess, runId = '1') =>
    engine.request(requests.run, { runId, root: workspace.root, targets: [{ fileId: greetingFile }] });
  const lastResults = async (engine: EngineProcess) => {
    const { results } = await engine.request(requests.lastResults, { root: workspace.root });
    return results.map(({ result, outdated }) => [result.id, result.outcome, outdated]);
  };

  beforeEach(async () => {
    workspace = await nodeGreetingShop();
    // No name that a watcher would ignore.
    sandboxes = await realpath(await mkdtemp(path.join(os.homedir(), 'testmend-test-sandboxes-')));
    process.env['TESTMEND_SANDBOX_DIR'] = sandboxes;
  });
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.end();
    delete process.env['TESTMEND_SANDBOX_DIR'];
    await rm(sandboxes, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    await workspace.dispose();
  });

  it('the next one still knows what failed and has a fix for it, without a run', async () => {
    const first = await start();
    await runGreeting(first);
    // The next answer comes when the results are on the disk.
    await lastResults(first);
    await kill(first);
    const second = await start();
    assert.deepEqual(await lastResults(second), [
      [failingTest, 'failed', false],
      [`${greetingFile}#says something`, 'passed', false],
    ]);
    const { fixes } = await second.request(requests.proposeFixes, {
      root: workspace.root,
      ids: [failingTest],
    });
    assert.deepEqual(
      fixes.map(({ title }) => title),
      ["expect 'Hello, Ada' (was 'Hi, Ada')"],
    );
    assert.deepEqual(second.runEvents, []);
  });

  it('results are outdated when what the tests import changed since', async () => {
    const first = await start();
    await runGreeting(first);
    await lastResults(first);
    await kill(first);
    const later = new Date(Date.now() + 10_000);
    await utimes(path.join(workspace.root, 'src/greeting.js'), later, later);
    const second = await start();
    assert.deepEqual(
      (await lastResults(second)).map(([, , outdated]) => outdated),
      [true, true],
    );
  });

  it('in a run, its test processes end and its results are not taken for passes', async () => {
    const first = await start();
    const { root } = workspace;
    first
      .request(requests.run, { runId: '1', root, targets: [{ fileId: endlessFile }] })
      .catch(() => undefined);
    const pid = await endlessPid(workspace);
    await kill(first);
    await gone(pid);
    assert.deepEqual(await lastResults(await start()), []);
  });

  it('in a fix cycle, the workspace is as it was, and the next start leaves neither sandbox nor process', async () => {
    const { root } = workspace;
    await rm(path.join(root, 'tests/endless.test.js'));
    const before = await filesOf(root);
    const first = await start();
    first.request(requests.startCycle, { cycleId: '1', root }).catch(() => undefined);
    const isTold = (): boolean => first.cycleEvents.some(({ type }) => type === 'iterationStarted');
    while (!isTold()) await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal((await readdir(sandboxes)).length, 1);
    await kill(first);
    const second = await start();
    while ((await readdir(sandboxes)).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    while (processesIn([sandboxes, root]).length > 0) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(await filesOf(root), before);
    // Its lock is no obstacle either.
    const report = await second.request(requests.startCycle, { cycleId: '2', root });
    assert.equal(report.fixes.filter(({ verdict }) => verdict.verdict === 'verified').length, 1);
  });

  it('or not: two engines of one root run side by side, keep each other’s results, and share one cycle at a time', async () => {
    const { root } = workspace;
    const [first, second] = await Promise.all([start(), start()]);
    const ends = await Promise.all([runGreeting(first), runGreeting(second)]);
    assert.deepEqual(
      ends.map(({ passed, failed, ended }) => [passed, failed, ended]),
      [
        [1, 1, 'complete'],
        [1, 1, 'complete'],
      ],
    );
    await rm(path.join(root, 'tests/endless.test.js'));
    await workspace.write(
      'tests/late.test.js',
      "import { it } from 'node:test';\nit('is late', () => {});\n",
    );
    await second.request(requests.listFiles, {});
    await second.request(requests.run, {
      runId: '2',
      root,
      targets: [{ fileId: 'nodeTest:tests/late.test.js' }],
    });
    const known = [
      failingTest,
      'nodeTest:tests/late.test.js#is late',
      `${greetingFile}#says something`,
    ].sort();
    await lastResults(second);
    const ids = (await lastResults(first)).map(([id]) => String(id)).sort();
    assert.deepEqual(ids, known);

    const cycle = first.request(requests.startCycle, { cycleId: '1', root });
    while (first.cycleEvents.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await assert.rejects(second.request(requests.startCycle, { cycleId: '2', root }), /cycle/);
    assert.equal((await cycle).fixes.length, 1);
  });
});

/** The user's files. */
async function filesOf(root: string): Promise<readonly (readonly [string, string])[]> {
  const files = Object.entries(await treeSnapshot(root));
  return files.filter(([file]) => !file.startsWith('node_modules'));
}
