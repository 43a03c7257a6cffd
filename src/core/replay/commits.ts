// Which commits of a repository to replay, and what each of them changes.
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { gitIn, openRepository } from '../workspace/git.ts';

export interface Commit {
  readonly commit: string;
  readonly parent: string;
  readonly subject: string;
  /** ISO day. */
  readonly date: string;
}

/** One changed path, relative to the top of the repository, POSIX separators. */
export interface ChangedPath {
  readonly status: 'added' | 'modified' | 'deleted';
  readonly file: string;
}

export type CommitChoice =
  | { readonly kind: 'last'; readonly count: number }
  | { readonly kind: 'since'; readonly revision: string }
  | { readonly kind: 'named'; readonly revisions: readonly string[] };

/**
 * Newest first, without merges and without commits that have no parent. Throws a HumanError: `usage` for unknown
 * revisions, `broken-project` where there is no history.
 */
export async function chooseCommits(
  root: string,
  choice: CommitChoice,
  signal?: AbortSignal,
): Promise<readonly Commit[]> {
  const repository = await openRepository(root, signal === undefined ? {} : { signal });
  if (repository?.head === undefined)
    throw new HumanError('broken-project', `There is no history to replay in ${root}.`, {
      file: root,
      remedy: 'Name a folder of a git repository.',
      choice: 'root',
    });
  const git = gitIn(root, signal);
  const log = async (...args: readonly string[]): Promise<readonly Commit[]> => {
    const format = '--format=%H%x00%P%x00%cs%x00%s';
    const { stdout } = await git(['log', '--no-merges', format, ...args, '--']);
    return stdout.split('\n').flatMap((line) => commitOf(line) ?? []);
  };
  if (choice.kind === 'last') return log(`-n${choice.count}`, 'HEAD');
  if (choice.kind === 'since') return log(`${await resolve(choice.revision)}..HEAD`);
  const found: Commit[] = [];
  for (const revision of choice.revisions) {
    const [commit] = await log('-n1', await resolve(revision));
    if (commit === undefined)
      throw new HumanError('usage', `${revision} is a merge or the first commit.`, hint);
    found.push(commit);
  }
  return found;

  async function resolve(revision: string): Promise<string> {
    const args = ['rev-parse', '--verify', '-q', '--end-of-options', `${revision}^{commit}`];
    const { exitCode, stdout } = await git(args, { mayFail: true });
    if (exitCode === 0) return stdout.trim();
    throw new HumanError('usage', `There is no commit ${revision} in this repository.`, {
      ...hint,
      value: revision,
    });
  }
}

const hint = { remedy: 'Name commits that have one parent, as git log shows them.' };

function commitOf(line: string): Commit | undefined {
  const [commit, parents = '', date = '', ...subject] = line.split('\0');
  const parent = parents.split(' ')[0] ?? '';
  if (commit === undefined || commit === '' || parent === '') return undefined;
  return { commit, parent, date, subject: subject.join(' ') };
}

const nameStatus = ['diff', '--no-ext-diff', '--no-textconv', '--name-status', '-z'];

/** What leads from the parent to the commit; a renamed file is one deleted and one added. */
export async function changesOf(
  top: string,
  { commit, parent }: Pick<Commit, 'commit' | 'parent'>,
  signal?: AbortSignal,
): Promise<readonly ChangedPath[]> {
  const args = [...nameStatus, '--no-renames', parent, commit, '--'];
  const fields = (await gitIn(top, signal)(args)).stdout.split('\0');
  const changes: ChangedPath[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const letter = fields[index]?.charAt(0);
    const status = letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified';
    changes.push({ status, file: fields[index + 1] ?? '' });
  }
  return changes;
}

/** The names that files of the parent have in the commit, where git takes them for renamed. */
export async function renamesOf(
  top: string,
  { commit, parent }: Pick<Commit, 'commit' | 'parent'>,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const args = [...nameStatus, '-M', '--diff-filter=R', parent, commit, '--'];
  const fields = (await gitIn(top, signal)(args)).stdout.split('\0');
  const renames = new Map<string, string>();
  for (let index = 0; index + 2 < fields.length; index += 3) {
    const [, from = '', to = ''] = fields.slice(index, index + 3);
    renames.set(from, to);
  }
  return renames;
}

/** Nothing that a test could notice: text for people, and what a host of repositories reads. */
export function isInert(file: string): boolean {
  const name = path.posix.basename(file);
  return (
    /\.(?:md|markdown|rst|adoc)$/i.test(name) ||
    /^(?:license|changelog|authors|contributors|\.gitignore|\.gitattributes|\.editorconfig|\.mailmap)\b/i.test(
      name,
    ) ||
    /^\.(?:github|gitlab|circleci|vscode|idea)\//.test(file)
  );
}
