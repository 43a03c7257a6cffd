// Lists the files of a folder tree once, for everyone who looks for some of them.
import { existsSync, opendirSync, readdirSync, statSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../base/humanError.ts';
import { isInside, toRelativePosix } from '../base/paths.ts';
import { IgnoredFolders } from './ignoredFolders.ts';

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
  /** Folders that git ignores and that hold too much, relative to the root, with whether names of tests were seen there. */
  readonly leftOut: readonly LeftOutFolder[];
}

export interface LeftOutFolder {
  readonly folder: string;
  readonly hasTests: boolean;
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
/** A folder that git ignores may hold compiled tests; with more entries than this it holds data, caches or packages. */
export const mostIgnored = 5_000;
const testName = /(?:^|[._-])(?:tests?|spec|cy)[._-]/i;

/** What was found so far below the outermost folder that git ignores. */
interface Ignored {
  readonly folder: string;
  readonly files: string[];
  entries: number;
  hasTests: boolean;
}

/**
 * Every file below `root`, in time linear in their number. Reads the folders itself and in slices: loading a glob library
 * takes longer than listing 10,000 files, and so does asking the thread pool for each folder. Links to files are files;
 * links to folders are not entered: what lies inside the root is found at its own path, what lies outside is none of ours.
 * A folder that git ignores is listed as far as `mostIgnored` entries; one with more is left out and named.
 * Folders that cannot be read are named, not thrown. Throws the cancellation error.
 */
export async function walkTree(root: string, signal?: AbortSignal): Promise<FileTree> {
  const files: string[] = [];
  const unreadable: string[] = [];
  const links = new Set<string>();
  const ignoredFolders = await IgnoredFolders.open(root);
  const ignored: Ignored[] = [];
  const pending: { readonly folder: string; readonly inside?: Ignored | undefined }[] = [{ folder: '' }];
  let pause = performance.now() + slice;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { folder, inside } = next;
    if (performance.now() > pause) {
      await setImmediate();
      throwIfCancelled(signal);
      pause = performance.now() + slice;
    }
    if (isTooMuch(inside)) continue;
    const entries = inside
      ? firstEntriesOf(path.join(root, folder), inside)
      : entriesOf(path.join(root, folder));
    // What git ignores may well be somebody else's: the data of a database.
    if (!entries && !inside) unreadable.push(folder);
    // A virtual environment of Python, whatever its name.
    if (folder !== '' && entries?.some(({ name }) => name === 'pyvenv.cfg')) continue;
    if (!inside && entries?.some(({ name }) => name === '.gitignore' || name === '.git'))
      ignoredFolders?.enter(folder);
    const below = folder === '' ? '' : folder + '/';
    const found = inside?.files ?? files;
    for (const entry of entries ?? []) {
      const file = below + entry.name;
      if (entry.isDirectory()) {
        if (!neverEntered.has(entry.name))
          pending.push({ folder: file, inside: inside ?? newlyIgnored(file) });
      } else if (entry.isFile()) found.push(file);
      else if (isLinkToFile(root, below, entry)) {
        found.push(file);
        links.add(file);
      }
    }
  }
  throwIfCancelled(signal);
  const leftOut = ignored.filter(isTooMuch).map(({ folder, hasTests }) => ({ folder, hasTests }));
  for (const one of ignored) if (!isTooMuch(one)) for (const file of one.files) files.push(file);
  return { root, files: files.sort(), links, unreadable, leftOut };

  function newlyIgnored(folder: string): Ignored | undefined {
    if (ignoredFolders?.has(folder) !== true) return undefined;
    const one = { folder, files: [], entries: 0, hasTests: false };
    ignored.push(one);
    return one;
  }
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

/** As many entries as may still be listed, and one more when there are more. */
function firstEntriesOf(folder: string, inside: Ignored): readonly Dirent[] | undefined {
  const found: Dirent[] = [];
  try {
    // A virtual environment has its mark at its top, which may come late in a long listing.
    if (existsSync(path.join(folder, 'pyvenv.cfg'))) return found;
    const listing = opendirSync(folder, { bufferSize: 256 });
    try {
      for (let entry = listing.readSync(); entry && !isTooMuch(inside); entry = listing.readSync()) {
        found.push(entry);
        inside.entries++;
        inside.hasTests ||= testName.test(entry.name);
      }
    } finally {
      listing.closeSync();
    }
    return found;
  } catch {
    return undefined;
  }
}

function isTooMuch(inside: Ignored | undefined): boolean {
  return inside !== undefined && inside.entries > mostIgnored;
}

function isLinkToFile(root: string, below: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return false;
  try {
    return statSync(path.join(root, below + entry.name)).isFile();
  } catch {
    return false;
  }
}
