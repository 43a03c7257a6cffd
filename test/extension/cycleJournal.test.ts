// What is known of a cycle when its window comes back, however it went.
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { CycleEvent } from '../../src/core/model/cycle.ts';
import { CycleJournal, latestCycle, readCycle } from '../../src/extension/webview/cycleJournal.ts';

const root = '/shop';
const cycle = { cycleId: '6f0c-1', root, folder: 'shop', files: ['tests/a.test.ts'] };
const started: CycleEvent = {
  type: 'cycleStarted',
  root,
  preset: 'tester',
  maxIterations: 10,
  targetPassRate: 95,
};
const progress: CycleEvent = { type: 'progress', text: 'running 2 test files' };

describe('the journal of a cycle', () => {
  let storage: string;

  beforeEach(async () => {
    storage = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-journal-')));
  });
  afterEach(() => rm(storage, { recursive: true, force: true }));

  it('gives back scope, events, decisions, texts before the first fix, and what ran again', () => {
    const journal = CycleJournal.begin(storage, cycle);
    journal.events([started, progress]);
    journal.bases({ 'tests/a.test.ts': 'before' });
    journal.bases({ 'tests/a.test.ts': 'later', 'tests/b.test.ts': 'b' });
    journal.decided({ 1: 'applied', 2: 'bug', 3: 'discarded' });
    journal.decided({ 3: null, 4: 'applied' });
    journal.decided({ 4: 'takenBack' });
    journal.rerun({ 'vitest:tests/a.test.ts#adds': 'passed' });
    journal.over('ended');
    assert.deepEqual(readCycle(storage, root, cycle.cycleId), {
      ...cycle,
      events: [started],
      decisions: { 1: 'applied', 2: 'bug', 4: 'takenBack' },
      bases: { 'tests/a.test.ts': 'before', 'tests/b.test.ts': 'b' },
      outcomes: { 'vitest:tests/a.test.ts#adds': 'passed' },
      writing: undefined,
      over: { phase: 'ended' },
    });
  });

  it('is readable up to its last whole line when the window died in the middle of one', async () => {
    const journal = CycleJournal.begin(storage, cycle);
    journal.events([started]);
    journal.decided({ 1: 'applied' });
    await appendFile(await fileIn(storage), '{"type":"decided","decisions":{"2":"app');
    const kept = readCycle(storage, root, cycle.cycleId);
    assert.deepEqual(kept?.decisions, { 1: 'applied' });
    assert.equal(kept?.over, undefined);
  });

  it('tells which fixes were being written when nobody saw the end of it', () => {
    const journal = CycleJournal.begin(storage, cycle);
    const writing = { fixes: ['1'], files: [{ file: 'tests/a.test.ts', before: 'x', after: 'y' }] };
    journal.writing(writing);
    assert.deepEqual(readCycle(storage, root, cycle.cycleId)?.writing, writing);
    CycleJournal.continue(storage, cycle).wrote();
    assert.equal(readCycle(storage, root, cycle.cycleId)?.writing, undefined);
  });

  it('keeps the cycles of each root apart, finds the latest, and lets old ones go', async () => {
    for (let number = 0; number < 12; number++)
      CycleJournal.begin(storage, { cycleId: `cycle-${number}`, root, folder: 'shop' });
    CycleJournal.begin(storage, { cycleId: 'elsewhere', root: '/mill', folder: 'mill' });
    assert.equal(readCycle(storage, root, 'elsewhere'), undefined);
    assert.equal(latestCycle(storage, ['/mill'])?.cycleId, 'elsewhere');
    assert.equal(latestCycle(storage, ['/nowhere']), undefined);
    const journals = (await readdir(storage, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
    assert.equal(journals.length, 8 + 1);
  });

  it('never reads outside its folder, whatever the webview calls the cycle', async () => {
    CycleJournal.begin(storage, cycle);
    const file = await fileIn(storage);
    const up = path.relative(path.dirname(file), file).replace(/\.jsonl$/, '');
    assert.equal(readCycle(storage, '/mill', `../${path.basename(path.dirname(file))}/${up}`), undefined);
  });
});

async function fileIn(storage: string): Promise<string> {
  const name = (await readdir(storage, { recursive: true })).find((each) => each.endsWith('.jsonl'));
  assert.ok(name);
  return path.join(storage, name);
}
