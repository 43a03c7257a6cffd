// A diff that sees every file: what git does not look at takes part through a private copy of the index.
import { copyFile, lstat, mkdir, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isMissing } from './readText.ts';

/** A private index and a private place for the objects it needs, beside the repository's own. */
export interface Scratch {
  readonly index: string;
  readonly objects: string;
  readonly alternates: string;
}

export interface IndexPlaces {
  readonly git: (
    args: readonly string[],
    options?: { readonly scratch?: Scratch; readonly input?: string },
  ) => Promise<{ readonly stdout: string }>;
  /** Absolute; the others as well. */
  readonly root: string;
  readonly file: string;
  readonly objectsFolder: string;
}

/**
 * Lets untracked files, and those that git was told to overlook, take part in a diff through a private copy of the index; the
 * repository is only read.
 */
export async function withPrivateIndex<T>(
  { git, root, file, objectsFolder }: IndexPlaces,
  use: (scratch: Scratch | undefined) => Promise<T>,
): Promise<T> {
  const listed = await git([
    'ls-files',
    '-v',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--exclude=node_modules',
  ]);
  const { untracked, assumed, skipped } = await hiddenFiles(fields(listed.stdout), root);
  if (untracked.length + assumed.length + skipped.length === 0) return use(undefined);
  const folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-index-'));
  const scratch = {
    index: path.join(folder, 'index'),
    objects: path.join(folder, 'objects'),
    alternates: JSON.stringify(objectsFolder),
  };
  const change = async (args: readonly string[], files: readonly string[]): Promise<void> => {
    if (files.length > 0) await git(args, { scratch, input: files.join('\0') });
  };
  try {
    await mkdir(scratch.objects);
    await copyIndex(file, scratch.index);
    await change(['update-index', '--no-assume-unchanged', '-z', '--stdin'], assumed);
    await change(['update-index', '--no-skip-worktree', '-z', '--stdin'], skipped);
    await change(
      ['--literal-pathspecs', 'add', '-N', '--pathspec-from-file=-', '--pathspec-file-nul'],
      untracked,
    );
    return await use(scratch);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface HiddenFiles {
  readonly untracked: readonly string[];
  /** `--assume-unchanged`, or added under `core.ignoreStat`. */
  readonly assumed: readonly string[];
  /** `--skip-worktree`, of those that are there: a sparse checkout leaves the others out. */
  readonly skipped: readonly string[];
}

/** What a plain diff does not look at, of the lines of `ls-files -v`: `<mark> <path>`. */
async function hiddenFiles(lines: readonly string[], root: string): Promise<HiddenFiles> {
  const marked = (marks: RegExp): string[] => [
    ...new Set(lines.flatMap((line) => (marks.test(line) ? [line.slice(2)] : []))),
  ];
  const folders = new Map<string, Promise<boolean>>();
  const isThere = (file: string): Promise<boolean> =>
    lstat(path.join(root, file)).then(
      () => true,
      () => false,
    );
  const skipped: string[] = [];
  for (const file of marked(/^S /i)) {
    const folder = path.posix.dirname(file);
    const isFolderThere = folders.get(folder) ?? isThere(folder);
    folders.set(folder, isFolderThere);
    if ((await isFolderThere) && (await isThere(file))) skipped.push(file);
  }
  return {
    untracked: marked(/^\? /).filter((file) => !file.endsWith('/')),
    assumed: marked(/^[a-z] /),
    skipped,
  };
}

/**
 * Copies an index with its time: git holds that time against the times of the files to know which of them it cannot trust
 * to be unchanged. A fresh time would hide a file that changed to the same size within the second of its commit.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { atime, mtime } = await stat(from);
    await copyFile(from, to);
    await utimes(to, atime, mtime);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** The parts of what git tells with `-z`. */
export const fields = (text: string): string[] => text.split('\0').filter((field) => field !== '');
