// Puts the sample shop on disk as a git repository with vitest, and changes its source as a colleague would.
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { HumanError } from '../core/base/humanError.ts';
import { hashText } from '../core/base/hash.ts';
import { changedSource, shopSource } from './shopSource.ts';
import { shopTests } from './shopTests.ts';
import type { ShopWords } from './shopWords.ts';

/** Writes the shop into the folder, links the installed vitest, and commits. The folder is made; it must be empty. */
export async function makeShop(folder: string, words: ShopWords): Promise<void> {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length > 0) {
    throw new HumanError('bad-input', `The folder for the demo is not empty: ${folder}`, {
      file: folder,
      value: folder,
      remedy: 'Name an empty or new folder with --dir.',
    });
  }
  await writeFiles(folder, { ...shopSource(words), ...shopTests(words) });
  await linkVitest(folder);
  await git(folder, 'init', '--quiet');
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--no-verify', '--message', `Open the ${words.shop}`);
}

/** Makes the believable source changes that break tests; no test file is touched, nothing is committed. */
export async function changeSource(folder: string, words: ShopWords): Promise<void> {
  await writeFiles(folder, changedSource(words));
}

/** Hash of every file that is neither in .git nor in node_modules nor a test, by its name. */
export async function sourceHashes(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => !/^(\.git|node_modules|tests)\//.test(file))
    .sort();
  const hashes = await Promise.all(
    files.map(async (file) => [file, hashText(await readFile(path.join(folder, file)))] as const),
  );
  return Object.fromEntries(hashes);
}

/** Runs git in the folder with a name of its own and without the user's hooks, signing or templates. */
export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const settings = [
    'user.name=Sam',
    'user.email=sam@example.com',
    'commit.gpgSign=false',
    'core.hooksPath=/dev/null',
    'init.defaultBranch=main',
    'core.autocrlf=false',
  ];
  try {
    const { stdout } = await promisify(execFile)(
      'git',
      [...settings.flatMap((setting) => ['-c', setting]), ...args],
      { cwd: folder },
    );
    return stdout;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new HumanError(
      'not-installed',
      'The demo needs git.',
      { remedy: 'Install git and start it again.' },
      { cause: error },
    );
  }
}

async function writeFiles(folder: string, files: Readonly<Record<string, string | null>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    if (text === null) {
      await rm(file);
      continue;
    }
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/** The vitest and vite that this package itself has installed: nothing is downloaded. */
async function linkVitest(folder: string): Promise<void> {
  const from = createRequire(import.meta.url);
  let vitest: string;
  try {
    vitest = path.dirname(from.resolve('vitest/package.json'));
  } catch (error) {
    const remedy = 'Run npm ci in the folder of Testmend first.';
    throw new HumanError(
      'not-installed',
      'The demo needs the installed vitest of this package.',
      { remedy },
      { cause: error },
    );
  }
  const vite = path.dirname(createRequire(path.join(vitest, 'package.json')).resolve('vite/package.json'));
  const modules = path.join(folder, 'node_modules');
  await mkdir(modules);
  await symlink(vitest, path.join(modules, 'vitest'), 'junction');
  await symlink(vite, path.join(modules, 'vite'), 'junction');
}
