// The sample shop with its broken tests, for tests that drive the real workbench.
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { shopWords, type ShopWords } from '../../src/demo/shopWords.ts';
import { changeSource, makeShop } from '../../src/demo/shopWorkspace.ts';

export interface Shop {
  readonly root: string;
  readonly words: ShopWords;
  read(file: string): Promise<string>;
  dispose(): Promise<void>;
}

/** A shop whose last commit is green and whose working tree breaks about ten tests. */
export async function brokenShop(seed: number): Promise<Shop> {
  const parent = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-ui-shop-')));
  const root = path.join(parent, 'shop');
  const words = shopWords(seed);
  await makeShop(root, words);
  await changeSource(root, words);
  return {
    root,
    words,
    read: (file) => readFile(path.join(root, file), 'utf8'),
    dispose: () => rm(parent, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
