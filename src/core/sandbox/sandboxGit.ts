// Gives a sandbox a git repository of its own: same commit, same branch, the original's objects, no hooks and no remote.
import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gitIn, type Repository } from '../workspace/git.ts';

/**
 * Makes or renews `.git` in the copy. Written by hand, because `git init` follows the user's templates and formats.
 * Before the first commit there is a repository without one; when the objects cannot be read there is none at all.
 * `known`: the commit of HEAD, for who has just asked.
 */
export async function makePrivateGit(
  copy: string,
  repository: Repository,
  signal: AbortSignal | undefined,
  known?: string,
): Promise<void> {
  const folder = path.join(copy, '.git');
  const head = known ?? (await repository.readHead());
  const branch = repository.branch ?? 'main';
  await rm(folder, { recursive: true, force: true });
  const reference = path.join(folder, 'refs', 'heads', ...branch.split('/'));
  await Promise.all([
    mkdir(path.join(folder, 'objects', 'info'), { recursive: true }),
    mkdir(path.dirname(reference), { recursive: true }),
  ]);
  await Promise.all([
    writeFile(path.join(folder, 'config'), config(repository.objectFormat)),
    writeFile(path.join(folder, 'objects', 'info', 'alternates'), repository.objectsFolder + '\n'),
    writeFile(
      path.join(folder, 'HEAD'),
      repository.branch === undefined && head !== undefined ? `${head}\n` : `ref: refs/heads/${branch}\n`,
    ),
    // A shallow clone has no parents of its oldest commits; the copy must know that too.
    copyFile(path.join(repository.objectsFolder, '..', 'shallow'), path.join(folder, 'shallow')).catch(
      () => undefined,
    ),
    ...(head === undefined ? [] : [writeFile(reference, `${head}\n`)]),
  ]);
  if (head === undefined) return;
  const read = await gitIn(copy, signal)(['read-tree', 'HEAD'], { mayFail: true });
  if (read.exitCode !== 0) await rm(folder, { recursive: true, force: true });
  else await leaveOut(copy, repository, signal);
}

/** Files that a sparse checkout leaves out are not deleted: in the copy git does not look for them either. */
async function leaveOut(
  copy: string,
  { root, gitFolder }: Repository,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Where nobody ever said what is left out, git need not be asked.
  if (!existsSync(path.join(gitFolder, 'info', 'sparse-checkout'))) return;
  const git = gitIn(root, signal);
  const isSparse = await git(['config', '--bool', 'core.sparseCheckout'], { mayFail: true });
  if (isSparse.stdout.trim() !== 'true') return;
  const { stdout } = await git(['ls-files', '-t', '-z']);
  const absent = stdout.split('\0').filter((line) => line.startsWith('S '));
  if (absent.length > 0)
    await gitIn(copy, signal)(['update-index', '-z', '--skip-worktree', '--stdin'], {
      input: absent.map((line) => `${line.slice(2)}\0`).join(''),
    });
}

function config(objectFormat: string): string {
  const posix = process.platform !== 'win32';
  const version = objectFormat === 'sha1' ? 0 : 1;
  const extension = version === 0 ? '' : `[extensions]\n\tobjectformat = ${objectFormat}\n`;
  return `[core]\n\trepositoryformatversion = ${version}\n\tbare = false\n\tfilemode = ${posix}\n\tsymlinks = ${posix}\n${extension}`;
}
