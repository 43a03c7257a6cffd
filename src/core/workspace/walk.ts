// Lists the files of a folder tree once, for everyone who looks for some of them.
import { readdirSync, statSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import picomatch from 'picomatch';
import { throwIfCancelled } from '../base/humanError.ts';
import { isInside, toRelativePosix } from '../base/paths.ts';

/** The files below a root, as they were when it was walked. */
export interface FileTree {
  /** Absolute. */
  readonly root: string;
  /** Relative to the root, POSIX separators, sorted. */
  readonly files: readonly string[];
  /** Those of the files that are links to files. */
  readonly links: ReadonlySet<string>;
  /** Folders that could not be read, relative to the root; empty text is the root itself. */
  readonly unreadable: readonly string[];
}

export interface WalkOptions {
  /** Globs relative to the root; absent means every file. */
  readonly patterns?: readonly string[];
  /** Globs of files to leave out. */
  readonly ignore?: readonly string[];
}

/** Folders that never hold anything of the user's own. */
const neverEntered: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.svn',
  '.jj',
  '.testmend',
  '.tox',
  '.nox',
  '.eggs',
  '__pycache__',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  'site-packages',
]);
/** Others get their turn after this long, ms. */
const slice = 10;

/** Absolute paths of the files below `root` that match; see walkTree. */
export async function walk(
  root: string,
  options: WalkOptions = {},
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const tree = await walkTree(root, signal);
  const wanted = options.patterns ? picomatch([...options.patterns], { dot: true }) : () => true;
  const ignored = options.ignore?.length ? picomatch([...options.ignore], { dot: true }) : () => false;
  return tree.files
    .filter((file) => wanted(file) && !ignored(file))
    .map((file) => path.join(tree.root, file));
}

/**
 * Every file below `root`, in time linear in their number. Reads the folders itself and in slices: loading a glob library
 * takes longer than listing 10,000 files, and so does asking the thread pool for each folder. Links to files are files;
 * links to folders are not entered: what lies inside the root is found at its own path, what lies outside is none of ours.
 * Folders that cannot be read are named, not thrown. Throws the cancellation error.
 */
export async function walkTree(root: string, signal?: AbortSignal): Promise<FileTree> {
  const files: string[] = [];
  const unreadable: string[] = [];
  const links = new Set<string>();
  const pending = [''];
  let pause = performance.now() + slice;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    if (performance.now() > pause) {
      await setImmediate();
      throwIfCancelled(signal);
      pause = performance.now() + slice;
    }
    const entries = entriesOf(path.join(root, folder));
    if (!entries) unreadable.push(folder);
    // A virtual environment of Python, whatever its name.
    if (folder !== '' && entries?.some(({ name }) => name === 'pyvenv.cfg')) continue;
    const below = folder === '' ? '' : folder + '/';
    for (const entry of entries ?? []) {
      if (entry.isDirectory()) {
        if (!neverEntered.has(entry.name)) pending.push(below + entry.name);
      } else if (entry.isFile()) files.push(below + entry.name);
      else if (isLinkToFile(root, below, entry)) {
        files.push(below + entry.name);
        links.add(below + entry.name);
      }
    }
  }
  throwIfCancelled(signal);
  return { root, files: files.sort(), links, unreadable };
}

/** The part of a tree that lies in `folder`, relative to it; undefined when the folder lies outside of the tree. */
export function filesBelow(tree: FileTree, folder: string): readonly string[] | undefined {
  if (!isInside(tree.root, folder)) return undefined;
  const prefix = toRelativePosix(tree.root, folder);
  if (prefix === '') return tree.files;
  const start = prefix + '/';
  // '0' follows '/' in the order of the files.
  return tree.files
    .slice(firstNotBefore(tree.files, start), firstNotBefore(tree.files, prefix + '0'))
    .map((file) => file.slice(start.length));
}

function firstNotBefore(files: readonly string[], text: string): number {
  let low = 0;
  let high = files.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((files[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function entriesOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

function isLinkToFile(root: string, below: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return false;
  try {
    return statSync(path.join(root, below + entry.name)).isFile();
  } catch {
    return false;
  }
}
