// The history in the root: complete snapshots whoever adds them at once, no more than a hundred, none through a link.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { addToHistory, readHistory } from '../../../src/core/engine/runHistory.ts';
import type { StoredRun } from '../../../src/core/engine/runStore.ts';
import { summarize } from '../../../src/core/model/summarize.ts';
import type { Failure } from '../../../src/core/model/testResult.ts';

function run(runId: string, message = 'password=hunter2-4711 is wrong'): StoredRun {
  const failure: Failure = { message, stack: [], kind: 'error', severity: 'low' };
  const test = { id: 'mocha:a.js#a', file: 'a.js', line: 1, title: 'a', suites: [], durationMs: 1 };
  const summary = summarize([{ ...test, outcome: 'failed', failure }], {
    durationMs: 5,
    notes: [],
    ended: 'complete',
  });
  return { runId, endedAt: new Date().toISOString(), summary, flaky: [] };
}

describe('the history of a root', () => {
  let root: string;
  const folder = (): string => path.join(root, '.testmend/history');
  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-history-')));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('keeps runs in their order, without secrets and out of git', async () => {
    for (const id of ['run-1', 'run-2', 'run-3']) await addToHistory(root, run(id));
    const { runs, warnings } = await readHistory(root, 2);
    assert.deepEqual([runs.map(({ runId }) => runId), warnings], [['run-2', 'run-3'], []]);
    assert.equal(await readFile(path.join(root, '.testmend/.gitignore'), 'utf8'), '*\n');
    const names = await readdir(folder());
    for (const name of names) {
      assert.match(name, /^\d{8}-\d{6}-\d{6}\.json$/);
      assert.doesNotMatch(await readFile(path.join(folder(), name), 'utf8'), /hunter2/);
    }
  });

  it('loses nothing of several processes that add at once', async () => {
    const script = path.join(root, 'add.mts');
    const history = path.resolve(import.meta.dirname, '../../../src/core/engine/runHistory.ts');
    await writeFile(
      script,
      `import { addToHistory } from ${JSON.stringify(history)};
const run = ${JSON.stringify(run('run-x'))};
await Promise.all(Array.from({ length: 12 }, () => addToHistory(${JSON.stringify(root)}, run)));\n`,
    );
    const tsx = createRequire(import.meta.url).resolve('tsx');
    const start = () => promisify(execFile)(process.execPath, ['--import', pathToFileURL(tsx).href, script]);
    await Promise.all([start(), start()]);
    const { runs, warnings } = await readHistory(root);
    assert.deepEqual([runs.length, warnings, (await readdir(folder())).length], [24, [], 24]);
  });

  it('sets torn snapshots aside with a warning, and forgets the oldest', async () => {
    await mkdir(folder(), { recursive: true });
    for (let n = 100; n < 200; n++)
      await writeFile(path.join(folder(), `20200101-000000-000${n}.json`), '{ "runId": "run-');
    await addToHistory(root, run('run-1'));
    assert.equal((await readdir(folder())).length, 100);
    const { runs, warnings } = await readHistory(root);
    assert.equal(runs.length, 1);
    assert.match(warnings[0] ?? '', /20200101-000000-000199\.json .* set aside/);
    assert.deepEqual((await readHistory(root)).warnings, []);
  });

  it('keeps as many runs as it is told to, the newest', async () => {
    for (const id of ['run-1', 'run-2', 'run-3', 'run-4']) await addToHistory(root, run(id), 2);
    const { runs } = await readHistory(root);
    assert.deepEqual(
      [runs.map(({ runId }) => runId), (await readdir(folder())).length],
      [['run-3', 'run-4'], 2],
    );
  });

  it('follows no link out of the root', async () => {
    const outside = path.join(root, 'outside');
    const inside = path.join(root, 'inside');
    await mkdir(outside);
    await mkdir(inside);
    await symlink(outside, path.join(inside, '.testmend'));
    await assert.rejects(addToHistory(inside, run('run-1')), /leads out of the root/);
    assert.deepEqual(await readdir(outside), []);
  });
});
