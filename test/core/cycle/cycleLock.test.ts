// Two cycles on one root never run at once, and a process that died holds nothing.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { lockCycle } from '../../../src/core/cycle/cycleLock.ts';
import type { OwnedLock } from '../../../src/core/sandbox/ownedLock.ts';
import { whileReading } from '../../../src/core/sandbox/readWorkspace.ts';
import { inPlaceCorner } from '../../../src/core/base/userFolders.ts';
import { lockInPlace } from '../../../src/core/sandbox/workspaceUse.ts';

describe('the lock of a cycle', () => {
  const state = process.env['XDG_STATE_HOME'];
  let folder = '';
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-lock-')));
    process.env['XDG_STATE_HOME'] = folder;
  });
  afterEach(async () => {
    if (state === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = state;
    await rm(folder, { recursive: true, force: true });
  });
  const use = { isInPlace: false, onNote: () => undefined };
  /** What lies in the corner of the root, by absolute path. */
  const files = async (): Promise<readonly string[]> =>
    (await readdir(folder, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));

  it('refuses the second, and lets it in after the first has ended', async () => {
    const first = await lockCycle('/shop', use);
    await assert.rejects(lockCycle('/shop', use), {
      code: 'busy',
      message: new RegExp(
        `already running for this folder since \\d\\d:\\d\\d, in process ${process.pid}\\.`,
      ),
    });
    await (await lockCycle('/other', use)).release();
    await first.release();
    await (await lockCycle('/shop', use)).release();
    assert.deepEqual(await files(), []);
  });

  it('lets exactly one of many in', async () => {
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => lockCycle('/shop', use)));
    assert.equal(all.filter(({ status }) => status === 'fulfilled').length, 1);
  });

  it('takes over from a process that died, and from nonsense', async () => {
    const first = await lockCycle('/shop', use);
    const [file = ''] = await files();
    await first.release();
    for (const text of ['{"pid":2147483646,"startTime":"x"}', 'nonsense', '']) {
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text);
      await (await lockCycle('/shop', use)).release();
    }
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, JSON.stringify({ pid: process.pid, startTime: 'another time' }));
    await (await lockCycle('/shop', use)).release();
    assert.deepEqual(await files(), []);
  });

  it('leaves it to a process that lives where nobody knows when that started', async () => {
    const first = await lockCycle('/shop', use);
    const [file = ''] = await files();
    await writeFile(file, JSON.stringify({ pid: process.pid, startTime: '' }));
    await assert.rejects(lockCycle('/shop', use), { code: 'busy' });
    await rm(file);
    await first.release();
  });

  it('knows a root by its other name, too', async () => {
    await mkdir(path.join(folder, 'shop'));
    await symlink(path.join(folder, 'shop'), path.join(folder, 'link'));
    const first = await lockCycle(path.join(folder, 'shop'), use);
    await assert.rejects(lockCycle(path.join(folder, 'link'), use), { code: 'busy' });
    await first.release();
  });
});

describe('work in a repository itself', () => {
  const state = process.env['XDG_STATE_HOME'];
  let folder = '';
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-lock-')));
    process.env['XDG_STATE_HOME'] = path.join(folder, 'state');
    for (const name of ['shop/.git', 'shop/packages/a', 'shop/packages/b', 'other'])
      await mkdir(path.join(folder, name), { recursive: true });
  });
  afterEach(async () => {
    if (state === undefined) delete process.env['XDG_STATE_HOME'];
    else process.env['XDG_STATE_HOME'] = state;
    await rm(folder, { recursive: true, force: true });
  });
  const at = (name: string): string => path.join(folder, name);
  const ignored = (): void => undefined;
  const cycle = (root: string): Promise<OwnedLock> => lockCycle(root, { isInPlace: false, onNote: ignored });

  it('shuts out runs, cycles and others like it in all roots of the repository', async () => {
    const lock = await lockInPlace(at('shop/packages/a'));
    for (const root of ['shop', 'shop/packages/a', 'shop/packages/b'].map(at)) {
      await assert.rejects(lockInPlace(root), { code: 'busy' });
      await assert.rejects(cycle(root), { code: 'busy' });
      await assert.rejects(
        whileReading(root, ignored, () => assert.fail('it began')),
        { code: 'busy' },
      );
    }
    await (await lockInPlace(at('other'))).release();
    await lock.release();
    await (await cycle(at('shop/packages/a'))).release();
  });

  it('is refused while anybody reads the files, and told who', async () => {
    const second = at('shop/packages/b');
    await whileReading(at('shop/packages/a'), ignored, async () => {
      await assert.rejects(lockInPlace(second), {
        code: 'busy',
        message: new RegExp(`being run or proven since \\d\\d:\\d\\d, in process ${process.pid};`),
      });
      await whileReading(second, ignored, async () => undefined);
    });
    const lock = await cycle(at('shop/packages/a'));
    await assert.rejects(lockInPlace(second), { code: 'busy', message: /A fix cycle is already running/ });
    await lock.release();
    await (await lockInPlace(second)).release();
  });

  it('is not refused for the sake of a process that died', async () => {
    const corner = inPlaceCorner(at('shop'));
    await mkdir(corner, { recursive: true });
    const stale = path.join(corner, 'read-1.lock');
    await writeFile(stale, '{"pid":2147483646,"startTime":"x"}');
    await (await lockInPlace(at('shop'))).release();
    await assert.rejects(readdir(corner), /ENOENT/);
  });
});
