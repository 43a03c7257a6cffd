// Virtual environments of Python in a tree that is moved: where they lie, and how what is installed in place follows the tree.
import { copyFile, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Folders that tools make environments in, and that are never cleaned away. */
export const environmentFolders: readonly string[] = ['.venv', 'venv'];

/** Those directly in one of the folders (relative to the top), relative to the top. */
export async function environmentsIn(top: string, folders: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const folder of folders)
    for (const name of environmentFolders) {
      const place = path.join(folder, name);
      if (await isFile(path.join(top, place, 'pyvenv.cfg'))) found.push(place);
    }
  return found;
}

/** What a shell would have after `activate`, so that the next step of an installation never reaches the user's own Python. */
export function activated(environment: string, env: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const binaries = path.join(environment, process.platform === 'win32' ? 'Scripts' : 'bin');
  const before = env['PATH'] ?? '';
  return { VIRTUAL_ENV: environment, PATH: binaries + (before === '' ? '' : path.delimiter + before) };
}

/** Files that the environment brings are none of the tree's. */
export async function hideFromGit(environment: string): Promise<void> {
  const file = path.join(environment, '.gitignore');
  if (!(await isFile(file))) await writeFile(file, '*\n');
}

/** After a tree was moved: what names places in it (packages installed in place, scripts) names the new ones. */
export async function followTree(environment: string, from: string, to: string): Promise<void> {
  if (from === to) return;
  const files = [path.join(environment, 'pyvenv.cfg')];
  for (const packages of await packageFoldersOf(environment))
    for (const name of await readdir(packages))
      if (namesPlaces.test(name)) files.push(path.join(packages, name));
  const binaries = path.join(environment, process.platform === 'win32' ? 'Scripts' : 'bin');
  for (const entry of await readdir(binaries, { withFileTypes: true }).catch(() => []))
    if (entry.isFile() && !/\.exe$|^python/i.test(entry.name)) files.push(path.join(binaries, entry.name));
  for (const file of files) await rewrite(file, file, from, to);
}

/**
 * An environment of links beside another tree: the packages are the same files, but what is installed in place comes from that tree.
 * `from` and `to` are the environments, `original` and `copy` the tops of the trees.
 */
export async function linkEnvironment(
  { from, to }: { readonly from: string; readonly to: string },
  { original, copy }: { readonly original: string; readonly copy: string },
): Promise<void> {
  const binaries = process.platform === 'win32' ? 'Scripts' : 'bin';
  await mkdir(path.join(to, binaries), { recursive: true });
  await copyFile(path.join(from, 'pyvenv.cfg'), path.join(to, 'pyvenv.cfg'));
  for (const name of await readdir(path.join(from, binaries))) {
    if (!/^python/i.test(name)) continue;
    const file = path.join(from, binaries, name);
    const target = await readlink(file).catch(() => undefined);
    if (target === undefined) await copyFile(file, path.join(to, binaries, name));
    else await symlink(target, path.join(to, binaries, name));
  }
  for (const packages of await packageFoldersOf(from)) {
    const folder = path.join(to, path.relative(from, packages));
    await mkdir(folder, { recursive: true });
    for (const entry of await readdir(packages, { withFileTypes: true })) {
      if (entry.name === '__pycache__') continue;
      const [source, place] = [path.join(packages, entry.name), path.join(folder, entry.name)];
      if (namesPlaces.test(entry.name)) await rewrite(source, place, original, copy);
      else await symlink(source, place, entry.isDirectory() ? 'junction' : 'file');
    }
  }
  await hideFromGit(to);
}

/** `pip install -e`: lines of `.pth` files, and the finders of setuptools and of `editables`. */
const namesPlaces = /\.(?:pth|egg-link)$|^(?:__editable__.*_finder|_editable_impl_.*)\.py$/;

async function rewrite(file: string, place: string, from: string, to: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  // Only whole names of folders: `/a/shop` is no part of `/a/shop2`.
  const parts = text.split(from);
  const moved = parts
    .slice(1)
    .reduce((done, part) => done + (/^[\w.-]/.test(part) ? from : to) + part, parts[0] ?? '');
  if (file !== place || moved !== text) await writeFile(place, moved);
}

async function packageFoldersOf(environment: string): Promise<readonly string[]> {
  if (process.platform === 'win32') return [path.join(environment, 'Lib', 'site-packages')];
  const versions = await readdir(path.join(environment, 'lib')).catch(() => []);
  return versions
    .filter((name) => /^(?:python|pypy)3\.\d+t?$/.test(name))
    .map((name) => path.join(environment, 'lib', name, 'site-packages'));
}

const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (stats) => stats.isFile(),
    () => false,
  );
