// The answer of `discover --json` from an earlier start: the same document, and never an outdated one.
import assert from 'node:assert/strict';
import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { discoverTests } from '../../../src/core/frameworks/discover.ts';
import { discoverAnswer } from '../../../src/core/frameworks/discoverAnswer.ts';
import { toDiscoverJson } from '../../../src/core/frameworks/discoverJson.ts';
import type { Workspace } from '../../../src/core/model/settings.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const cart = `import { it } from 'node:test';\nit('adds › "one"', () => {});\n`;

describe('the answer of discovery', () => {
  let workspace: TemporaryWorkspace;
  let settings: Workspace;

  /** Every file was written long ago, as at most starts. */
  async function open(files: Readonly<Record<string, string>>): Promise<void> {
    workspace = await temporaryWorkspace(files);
    const { root } = workspace;
    const limits = { timeoutMs: 1000, skillTimeoutMs: 1000, maxParallel: 1 };
    settings = { root, limits, frameworks: [], cacheFolder: path.join(path.dirname(root), 'cache') };
    for (const file of Object.keys(files)) await age(file, 100);
  }
  const age = (file: string, secondsAgo: number): Promise<void> => {
    const time = Math.floor(Date.now() / 1000) - secondsAgo;
    return utimes(path.join(workspace.root, file), time, time);
  };
  async function answer(): Promise<object> {
    const { pieces } = await discoverAnswer(settings, async () => ['a note']);
    return JSON.parse(pieces.map((piece) => Buffer.from(piece).toString()).join(''));
  }
  async function anew(): Promise<object> {
    const cacheFolder = path.join(path.dirname(workspace.root), 'none');
    const { notes, ...found } = toDiscoverJson(await discoverTests({ ...settings, cacheFolder }));
    return { ...found, notes: [...notes, 'a note'] };
  }
  const timeless = (document: object): object => ({ ...document, durationMs: 0 });
  const keptFile = async (): Promise<string | undefined> => {
    const name = (await readdir(settings.cacheFolder)).find((one) => one.startsWith('answer-'));
    return name && path.join(settings.cacheFolder, name);
  };
  const shop = {
    'package.json': '{ "scripts": { "test": "node --test" } }',
    'test/cart.test.js': cart,
    'test/order.test.js': cart.replace('adds', 'sorts'),
    'skills/greet/SKILL.md': '# Greet',
    'skills/greet/tests/greet.tests.mjs': 'export default () => ({ passed: 1, failed: 0, errors: [] });',
  };
  afterEach(() => workspace.dispose());

  it('is the same document at the first start and at the next, which takes it whole', async () => {
    await open(shop);
    const expected = timeless(await anew());
    assert.deepEqual(timeless(await answer()), expected);
    assert.deepEqual(timeless(await answer()), expected);
    const kept = await keptFile();
    assert.ok(kept);
    await writeFile(kept, (await readFile(kept, 'utf8')).replace('adds', 'kept'));
    assert.match(JSON.stringify(await answer()), /#kept /);
  });

  it('is found anew when a file changes, also at the same length, comes or goes', async () => {
    await open(shop);
    await answer();
    await workspace.write('test/cart.test.js', cart.replace('adds', 'pays'));
    await age('test/cart.test.js', 50);
    assert.match(JSON.stringify(await answer()), /pays/);
    await workspace.write('test/new.test.js', cart.replace('adds', 'news'));
    await age('test/new.test.js', 50);
    assert.match(JSON.stringify(await answer()), /news/);
    await rm(path.join(workspace.root, 'test/order.test.js'));
    assert.deepEqual(timeless(await answer()), timeless(await anew()));
  });

  it('is not kept while a file may change again within its time', async () => {
    await open(shop);
    const now = new Date(Date.now() + 5_000);
    await utimes(path.join(workspace.root, 'test/cart.test.js'), now, now);
    await answer();
    assert.equal(await keptFile(), undefined);
  });

  it('is found anew when what was kept is broken, and names a skill as its descriptor does now', async () => {
    await open(shop);
    await answer();
    const kept = await keptFile();
    assert.ok(kept);
    const { size } = await stat(kept);
    for (const part of [1 / 20, 2 / 3]) {
      await writeFile(kept, (await readFile(kept, 'utf8')).slice(0, size * part));
      assert.deepEqual(timeless(await answer()), timeless(await anew()));
    }
    await workspace.write('skills/greet/SKILL.md', '---\nshortName: hello\n---\n# Greet');
    assert.deepEqual(timeless(await answer()), timeless(await anew()));
  });
});
