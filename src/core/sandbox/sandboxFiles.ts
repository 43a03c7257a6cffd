// Which files a sandbox copies, and how: with their time and mode, and with links that stay inside the copy.
import { constants, lstatSync } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, readlink, realpath, rm, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { HumanError, throwIfCancelled } from '../base/humanError.ts';
import { isInside } from '../base/paths.ts';
import { openRepository, type Repository } from '../workspace/git.ts';
import { hasCode, isMissing } from '../workspace/readText.ts';

/** The original tree and its copy; both absolute. */
export interface TreePair {
  readonly original: string;
  readonly copy: string;
}

/** What tells that a file changed, without reading it. */
export interface Stamp {
  readonly kind: 'file' | 'link';
  readonly size: number;
  readonly mtimeMs: number;
  readonly mode: number;
  /** Changes with whatever is done to the file, and no program can set it: the same one says that nobody touched it. */
  readonly touched: string;
}

const maxFiles = 200_000;
/** How much of what git ignores is copied when the copy needs it, bytes. */
const maxIgnoredBytes = 200 * 1024 * 1024;

/** Absolute paths of what belongs in the copy: what git tracks or would, else everything but the usual by-products. */
export async function listSandboxFiles(
  top: string,
  repository: Repository | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const listed = repository
    ? await repository.listFiles()
    : await walk(top, (name) => byProducts.test(name), signal);
  const files = listed.filter((file) => {
    const parts = path.relative(top, file).split(path.sep);
    return parts.at(-1) !== 'node_modules' && !parts.includes('.git');
  });
  if (files.length > maxFiles) {
    throw new HumanError('broken-project', `${top} has more than ${maxFiles} files to copy.`, {
      file: top,
      remedy: 'Open a smaller folder, or let .gitignore exclude generated files.',
    });
  }
  return files;
}

/** What git (or the usual rules) ignores outside node_modules, smallest first, up to a cap. */
export async function listIgnoredFiles(
  top: string,
  repository: Repository | undefined,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const roots = repository ? await repository.listIgnored() : [top + path.sep];
  const files = await Promise.all(
    roots.map((entry) =>
      entry.endsWith(path.sep)
        ? walk(entry.slice(0, -1), (name) => neverCopied.test(name), signal)
        : Promise.resolve([entry]),
    ),
  );
  const sized: { file: string; size: number }[] = [];
  await forEachLimited(files.flat(), async (file) => {
    const stamp = await stampOf(file);
    if (stamp && stamp !== 'folder') sized.push({ file, size: stamp.size });
  });
  let total = 0;
  return sized
    .sort((a, b) => a.size - b.size)
    .filter(({ size }) => (total += size) <= maxIgnoredBytes)
    .map(({ file }) => file);
}

/** Files of nested repositories (submodules), which git lists as one entry. */
export async function listNested(
  folder: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const repository = await openRepository(folder, signal ? { signal } : {});
  return repository?.root === folder
    ? listSandboxFiles(folder, repository, signal)
    : walk(folder, (name) => byProducts.test(name), signal);
}

/** Absolute paths of all files below, but for installed packages, caches and git's own. */
export function listAll(folder: string): Promise<readonly string[]> {
  return walk(folder, (name) => neverCopied.test(name), undefined);
}

/** Folders of packages, of version control and of caches. */
export const neverCopied =
  /^(?:node_modules|\.git|\.hg|\.svn|\.vite|\.vite-temp|\.cache|\.venv|__pycache__)$/;
const byProducts =
  /^(?:node_modules|\.git|\.hg|\.svn|\.vite|\.vite-temp|\.cache|\.turbo|\.next|\.nuxt|\.venv|venv|__pycache__|dist|build|out|coverage)$/;

async function walk(
  folder: string,
  skips: (folderName: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const files: string[] = [];
  const queue = [folder];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    throwIfCancelled(signal);
    const current = next;
    const entries = await readdir(current, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const file = path.join(current, entry.name);
      if (entry.isDirectory()) {
        if (!skips(entry.name)) queue.push(file);
      } else if (entry.isFile() || entry.isSymbolicLink()) files.push(file);
      if (files.length > maxFiles) return files;
    }
  }
  return files;
}

/** undefined for what is no file and no link, or not there. */
export async function stampOf(file: string): Promise<Stamp | 'folder' | undefined> {
  try {
    // Blocking: a trip through the thread pool takes many times as long as the call, and every file of the tree is asked for.
    const stats = lstatSync(file);
    if (stats.isDirectory()) return 'folder';
    if (!stats.isFile() && !stats.isSymbolicLink()) return undefined;
    return {
      kind: stats.isFile() ? 'file' : 'link',
      size: stats.size,
      mtimeMs: stats.mtimeMs,
      mode: stats.mode,
      touched: `${stats.ino}:${stats.ctimeMs}`,
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Which of the files something touched while `work` went on, whatever time it gave them afterwards. */
export async function touchedDuring<T>(
  files: readonly string[],
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly touched: readonly string[] }> {
  const look = async (): Promise<Map<string, string>> => {
    const seen = new Map<string, string>();
    await forEachLimited(files, async (file) => {
      const stamp = await stampOf(file);
      seen.set(file, typeof stamp === 'object' ? stamp.touched : '');
    });
    return seen;
  };
  const before = await look();
  const result = await work();
  const after = await look();
  return { result, touched: files.filter((file) => before.get(file) !== after.get(file)) };
}

export function sameStamp(a: Stamp, b: Stamp): boolean {
  // Setting a time goes through a double of seconds, which keeps a little less than the file system does.
  return a.kind === b.kind && a.size === b.size && Math.abs(a.mtimeMs - b.mtimeMs) < 0.01;
}

/** Files below that are not known, but for installed packages and git's own. */
export async function removeOthers(folder: string, isKnown: (file: string) => boolean): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === '.git') continue;
    const place = path.join(folder, entry.name);
    if (entry.isDirectory()) await removeOthers(place, isKnown);
    else if (!isKnown(place)) await rm(place, { force: true });
  }
}

/** The folders of these absolute files. */
export async function makeFolders(files: readonly string[]): Promise<void> {
  await forEachLimited(
    [...new Set(files.map((file) => path.dirname(file)))].sort(),
    async (folder) => {
      await mkdir(folder, { recursive: true });
    },
    4,
  );
}

/** Copies one file or link; what stood in its place is replaced. The copy can be written even when the original cannot. */
export async function copyEntry(from: string, to: string, stamp: Stamp, trees: TreePair): Promise<void> {
  if (stamp.kind === 'link') {
    await rm(to, { recursive: true, force: true });
    await symlink(await linkTarget(from, trees), to);
    return;
  }
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (!hasCode(error, 'EISDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENOTDIR')) throw error;
    await rm(to, { recursive: true, force: true });
    await mkdir(path.dirname(to), { recursive: true });
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
  if ((stamp.mode & 0o200) === 0) await chmod(to, stamp.mode | 0o200);
  await utimes(to, stamp.mtimeMs / 1000, stamp.mtimeMs / 1000);
}

/** A link's text for the copy: relative links inside the tree stay as they are, others keep pointing where they did. */
export async function linkTarget(from: string, trees: TreePair): Promise<string> {
  const text = await readlink(from);
  const target = path.resolve(path.dirname(from), text);
  if (!path.isAbsolute(text)) return isInside(trees.original, target) ? text : target;
  const real = await realpath(target).catch(() => target);
  return isInside(trees.original, real) ? path.join(trees.copy, path.relative(trees.original, real)) : text;
}

/** Calls `visit` for every item, some at a time, in order of start; the first error ends it. Others get their turn in between. */
export async function forEachLimited<T>(
  items: readonly T[],
  visit: (item: T) => Promise<void>,
  limit = 24,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index];
      if (item !== undefined) await visit(item);
      if (index % 256 === 255) await setImmediate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
