// A private clone outside of every workspace in which commits are laid out; the user's repository is only read.
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { gitIn, openRepository } from '../workspace/git.ts';
import { decodeText } from '../workspace/readText.ts';
import { claimSandboxFolder } from '../sandbox/sandboxFolder.ts';
import { sandboxFolder } from '../sandbox/sandboxPlace.ts';
import { makePrivateGit } from '../sandbox/sandboxGit.ts';
import type { ChangedPath } from './commits.ts';
import { environmentFolders } from './virtualEnvironments.ts';

interface ScratchOptions {
  /** Absolute root of the user's workspace. */
  readonly root: string;
  /** Parent folder; default `sandboxFolder()`. */
  readonly folder?: string;
  readonly signal?: AbortSignal;
}

/** Throws a HumanError when the root is in no git repository with commits, or when there is no place for the clone. */
export async function openScratch({ root, folder, signal }: ScratchOptions): Promise<Scratch> {
  const notes: string[] = [];
  const onNote = (note: string): void => void notes.push(note);
  const repository = await openRepository(root, { onNote, ...(signal && { signal }) });
  if (repository?.head === undefined) {
    const why = notes[0] ?? 'It is in no git repository with commits.';
    throw new HumanError('broken-project', `There is no history to replay in ${root}. ${why}`, {
      file: root,
      remedy: 'Name a folder of a git repository.',
      choice: 'root',
    });
  }
  const home = await claimSandboxFolder(folder ?? sandboxFolder(), repository.root);
  const onExit = (): void => home.releaseNow();
  process.once('exit', onExit);
  const top = path.join(home.folder, path.basename(repository.root) || 'root');
  const dispose = async (): Promise<void> => {
    process.removeListener('exit', onExit);
    await home.release();
  };
  try {
    await mkdir(top, { recursive: true });
    await makePrivateGit(top, repository, signal);
    return new Scratch({ original: repository.root, top, home: home.folder, root, dispose });
  } catch (error) {
    await dispose();
    throw error;
  }
}

interface ScratchPlaces {
  readonly original: string;
  readonly top: string;
  readonly home: string;
  readonly root: string;
  readonly dispose: () => Promise<void>;
}

export class Scratch {
  /** Top of the user's repository. */
  readonly original: string;
  /** Top of the clone. */
  readonly top: string;
  /** Counterpart of the user's workspace root. */
  readonly root: string;
  /** A folder beside the clone for what a replay keeps meanwhile; gone with it. */
  readonly home: string;
  readonly dispose: () => Promise<void>;

  /** Use `openScratch`. */
  constructor({ original, top, home, root, dispose }: ScratchPlaces) {
    this.original = original;
    this.top = top;
    this.home = home;
    this.root = path.join(top, path.relative(original, root));
    this.dispose = dispose;
  }

  /**
   * Lays out a commit as HEAD, and over it the given paths as another commit has them. What runs left behind is gone; folders of
   * installed packages stay.
   */
  async layOut(
    head: string,
    over: { readonly commit: string; readonly changes: readonly ChangedPath[] },
    signal: AbortSignal,
  ): Promise<void> {
    const git = gitIn(this.top, signal);
    await git(['checkout', '-q', '--force', '--detach', head]);
    await git([
      'clean',
      '-ffdxq',
      ...['node_modules', ...environmentFolders].flatMap((name) => ['-e', name]),
    ]);
    const kept = over.changes.filter(({ status }) => status !== 'deleted').map(({ file }) => file);
    for (const { file, status } of over.changes)
      if (status === 'deleted') await rm(path.join(this.top, file), { recursive: true, force: true });
    if (kept.length === 0) return;
    await git(
      [
        '--literal-pathspecs',
        'restore',
        `--source=${over.commit}`,
        '--worktree',
        '--pathspec-from-file=-',
        '--pathspec-file-nul',
      ],
      { input: kept.join('\0') },
    );
  }

  /** Text of a file (relative to the top) as of a commit; undefined when it is not there, or not text. */
  async textAt(commit: string, file: string, signal: AbortSignal): Promise<string | undefined> {
    const blob = await gitIn(this.top, signal)(['cat-file', 'blob', `${commit}:${file}`], { mayFail: true });
    return blob.exitCode === 0 ? decodeText(blob.bytes) : undefined;
  }

  /** Files that are tracked at HEAD, relative to the top. */
  async trackedFiles(signal: AbortSignal): Promise<readonly string[]> {
    const { stdout } = await gitIn(this.top, signal)(['ls-files', '-z']);
    return stdout.split('\0').filter((file) => file !== '');
  }
}

/** The changes the other way round: what leads from the commit back to its parent. */
export function reversed(changes: readonly ChangedPath[]): readonly ChangedPath[] {
  const back = { added: 'deleted', deleted: 'added', modified: 'modified' } as const;
  return changes.map(({ file, status }) => ({ file, status: back[status] }));
}
