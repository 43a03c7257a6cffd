// Copies installed packages for a program that may write anywhere: none of its files is the user's, and no link leads to one.
import { constants } from 'node:fs';
import { copyFile, lstat, mkdir, readdir, readlink, symlink } from 'node:fs/promises';
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import { isInside } from '../base/paths.ts';
import { forEachLimited, type TreePair } from './sandboxFiles.ts';
import type { LinkedFolder } from './sandboxLinks.ts';

/** More than this is not copied for one question to an agent. */
const maxBytes = 400 * 1024 * 1024;
const maxFiles = 60_000;

interface Entry {
  /** Relative to the folder of packages. */
  readonly file: string;
  /** Of a link. */
  readonly target?: string;
}

/** Copies those folders that lie in the tree. Gives what the user should know of it, in sentences. */
export async function copyModules(
  folders: readonly LinkedFolder[],
  trees: TreePair,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const own = folders.filter(({ from }) => isInside(trees.original, from));
  const room = { bytes: maxBytes, files: maxFiles };
  const listed: { readonly folder: LinkedFolder; readonly entries: readonly Entry[] }[] = [];
  for (const folder of own) {
    const entries = await entriesOf(folder.from, room, signal);
    if (entries === undefined)
      return [
        'The agent worked without installed packages (node_modules), which are too large to be copied for it: it could run no tests.',
      ];
    listed.push({ folder, entries });
  }
  for (const { folder, entries } of listed) {
    const folders = new Set(entries.map(({ file }) => path.dirname(path.join(folder.to, file))));
    for (const name of folders) await mkdir(name, { recursive: true });
    await forEachLimited(entries, async ({ file, target }) => {
      throwIfCancelled(signal);
      const [from, to] = [path.join(folder.from, file), path.join(folder.to, file)];
      if (target === undefined) return copyFile(from, to, constants.COPYFILE_FICLONE);
      const place = path.resolve(path.dirname(from), target);
      // A link to somewhere else would let it write there.
      if (!isInside(trees.original, place)) return;
      const text = path.isAbsolute(target)
        ? path.join(trees.copy, path.relative(trees.original, place))
        : target;
      await symlink(text, to).catch(() => undefined);
    });
  }
  return [];
}

/** Undefined when there is no room for them. */
async function entriesOf(
  top: string,
  room: { bytes: number; files: number },
  signal: AbortSignal | undefined,
): Promise<readonly Entry[] | undefined> {
  const entries: Entry[] = [];
  const queue = [''];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    throwIfCancelled(signal);
    const folder = next;
    const found = await readdir(path.join(top, folder), { withFileTypes: true });
    await forEachLimited(found, async (entry) => {
      const file = path.join(folder, entry.name);
      if (entry.isDirectory()) return void queue.push(file);
      if (entry.isSymbolicLink())
        return void entries.push({ file, target: await readlink(path.join(top, file)) });
      if (!entry.isFile()) return;
      room.bytes -= (await lstat(path.join(top, file))).size;
      entries.push({ file });
    });
    if (room.bytes < 0 || entries.length > room.files) return undefined;
  }
  room.files -= entries.length;
  return entries;
}
