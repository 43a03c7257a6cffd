// What changed in the workspace since the last commit, and which of it a test file reaches.
import path from 'node:path';
import { isInside, toRelativePosix } from '../base/paths.ts';
import { decodeText, hasCode, readText } from '../workspace/readText.ts';
import { diskView, overlayView } from '../modules/fileView.ts';
import { gitIn, openRepository, type Repository } from '../workspace/git.ts';
import { createImportGraph, type ImportGraph } from '../modules/importGraph.ts';
import { isBesideTheCode, isLeftByTools } from './besideTheCode.ts';
import { withoutUncertainMoves } from './uncertainMoves.ts';

/** One changed file; paths relative to the root, POSIX separators. */
export interface ChangedSource {
  readonly file: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  /** Its former path, when renamed. */
  readonly from?: string;
}

export interface SourceChanges {
  /** Why nothing can be said, when there is no git history. */
  readonly unavailable?: string;
  /**
   * Changed files that are not test files, against HEAD, untracked ones included, without reports that tools left, links and nested
   * repositories; none where all of them lie beside the code.
   */
  readonly files: readonly ChangedSource[];
  /** Changed files that are test files. */
  readonly testFiles?: readonly ChangedSource[];
  /** Text of a file as of HEAD, or undefined. */
  baseText(file: string): Promise<string | undefined>;
  /** Changed sources that the test file imports, directly or not; also deleted ones that it still names. */
  reaching(testFile: string): Promise<readonly ChangedSource[]>;
  /** The same against the first parent of HEAD, for who has just committed; undefined when there is none. */
  sincePreviousCommit?(): Promise<SourceChanges | undefined>;
  /** Reads them anew, for files that have changed since; undefined where that has to begin from the start. */
  readAgain?(graph: ImportGraph): Promise<SourceChanges | undefined>;
}

export interface SourceChangesRequest {
  /** Absolute real path. */
  readonly root: string;
  readonly isTestFile: (file: string) => boolean;
  readonly graph: ImportGraph;
  readonly signal?: AbortSignal;
}

/** Reads the changes of the working tree against HEAD; without git the result says why it is empty. Changes nothing. */
export async function readSourceChanges(request: SourceChangesRequest): Promise<SourceChanges> {
  const options = request.signal === undefined ? {} : { signal: request.signal };
  let note: string | undefined;
  let repository: Repository | undefined;
  try {
    repository = await openRepository(request.root, { ...options, onNote: (text) => (note = text) });
  } catch (error) {
    if (request.signal?.aborted || !hasCode(error, 'ENOENT')) throw error;
    note = 'git is not installed';
  }
  if (!repository) return noChanges(note ?? 'the folder is not in a git repository');
  if (repository.head === undefined) return noChanges('the repository has no commit yet');
  const changes = await changesOfHead(repository, repository.head, request);
  return changes.files.length === 0 && (await isCutOff(repository, repository.head, request.signal))
    ? noChanges('the clone is shallow and lacks the commit before the last: run `git fetch --deepen=1`')
    : changes;
}

async function changesOfHead(
  repository: Repository,
  head: string,
  request: SourceChangesRequest,
  texts: BaseTexts = new Map(),
): Promise<SourceChanges> {
  return {
    ...(await changesSince(repository, head, request, texts)),
    async readAgain(graph) {
      const [now, again] = await Promise.all([
        repository.readHead(),
        changesOfHead(repository, head, { ...request, graph }, texts),
      ]);
      // Without changes it may be that a commit is missing.
      return now === head && again.files.length > 0 ? again : undefined;
    },
  };
}

/** By file relative to the root; a commit does not change. */
type BaseTexts = Map<string, Promise<string | undefined>>;

/** Nothing known, and why. */
export function noChanges(unavailable: string): SourceChanges {
  return {
    unavailable,
    files: [],
    testFiles: [],
    baseText: () => Promise.resolve(undefined),
    reaching: () => Promise.resolve([]),
  };
}

async function changesSince(
  repository: Repository,
  base: string,
  request: SourceChangesRequest,
  texts: BaseTexts = new Map(),
): Promise<SourceChanges> {
  const { root, isTestFile, graph, signal } = request;
  // Links and nested repositories are no files: neither can be read as of a commit, nor given back that text.
  const told = (await repository.changedFiles(base))
    .filter((change) => change.isSpecial !== true)
    .filter((change) => isInside(root, change.path) || (change.from && isInside(root, change.from)))
    .map(({ path: file, status, from }) => ({
      file: toRelativePosix(root, file),
      status,
      ...(from === undefined ? {} : { from: toRelativePosix(root, from) }),
    }));
  const baseText = (file: string): Promise<string | undefined> => {
    let text = texts.get(file);
    if (!text) {
      text = textAt(repository, base, path.join(root, file), signal);
      texts.set(file, text);
      text.catch(() => texts.delete(file));
    }
    return text;
  };
  const all = await withoutUncertainMoves(told, {
    before: baseText,
    now: (file) => readText(path.join(root, file)).catch(() => undefined),
  });
  const found: ChangedSource[] = [];
  for (const change of all) {
    if (isTestFile(change.file)) continue;
    const isReport = change.status === 'added' && (await isLeftByTools(path.join(root, change.file)));
    if (!isReport) found.push(change);
  }
  // Beside changed code anything may matter; alone they would hide what the last commit changed.
  const files = found.every(({ file, status }) => isBesideTheCode(file, status)) ? [] : found;
  let before: Promise<ImportGraph> | undefined;
  // Every failing test asks, and git is a process.
  let previous: Promise<SourceChanges | undefined> | undefined;
  const changesOfCommit = async (): Promise<SourceChanges | undefined> => {
    const parent = await firstParent(repository, base, signal);
    return parent === undefined ? undefined : changesSince(repository, parent, request);
  };
  return {
    files,
    testFiles: all.filter((change) => isTestFile(change.file)),
    baseText,
    async reaching(testFile) {
      const now = await graph.reaches(testFile);
      const gone = files.filter((change) => change.status === 'deleted' || change.status === 'renamed');
      before ??= graphWithGone(gone, { root, baseText, ...(signal === undefined ? {} : { signal }) });
      const then = gone.length === 0 ? now : await (await before).reaches(testFile);
      return files.filter(
        (change) =>
          now.has(change.file) ||
          then.has(change.from ?? change.file) ||
          (change.status === 'renamed' && then.has(change.file)),
      );
    },
    sincePreviousCommit() {
      previous ??= changesOfCommit().catch((error: unknown) => {
        previous = undefined;
        throw error;
      });
      return previous;
    },
  };
}

/** The graph as if the files that are gone were still there: a broken import then shows what it named. */
async function graphWithGone(
  gone: readonly ChangedSource[],
  options: { root: string; baseText(file: string): Promise<string | undefined>; signal?: AbortSignal },
): Promise<ImportGraph> {
  const back = new Map<string, string>();
  for (const change of gone) {
    const file = change.from ?? change.file;
    back.set(path.join(options.root, file), (await options.baseText(file)) ?? '');
  }
  return createImportGraph({
    root: options.root,
    view: overlayView(diskView(), { gone: new Set(), back }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

/** The text of a file as of a commit, byte-exact: `--batch` tells the size, so no end of line is lost on the way. */
async function textAt(
  repository: Repository,
  commit: string,
  file: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const name = toRelativePosix(repository.root, file);
  if (name.startsWith('../') || name.includes('\n')) return undefined;
  const { bytes } = await gitIn(repository.root, signal)(['cat-file', '--batch'], {
    input: `${commit}:${name}\n`,
  });
  const start = bytes.indexOf(0x0a) + 1;
  const size = /^\S+ blob (\d+)$/.exec(decodeText(bytes.subarray(0, start - 1)) ?? '')?.[1];
  return size === undefined ? undefined : decodeText(bytes.subarray(start, start + Number(size)));
}

async function firstParent(
  repository: Repository,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (commit === repository.head) return repository.parent;
  const parent = await gitIn(repository.root, signal)(['rev-parse', '--verify', '-q', `${commit}^1`], {
    mayFail: true,
  });
  return parent.exitCode === 0 ? parent.stdout.trim() : undefined;
}

/** The commit has a parent, which a shallow clone left out. */
async function isCutOff(
  repository: Repository,
  commit: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if ((await firstParent(repository, commit, signal)) !== undefined) return false;
  const { stdout } = await gitIn(repository.root, signal)(['cat-file', '-p', commit], { mayFail: true });
  return /^parent /m.test(stdout.split('\n\n')[0] ?? '');
}
