// Asks git about a repository without changing anything in it: no shared index, no hooks, no prompts, no stash.
import { realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { execa, execaSync } from 'execa';
import { HumanError, throwIfCancelled } from '../base/humanError.ts';
import { fields, withPrivateIndex, type IndexPlaces, type Scratch } from './privateIndex.ts';
import { decodeText } from './readText.ts';

interface ChangedFile {
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  /** Absolute. */
  readonly path: string;
  /** Former absolute path, when renamed. */
  readonly from?: string;
  /** Something else than a file, now or before: a link, or a nested repository. Git's text of it is none. */
  readonly isSpecial?: true;
}

/** A git repository as it lies on disk; every path in and out is absolute. */
export interface Repository {
  /** Absolute real path of the top level of the working tree. */
  readonly root: string;
  /** Commit of HEAD when the repository was opened; absent before the first commit. */
  readonly head?: string;
  /** First parent of that commit; absent when it has none, or a shallow clone left it out. */
  readonly parent?: string;
  /** Branch of HEAD; absent when detached. */
  readonly branch?: string;
  /** Folder of the object database. */
  readonly objectsFolder: string;
  /** Folder of the index, and of what else belongs to this working tree alone. */
  readonly gitFolder: string;
  /** `sha1` or `sha256`. */
  readonly objectFormat: string;
  /** Commit of HEAD now. */
  readHead(): Promise<string | undefined>;
  /** Tracked files and untracked ones that are not ignored; nothing untracked under node_modules. Deleted files may still be listed. */
  listFiles(): Promise<readonly string[]>;
  /** Ignored files and folders outside node_modules; a folder that is ignored as a whole ends with a separator. */
  listIgnored(): Promise<readonly string[]>;
  /** Working tree (untracked files included) against `base`, default HEAD, with renames found. */
  changedFiles(base?: string): Promise<readonly ChangedFile[]>;
  /** Text of a file as of a revision; undefined when it is not there, or not text. */
  fileAt(revision: string, file: string): Promise<string | undefined>;
  /** Unified diff of the working tree (untracked files included) against `base`, default HEAD. */
  diff(base?: string, files?: readonly string[]): Promise<string>;
}

interface RepositoryOptions {
  readonly signal?: AbortSignal;
  /** Told, in one sentence, why a repository that is there cannot be used. */
  readonly onNote?: (note: string) => void;
}

/** The repository a folder belongs to; undefined without git, outside of one, or when the folder itself is ignored there. */
export async function openRepository(
  folder: string,
  options: RepositoryOptions = {},
): Promise<Repository | undefined> {
  const git = gitIn(await realpath(folder), options.signal);
  const about = await git(
    ['rev-parse', ...placesOfRepository, 'HEAD', 'HEAD^@', '--symbolic-full-name', 'HEAD'],
    { mayFail: true },
  );
  const [top, objectFormat, objects, index, head, ...others] = about.stdout.trimEnd().split('\n');
  const reference = others.at(-1);
  const [parent] = others.slice(0, -1);
  // Before the first commit it tells the places, and fails at HEAD.
  const isBorn = about.exitCode === 0;
  if (!isBorn && !index) {
    if (/dubious ownership/.test(about.stderr)) {
      options.onNote?.(
        'git does not trust this repository because another user owns it; Testmend works without its history (git: safe.directory).',
      );
    }
    return undefined;
  }
  if (!top || !objectFormat || !objects || !index) return undefined;
  const root = await realpath(top);
  const cwd = await realpath(folder);
  if (cwd !== root && (await git(['check-ignore', '-q', '--', '.'], { mayFail: true })).exitCode === 0)
    return undefined;
  const branch = branchOf(isBorn ? reference : await unbornReference(git));
  return new GitRepository(root, gitIn(root, options.signal), {
    ...(isBorn && head ? { head } : {}),
    ...(isBorn && parent ? { parent } : {}),
    ...(branch === undefined ? {} : { branch }),
    objectFormat,
    objectsFolder: path.resolve(cwd, objects),
    indexFile: path.resolve(cwd, index),
  });
}

/** One process tells all that is asked of a repository when it is opened: each costs a fork of this one. */
const placesOfRepository = '--show-toplevel --show-object-format --git-path objects --git-path index'.split(
  ' ',
);

async function unbornReference(git: Git): Promise<string> {
  return (await git(['symbolic-ref', '-q', 'HEAD'], { mayFail: true })).stdout.trim();
}

/** Detached, HEAD stands for itself. */
const branchOf = (reference = ''): string | undefined => /^refs\/heads\/(.+)$/.exec(reference)?.[1];

interface GitResult {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Uint8Array;
}

interface GitOptions {
  readonly mayFail?: boolean;
  readonly scratch?: Scratch;
  readonly input?: string;
}

type Git = (args: readonly string[], options?: GitOptions) => Promise<GitResult>;

interface RepositoryFacts {
  readonly head?: string;
  readonly parent?: string;
  readonly branch?: string;
  readonly objectFormat: string;
  readonly objectsFolder: string;
  readonly indexFile: string;
}

const timeLimitMs = 60_000;

/** Nothing configured in the repository may start a program or change the form of the output. */
const safeConfig = [
  'core.quotepath=off',
  `core.hooksPath=${os.devNull}`,
  'core.fsmonitor=false',
  'log.showSignature=false',
  'diff.renameLimit=2000',
  'color.ui=false',
].flatMap((setting) => ['-c', setting]);

/** Text of a file (relative to the folder) as a commit has it; undefined where there is none, or no git. Waits for git. */
export function committedText(folder: string, revision: string, file: string): string | undefined {
  const { exitCode, stdout } = execaSync(
    'git',
    [...safeConfig, 'cat-file', 'blob', `${revision}:./${file}`],
    {
      cwd: folder,
      env: privateEnvironment(),
      extendEnv: false,
      stdin: 'ignore',
      stripFinalNewline: false,
      reject: false,
      timeout: 10_000,
      maxBuffer: 20 * 1024 * 1024,
    },
  );
  return exitCode === 0 ? stdout : undefined;
}

/** Runs git in a folder with a private environment: the host's GIT_* variables (a hook's, a rebase's) never reach it. */
export function gitIn(folder: string, signal?: AbortSignal): Git {
  let filtersOff: Promise<NodeJS.ProcessEnv> | undefined;
  const git: Git = async (args, { mayFail = false, scratch, input } = {}) => {
    throwIfCancelled(signal);
    if (args.some((arg) => readsFiles.has(arg))) filtersOff ??= withoutFilters(git);
    const result = await execa('git', [...safeConfig, ...args], {
      cwd: folder,
      env: { ...privateEnvironment(), ...scratchEnvironment(scratch), ...(await filtersOff) },
      extendEnv: false,
      encoding: 'buffer',
      stripFinalNewline: false,
      reject: false,
      timeout: timeLimitMs,
      maxBuffer: 512 * 1024 * 1024,
      ...(input === undefined ? { stdin: 'ignore' as const } : { input }),
      ...(signal === undefined ? {} : { cancelSignal: signal }),
    });
    throwIfCancelled(signal);
    const stderr = Buffer.from(result.stderr).toString('utf8');
    if (result.exitCode !== 0 && !mayFail) {
      throw new HumanError(
        result.timedOut ? 'timeout' : 'broken-project',
        `git ${args[0] ?? ''} failed in ${folder}: ${stderr.trim().split('\n')[0] ?? result.message}`,
        { file: folder, remedy: 'Check that the repository is sound (git status, git fsck).' },
      );
    }
    return {
      exitCode: result.exitCode,
      stdout: Buffer.from(result.stdout).toString('utf8'),
      stderr,
      bytes: result.stdout,
    };
  };
  return git;
}

/** Commands that read files of the working tree as they would be committed: through the filters of the configuration, which are programs. */
const readsFiles = new Set(['add', 'diff', 'status']);

/**
 * Switches off every filter that the configuration names (`filter.*.clean`, `smudge`, `process`). A file that one would change, as of
 * Git LFS, counts as it lies on the disk; where the index knows it as unchanged git does not read it at all.
 */
async function withoutFilters(git: Git): Promise<NodeJS.ProcessEnv> {
  const { stdout } = await git(['config', '-z', '--name-only', '--get-regexp', '^filter\\.'], {
    mayFail: true,
  });
  const drivers = new Set(fields(stdout).map((name) => name.slice(0, name.lastIndexOf('.'))));
  const settings = [...drivers].flatMap((driver) => [
    [`${driver}.clean`, ''],
    [`${driver}.smudge`, ''],
    [`${driver}.process`, ''],
    [`${driver}.required`, 'false'],
  ]);
  const entries = settings.flatMap(([name, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, name],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(entries) };
}

function privateEnvironment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(GIT_|ELECTRON_RUN_AS_NODE$|VSCODE_)/.test(name),
  );
  return { ...Object.fromEntries(kept), GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
}

const scratchEnvironment = (scratch: Scratch | undefined): NodeJS.ProcessEnv =>
  scratch === undefined
    ? {}
    : {
        GIT_INDEX_FILE: scratch.index,
        GIT_OBJECT_DIRECTORY: scratch.objects,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: scratch.alternates,
      };

async function readHead(git: Git): Promise<string | undefined> {
  const head = await git(['rev-parse', '--verify', '-q', 'HEAD'], { mayFail: true });
  return head.exitCode === 0 ? head.stdout.trim() : undefined;
}

class GitRepository implements Repository {
  readonly root: string;
  readonly head?: string;
  readonly parent?: string;
  readonly branch?: string;
  readonly objectsFolder: string;
  readonly gitFolder: string;
  readonly objectFormat: string;
  readonly #git: Git;
  readonly #index: IndexPlaces;

  constructor(root: string, git: Git, facts: RepositoryFacts) {
    this.root = root;
    this.#git = git;
    this.#index = { git, root, file: facts.indexFile, objectsFolder: facts.objectsFolder };
    this.gitFolder = path.dirname(facts.indexFile);
    this.objectsFolder = facts.objectsFolder;
    this.objectFormat = facts.objectFormat;
    if (facts.head !== undefined) this.head = facts.head;
    if (facts.parent !== undefined) this.parent = facts.parent;
    if (facts.branch !== undefined) this.branch = facts.branch;
  }

  readHead(): Promise<string | undefined> {
    return readHead(this.#git);
  }

  async listFiles(): Promise<readonly string[]> {
    const listed = await this.#git([
      'ls-files',
      '-z',
      '--cached',
      '--others',
      '--exclude-standard',
      '--exclude=node_modules',
    ]);
    return [...new Set(fields(listed.stdout))].map((file) => this.#absolute(file));
  }

  async listIgnored(): Promise<readonly string[]> {
    const listed = await this.#git([
      'ls-files',
      '-z',
      '--others',
      '--ignored',
      '--exclude-standard',
      '--directory',
    ]);
    return fields(listed.stdout)
      .filter((file) => !file.split('/').includes('node_modules'))
      .map((file) => this.#absolute(file) + (file.endsWith('/') ? path.sep : ''));
  }

  async changedFiles(base = 'HEAD'): Promise<readonly ChangedFile[]> {
    return withPrivateIndex(this.#index, async (scratch) => {
      const diff = await this.#git(
        [...diffAlone, '--raw', '-z', '-M', await this.#tree(base), '--'],
        scratch === undefined ? {} : { scratch },
      );
      return this.#parseRaw(fields(diff.stdout));
    });
  }

  async fileAt(revision: string, file: string): Promise<string | undefined> {
    const blob = await this.#git(['cat-file', 'blob', `${safeRevision(revision)}:${this.#relative(file)}`], {
      mayFail: true,
    });
    return blob.exitCode === 0 ? decodeText(blob.bytes) : undefined;
  }

  async diff(base = 'HEAD', files: readonly string[] = []): Promise<string> {
    return withPrivateIndex(this.#index, async (scratch) => {
      const diff = await this.#git(
        [
          ...diffAlone,
          '-M',
          await this.#tree(base),
          '--',
          ...files.map((file) => `:(top,literal)${this.#relative(file)}`),
        ],
        scratch === undefined ? {} : { scratch },
      );
      return diff.stdout;
    });
  }

  /** The revision, or the empty tree when HEAD is asked for before the first commit. */
  async #tree(base: string): Promise<string> {
    // Where there was a commit when it was opened, there is one still.
    if (base !== 'HEAD' || (this.head ?? (await this.readHead())) !== undefined) return safeRevision(base);
    return (await this.#git(['hash-object', '-t', 'tree', '--stdin'], { input: '' })).stdout.trim();
  }

  /** `:<old mode> <new mode> <old hash> <new hash> <letter>`, then one path, or two of a rename. */
  #parseRaw(entries: readonly string[]): ChangedFile[] {
    const changed: ChangedFile[] = [];
    for (let i = 0; i < entries.length;) {
      const [before = '', now = '', , , letter = ''] = (entries[i] ?? '').slice(1).split(' ');
      const kind = [before, now].some((mode) => !/^(?:100\d{3}|0+)$/.test(mode))
        ? { isSpecial: true as const }
        : {};
      const first = this.#absolute(entries[i + 1] ?? '');
      if (/^[RC]/.test(letter)) {
        const second = this.#absolute(entries[i + 2] ?? '');
        changed.push(
          letter.startsWith('R')
            ? { status: 'renamed', path: second, from: first, ...kind }
            : { status: 'added', path: second, ...kind },
        );
        i += 3;
      } else {
        const status = letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified';
        changed.push({ status, path: first, ...kind });
        i += 2;
      }
    }
    return changed;
  }

  #absolute(file: string): string {
    return path.join(this.root, file.endsWith('/') ? file.slice(0, -1) : file);
  }

  #relative(file: string): string {
    return path.relative(this.root, file).split(path.sep).join('/');
  }
}

/** Without programs of the configuration; what a submodule has changed inside is asked of a git there, which would run its. */
const diffAlone = ['diff', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'];

/** A revision is never read as an option. */
function safeRevision(revision: string): string {
  if (/^[\w.^~/@{}-]+$/.test(revision) && !revision.startsWith('-')) return revision;
  throw new HumanError('bad-input', `${revision} is not a git revision.`, {
    value: revision,
    remedy: 'Give a commit, branch or tag name.',
  });
}
