// What is kept of a root by id: whole or not at all, for every process, within limits.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { EntryStore } from '../../../src/core/engine/entryStore.ts';
import { cacheFolderOf } from '../../../src/core/engine/workspaceOf.ts';

describe('the store of a root', () => {
  let folder: string;
  let root: string;
  const former = process.env['XDG_CACHE_HOME'];
  const store = (entries = 3, bytes = 10_000): EntryStore<{ text: string }> =>
    new EntryStore(root, 'things-1', (data) => (hasText(data) ? data : undefined), { entries, bytes });
  const place = (): string => path.join(cacheFolderOf(root), 'things-1');
  const textOf = async (id: string): Promise<string | undefined> => (await store().read(id))?.text;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-store-'));
    root = path.join(folder, 'shop');
    process.env['XDG_CACHE_HOME'] = path.join(folder, 'caches');
  });
  afterEach(async () => {
    if (former === undefined) delete process.env['XDG_CACHE_HOME'];
    else process.env['XDG_CACHE_HOME'] = former;
    await rm(folder, { recursive: true });
  });

  it('answers for what any process kept, and keeps nothing outside of its folder', async () => {
    await Promise.all(['a', '../../b', 'c'].map((id) => store().keep(id, { text: id })));
    assert.deepEqual(await Promise.all(['a', '../../b', 'c', 'd'].map(textOf)), [
      'a',
      '../../b',
      'c',
      undefined,
    ]);
    assert.deepEqual(await readdir(folder), ['caches']);
    assert.equal((await store().newest('"text":"c', () => true))?.text, 'c');
  });

  it('forgets the oldest with its notes when there are too many or too much, and refuses what is too large', async () => {
    for (const id of ['a', 'b', 'c']) {
      await store().keep(id, { text: id });
      await store().addNote(id, { note: id });
    }
    await age('a');
    await store().keep('d', { text: 'd' });
    assert.deepEqual(await Promise.all(['a', 'b', 'c', 'd'].map(textOf)), [undefined, 'b', 'c', 'd']);
    assert.deepEqual([await store().notes('a'), await store().notes('b')], [[], [{ note: 'b' }]]);
    await store(3, 30).keep('e', { text: 'e' });
    assert.equal(await textOf('e'), 'e');
    assert.equal((await Promise.all(['b', 'c', 'd'].map(textOf))).filter(Boolean).length <= 1, true);
    await assert.rejects(store(3, 30).keep('f', { text: 'f'.repeat(40) }), /too large/);
    assert.equal(await textOf('f'), undefined);
  });

  it('sets aside what is torn, and reads the rest; half a note is left out', async () => {
    await store().keep('a', { text: 'a' });
    const [name = ''] = await readdir(place());
    await store().addNote('a', 1);
    await writeFile(path.join(place(), `${name}.notes.jsonl`), '1\n{"fi');
    assert.deepEqual(await store().notes('a'), [1]);
    await writeFile(path.join(place(), name), '{"text":"a');
    assert.equal(await textOf('a'), undefined);
    assert.ok((await readdir(place())).includes(`${name}.torn`));
    await store().keep('a', { text: 'again' });
    assert.equal(await textOf('a'), 'again');
  });

  async function age(text: string): Promise<void> {
    for (const name of await readdir(place())) {
      const file = path.join(place(), name);
      if (!name.endsWith('.json') || !(await readFile(file, 'utf8')).includes(`"${text}"`)) continue;
      await utimes(file, new Date(0), new Date(0));
    }
  }
});

const hasText = (data: unknown): data is { text: string } =>
  typeof data === 'object' && data !== null && 'text' in data && typeof data.text === 'string';
