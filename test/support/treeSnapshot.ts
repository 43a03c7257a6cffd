// What a folder holds, byte by byte, so that a test can say that nothing in it was touched.
import { lstat, readFile, readdir, readlink } from 'node:fs/promises';
import path from 'node:path';
import { hashText } from '../../src/core/base/hash.ts';

/** Every path below `root` (links not followed, `.git` included) with its mode, its time and the hash of its content. */
export async function treeSnapshot(root: string): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  const visit = async (folder: string): Promise<void> => {
    for (const name of (await readdir(folder)).sort()) {
      const file = path.join(folder, name);
      const stats = await lstat(file);
      const content = stats.isSymbolicLink()
        ? `-> ${await readlink(file)}`
        : stats.isFile()
          ? hashText(await readFile(file))
          : 'folder';
      found[path.relative(root, file)] = `${stats.mode.toString(8)} ${stats.mtimeMs} ${content}`;
      if (stats.isDirectory()) await visit(file);
    }
  };
  await visit(root);
  return found;
}
