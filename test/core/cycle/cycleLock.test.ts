// Two cycles on one root never run at once, and a process that died holds nothing.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { lockCycle } from '../../../src/core/cycle/cycleLock.ts';

describe('the lock of a cycle', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-lock-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('refuses the second, and lets it in after the first has ended', async () => {
    const first = await lockCycle('/shop', folder);
    await assert.rejects(lockCycle('/shop', folder), { code: 'busy' });
    await (await lockCycle('/other', folder)).release();
    await first.release();
    await (await lockCycle('/shop', folder)).release();
    assert.deepEqual(await readdir(folder), []);
  });

  it('lets exactly one of many in', async () => {
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => lockCycle('/shop', folder)));
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('takes over from a process that died, and from nonsense', async () => {
    const first = await lockCycle('/shop', folder);
    const [name = ''] = await readdir(folder);
    await first.release();
    for (const text of ['{"pid":2147483646,"startTime":"x"}', 'nonsense', '']) {
      await writeFile(path.join(folder, name), text);
      await (await lockCycle('/shop', folder)).release();
    }
    await writeFile(path.join(folder, name), JSON.stringify({ pid: process.pid, startTime: 'another time' }));
    await (await lockCycle('/shop', folder)).release();
    assert.deepEqual(await readdir(folder), []);
  });
});
