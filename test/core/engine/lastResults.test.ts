// What is remembered of runs: the newest result of each test, also from two windows, and nothing of files that are gone.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Failure, Outcome, TestResult } from '../../../src/core/model/testResult.ts';
import { LastResults } from '../../../src/core/engine/lastResults.ts';

const file = 'a.test.ts';
const fileId = `vitest:${file}`;

function result(rest: string, outcome: Outcome, more: Partial<TestResult> = {}): TestResult {
  const title = rest.slice(1);
  return { id: fileId + rest, file, line: 3, title, suites: [], outcome, durationMs: 1.4, ...more };
}

describe('the last results of a root', () => {
  let root: string;
  let cache: string;
  let results: LastResults;
  const known = async (): Promise<string[]> =>
    (await results.all()).map(
      ({ at, result: { id, outcome } }) => `${at} ${outcome} ${id.slice(fileId.length)}`,
    );
  const add = (startedAt: number, isWhole: boolean, ...given: TestResult[]): Promise<void> =>
    results.add({ startedAt, results: given, isWhole: () => isWhole });

  beforeEach(async () => {
    root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-results-')));
    cache = path.join(root, 'cache');
    await writeFile(path.join(root, file), '');
    results = new LastResults(root, cache);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('are those of the newest run of each test, what failed first', async () => {
    await add(1, true, result('#one', 'passed'), result('#two', 'passed'), result('#three', 'failed'));
    await add(2, false, result('#two', 'failed'));
    assert.deepEqual(await known(), ['2 failed #two', '1 failed #three', '1 passed #one']);
  });

  it('forget tests that a run of the whole file did not have', async () => {
    await add(1, true, result('#one', 'passed'), result('#gone', 'failed'));
    await add(2, true, result('#one', 'passed'));
    assert.deepEqual(await known(), ['2 passed #one']);
  });

  it('take a file that did not load for all of it, until it loads again', async () => {
    await add(1, true, result('#one', 'passed'));
    await add(2, false, result('', 'errored'));
    assert.deepEqual(await known(), ['2 errored ']);
    await add(3, false, result('#one', 'passed'));
    assert.deepEqual(await known(), ['3 passed #one']);
  });

  it('of two windows are the newest of both, in whatever order they arrive', async () => {
    const other = new LastResults(root, cache);
    await other.add({ startedAt: 5, results: [result('#one', 'failed')], isWhole: () => true });
    await add(4, true, result('#one', 'passed'), result('#two', 'passed'));
    assert.deepEqual(await known(), ['5 failed #one', '4 passed #two']);
  });

  it('carry the whole failure, without what the test printed, and the title of a case', async () => {
    const failure: Failure = { message: 'no', stack: [], kind: 'assertion', severity: 'low' };
    await add(
      1,
      true,
      result('#bad', 'failed', { failure, output: 'printed' }),
      result('#each::2', 'passed', { title: 'adds 2', suites: ['sums'] }),
    );
    const [bad, row] = (await results.all()).map((last) => last.result);
    assert.deepEqual([bad?.failure, bad?.output], [failure, undefined]);
    assert.deepEqual([row?.title, row?.suites], ['adds 2', ['sums']]);
  });

  it('do not tell of files that are gone', async () => {
    await add(1, true, result('#one', 'failed'));
    await rm(path.join(root, file));
    assert.deepEqual(await known(), []);
  });

  it('start anew where what was kept is broken, and do without where nothing can be kept', async () => {
    await add(1, true, result('#one', 'passed'));
    const folder = path.join(cache, 'results-1');
    for (const name of await readdir(folder)) await writeFile(path.join(folder, name), '{ "files": 1');
    assert.deepEqual(await known(), []);
    await add(2, true, result('#one', 'failed'));
    assert.deepEqual(await known(), ['2 failed #one']);
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file in its place');
    await add(3, true, result('#one', 'failed'));
    assert.deepEqual(await known(), []);
  });
});
