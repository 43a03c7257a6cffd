// The last runs of a root: any process answers for them, and no file of ours holds a secret that a failure told.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { keepRun, lastRun, storedRun } from '../../../src/core/engine/runStore.ts';
import { cacheFolderOf } from '../../../src/core/engine/workspaceOf.ts';
import { summarize } from '../../../src/core/model/summarize.ts';
import type { Failure, TestResult } from '../../../src/core/model/testResult.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const result = (title: string, rest: Partial<TestResult> = {}): TestResult => ({
  id: `vitest:a.test.ts#${title}`,
  file: 'a.test.ts',
  line: 1,
  title,
  suites: [],
  outcome: 'passed',
  durationMs: 1,
  ...rest,
});

describe('the runs of a root', () => {
  let shop: TemporaryWorkspace;
  const former = process.env['XDG_CACHE_HOME'];

  before(async () => {
    shop = await temporaryWorkspace({ 'a.test.ts': "const apiToken = 'tk-93hf83hfk2';\n" });
    process.env['XDG_CACHE_HOME'] = path.join(path.dirname(shop.root), 'caches');
  });
  after(async () => {
    if (former === undefined) delete process.env['XDG_CACHE_HOME'];
    else process.env['XDG_CACHE_HOME'] = former;
    await shop.dispose();
  });

  it('are kept with what failed and without secrets, those that only the test file names among them', async () => {
    const failure: Failure = {
      message: "expected 'tk-93hf83hfk2' to be 'x'\npassword: hunter2-4711",
      expected: "'x'",
      actual: "'tk-93hf83hfk2'",
      stack: [],
      kind: 'assertion',
      severity: 'medium',
    };
    const tests = [
      result('adds', { output: 'lots' }),
      result('logs in', { outcome: 'failed', failure, output: 'token=tk-93hf83hfk2' }),
    ];
    const summary = summarize(tests, { durationMs: 5, notes: [], ended: 'complete' });
    const { runId } = await keepRun(shop.root, { summary, flaky: new Set() }, { begins: true });
    const kept = await storedRun(shop.root, runId);
    assert.deepEqual(kept, await lastRun(shop.root));
    assert.deepEqual(
      kept?.summary.tests.map(({ title, outcome, output }) => [title, outcome, output]),
      [
        ['adds', 'passed', undefined],
        ['logs in', 'failed', 'token=[redacted]'],
      ],
    );
    assert.match(kept.summary.tests[1]?.failure?.message ?? '', /^expected '\[redacted\]' to be 'x'/);
    const folder = path.join(cacheFolderOf(shop.root), 'runs-1');
    for (const name of await readdir(folder))
      assert.doesNotMatch(await readFile(path.join(folder, name), 'utf8'), /tk-93|hunter2/);
  });

  it('are told where they cannot be kept, with a note', async () => {
    const other = path.join(shop.root, 'other');
    await mkdir(cacheFolderOf(other), { recursive: true });
    await writeFile(path.join(cacheFolderOf(other), 'runs-1'), 'in its way');
    const summary = summarize([result('adds')], { durationMs: 5, notes: [], ended: 'complete' });
    const run = await keepRun(other, { summary, flaky: new Set() }, { begins: true });
    assert.equal(run.summary.passed, 1);
    assert.match(run.summary.notes.join(), /^This run cannot be asked for later: /);
  });

  it('are unknown under other ids', async () => {
    assert.equal(await storedRun(shop.root, '../../etc/passwd'), undefined);
  });
});
