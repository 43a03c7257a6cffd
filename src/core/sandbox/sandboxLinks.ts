// Gives a sandbox its node_modules: real folders of links, so that no tool writes through one into the original.
import { copyFile, lstat, mkdir, readdir, readlink, realpath, rm, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { isInside } from '../base/paths.ts';
import { forEachLimited, type TreePair } from './sandboxFiles.ts';

/** A node_modules folder of the original and its counterpart. */
export interface LinkedFolder {
  readonly from: string;
  readonly to: string;
}

/** Folders in which tools keep caches; each tree has its own. */
const caches = new Set(['.vite', '.vite-temp', '.vitest', '.cache']);

/** The folders (absolute, in the original) around the files, which are relative to it, and around the root. */
export function foldersAround(files: Iterable<string>, root: string, original: string): readonly string[] {
  const folders = new Set([original, path.join(original, root)]);
  for (const file of files)
    for (
      let folder = path.dirname(path.join(original, file));
      !folders.has(folder);
      folder = path.dirname(folder)
    )
      folders.add(folder);
  return [...folders];
}

/** The node_modules beside any of the folders (absolute, in the original), and those above the tree, merged into one. */
export async function findNodeModules(
  folders: Iterable<string>,
  trees: TreePair,
): Promise<readonly LinkedFolder[]> {
  const found: LinkedFolder[] = [];
  await forEachLimited([...folders], async (folder) => {
    const from = path.join(folder, 'node_modules');
    if (await isFolder(from))
      found.push({ from, to: path.join(trees.copy, path.relative(trees.original, from)) });
  });
  const above = path.join(path.dirname(trees.copy), 'node_modules');
  for (let parent = path.dirname(trees.original); ; parent = path.dirname(parent)) {
    const from = path.join(parent, 'node_modules');
    // From inside out: a name that is linked already hides the same name further up.
    if (await isFolder(from)) found.push({ from, to: above });
    if (parent === path.dirname(parent)) return found;
  }
}

/** Times of the folders whose entries are linked; when they are the same again, so are the links. */
export async function linkStamp(folder: LinkedFolder): Promise<string> {
  const names = await readdir(folder.from).catch(() => []);
  const scopes = names.filter((name) => name.startsWith('@') || name === '.bin');
  const times = await Promise.all(
    ['.', ...scopes].map((name) =>
      stat(path.join(folder.from, name)).then(
        (stats) => `${name}:${stats.mtimeMs}`,
        () => name,
      ),
    ),
  );
  return times.join(' ');
}

/** Makes or renews the links of one folder; `merge` keeps the links of another original in the same counterpart. */
export async function linkNodeModules(folder: LinkedFolder, trees: TreePair, merge = false): Promise<void> {
  await linkChildren(folder.from, folder.to, trees, merge, (name) => name.startsWith('@') || name === '.bin');
}

async function linkChildren(
  from: string,
  to: string,
  trees: TreePair,
  merge: boolean,
  isFolderOfLinks: (name: string) => boolean,
): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true });
  await mkdir(to, { recursive: true });
  const present = new Set(await readdir(to));
  await forEachLimited(entries, async (entry) => {
    if (caches.has(entry.name)) return;
    const target = path.join(from, entry.name);
    const place = path.join(to, entry.name);
    if (entry.isDirectory() && isFolderOfLinks(entry.name))
      return linkChildren(target, place, trees, merge, () => false);
    await link(await repointed(target, entry.isSymbolicLink(), trees), place, present.has(entry.name), merge);
  });
  if (!merge) {
    const wanted = new Set(entries.map((entry) => entry.name));
    await forEachLimited(
      [...present].filter((name) => !wanted.has(name)),
      (name) => removeLink(path.join(to, name)),
    );
  }
}

/** A link to a folder of the tree itself (a workspace package) leads into the copy; everything else stays outside. */
async function repointed(target: string, isLink: boolean, trees: TreePair): Promise<string | undefined> {
  if (!isLink) return target;
  const real = await realpath(target).catch(() => undefined);
  if (real === undefined || !isInside(trees.original, real)) return real;
  const relative = path.relative(trees.original, real);
  return relative.split(path.sep).includes('node_modules') ? real : path.join(trees.copy, relative);
}

async function link(
  target: string | undefined,
  place: string,
  exists: boolean,
  merge: boolean,
): Promise<void> {
  if (target === undefined) return;
  if (exists) {
    const old = await readlink(place).catch(() => undefined);
    // Not a link: a tracked file that was copied.
    if (old === undefined || old === target || merge) return;
    await rm(place, { force: true });
  }
  if (process.platform !== 'win32') return symlink(target, place);
  // Windows lets everybody make junctions, but few make links to files.
  if (await isFolder(target)) await symlink(target, place, 'junction');
  else await copyFile(target, place);
}

async function removeLink(place: string): Promise<void> {
  const stats = await lstat(place).catch(() => undefined);
  if (stats?.isSymbolicLink()) await rm(place, { force: true });
}

const isFolder = (file: string): Promise<boolean> =>
  stat(file).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
