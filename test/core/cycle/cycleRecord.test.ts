// What is left of a cycle whose process was killed.
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CycleRecord } from '../../../src/core/cycle/cycleRecord.ts';
import {
  discardFormerCycle,
  readFormerCycle,
  type FormerCycle,
} from '../../../src/core/cycle/formerCycle.ts';
import type { CycleEvent, CycleFix, IterationRecord } from '../../../src/core/model/cycle.ts';
import { fixOf, judged } from '../../support/cycleParts.ts';

const root = '/shop';
/** No process has this number. */
const dead = { pid: 2 ** 31 - 2, startTime: 'long ago' };
const asked = {
  preset: 'tester',
  assume: 'ask',
  strategy: 'auto',
  maxIterations: 10,
  targetPassRate: 95,
} as const;

const fix = (id: string, more: Partial<CycleFix> = {}): CycleFix =>
  fixOf(id, {
    edits: [{ file: 'a.test.mjs', before: 'hash', changes: [{ start: 1, end: 2, newText: id }] }],
    failures: ['skill:a.tests.mjs'],
    ...more,
  });
const ended = (iteration: number): CycleEvent => {
  const record: Partial<IterationRecord> = { iteration };
  return { type: 'iterationEnded', record: { ...emptyIteration, ...record } };
};
const emptyIteration: IterationRecord = {
  iteration: 0,
  pass_rate: 0,
  pass_rate_reviewed: 0,
  strategy: 'conservative',
  strategy_reason: '',
  scope: 'suite',
  failed_tests: [],
  total: 0,
  passed: 0,
  after: { pass_rate: 0, pass_rate_reviewed: 0, failed_tests: [], total: 0, passed: 0 },
};

describe('the record of a cycle', () => {
  let folder = '';
  const troubles: string[] = [];
  beforeEach(async () => {
    troubles.length = 0;
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-record-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = (former?: FormerCycle, cacheFolder = folder): CycleRecord =>
    new CycleRecord({
      root,
      cacheFolder,
      owner: dead,
      asked,
      former,
      onTrouble: (note) => troubles.push(note),
    });
  const found = (): Promise<FormerCycle | undefined> => readFormerCycle(root, folder);
  const file = async (): Promise<string> => path.join(folder, (await readdir(folder))[0] ?? 'none');
  const ids = (former: FormerCycle | undefined): readonly string[] | undefined =>
    former?.fixes.map((one) => one.fix.id);

  it('writes nothing before something is proven', async () => {
    const record = open();
    record.onEvent(ended(1));
    record.onEvent(judged(fix('1', { verdict: { ...fix('1').verdict, verdict: 'rejected' } })));
    record.onEvent(judged(fix('2', { trust: 'propose' })));
    assert.deepEqual(await readdir(folder), []);
    assert.equal(await found(), undefined);
  });

  it('tells iterations, proven fixes and what was said of them, without what was taken back', async () => {
    const record = open();
    record.onEvent(ended(1));
    for (const id of ['1', '2', '3']) record.onEvent(judged(fix(id)));
    const oracle = fix('4', { trust: 'oracle', state: 'unreviewed' });
    record.onEvent(judged(oracle));
    record.onSaid(oracle, 'skip');
    record.onEvent(judged({ ...oracle, state: 'declined' }));
    record.onEvent({ type: 'fixRolledBack', iteration: 1, fixId: '2', reason: '"adds" fails' });
    record.onEvent(ended(2));
    const former = await found();
    assert.equal(former?.iterations, 2);
    assert.deepEqual(former?.asked, asked);
    assert.deepEqual(
      former?.fixes.map((one) => [one.fix.id, one.said]),
      [
        ['1', undefined],
        ['3', undefined],
        ['4', 'skip'],
      ],
    );
  });

  it('loses only the line in which the process was killed', async () => {
    const record = open();
    for (const id of ['1', '2', '3']) record.onEvent(judged(fix(id)));
    const text = await readFile(await file(), 'utf8');
    await writeFile(await file(), text.slice(0, -40));
    assert.deepEqual(ids(await found()), ['1', '2']);
    await appendFile(await file(), '\nnonsense\n');
    assert.deepEqual(ids(await found()), ['1', '2']);
  });

  it('is of nobody else: not of another root, and not while its process lives', async () => {
    open().onEvent(judged(fix('1')));
    assert.equal(await readFormerCycle('/other', folder), undefined);
    const text = await readFile(await file(), 'utf8');
    await writeFile(await file(), text.replace('"/shop"', '"/moved"'));
    assert.equal(await found(), undefined);
    const { thisProcess } = await import('../../../src/core/sandbox/processOwner.ts');
    await writeFile(await file(), text.replace(JSON.stringify(dead), JSON.stringify(await thisProcess())));
    assert.equal(await found(), undefined);
    await writeFile(await file(), text);
    assert.deepEqual(ids(await found()), ['1']);
  });

  it('goes when its cycle ends, and takes an older one along only when it ended by itself', async () => {
    open().onEvent(judged(fix('1')));
    open().end(false);
    assert.deepEqual(ids(await found()), ['1']);
    open().end(true);
    assert.deepEqual(await readdir(folder), []);
    const record = open();
    record.onEvent(judged(fix('2')));
    record.end(false);
    assert.deepEqual(await readdir(folder), []);
  });

  it('is replaced by the first fix of a new cycle', async () => {
    open().onEvent(judged(fix('1')));
    open().onEvent(judged(fix('2')));
    assert.deepEqual(ids(await found()), ['2']);
    await discardFormerCycle(root, folder);
    assert.equal(await found(), undefined);
  });

  it('keeps what was to be taken up when the next process is killed as well', async () => {
    const first = open();
    for (const id of ['1', '2', '3']) first.onEvent(judged(fix(id)));
    first.onEvent(ended(1));
    const second = open(await found());
    second.begin();
    second.onEvent(judged(fix('1')));
    second.onEvent(judged(fix('2', { verdict: { ...fix('2').verdict, verdict: 'rejected' } })));
    const former = await found();
    assert.deepEqual(ids(former), ['1', '3']);
    assert.equal(former?.iterations, 1);
  });

  it('holds no secret: words are blotted out, a fix that writes one is left out', async () => {
    const key = 'sk-abcdefghijklmnop';
    const record = open();
    record.onEvent(judged(fix('1', { evidence: [`the call gave ${key}`], title: `expect ${key}` })));
    record.onEvent(judged(fix('2', { diff: `--- a\n+++ b\n+  expect(api).toBe('${key}')\n` })));
    const { edits } = fix('3');
    const changes = [{ start: 1, end: 2, newText: `'${key}'` }];
    record.onEvent(judged(fix('3', { edits: edits.map((edit) => ({ ...edit, changes })) })));
    assert.deepEqual(ids(await found()), ['1']);
    assert.doesNotMatch(await readFile(await file(), 'utf8'), /abcdefghij/);
  });

  it('stays small: a fix of many megabytes is left out, and so is what comes after too many', async () => {
    const sized = (id: string, length: number): CycleFix => fix(id, { evidence: ['x'.repeat(length)] });
    const record = open();
    record.onEvent(judged(sized('big', 5_000_000)));
    for (let index = 0; index < 60; index++) record.onEvent(judged(sized(String(index), 150_000)));
    const size = (await readFile(await file())).length;
    assert.ok(size > 3_000_000 && size < 4_200_000, String(size));
    assert.equal(ids(await found())?.includes('big'), false);
  });

  it('is given up with one note where it cannot be written', async () => {
    const blocked = path.join(folder, 'file');
    await writeFile(blocked, '');
    const record = open(undefined, path.join(blocked, 'corner'));
    for (const id of ['1', '2']) record.onEvent(judged(fix(id)));
    record.end(true);
    assert.equal(troubles.length, 1);
    assert.match(troubles[0] ?? '', /could not be resumed after a kill/);
  });
});
