// Which tests the last changes can have touched (CONTRACTS T2): by the names of files, and by what imports what.
import path from 'node:path';
import { isInside, toRelativePosix } from '../base/paths.ts';
import { diskView, overlayView } from '../workspace/fileView.ts';
import { gitIn, openRepository } from '../workspace/git.ts';
import { createImportGraph } from '../workspace/importGraph.ts';

export interface AffectedTestsRequest {
  /** Absolute real path. */
  readonly root: string;
  /** Every test file, relative to the root. */
  readonly testFiles: readonly string[];
  readonly signal?: AbortSignal;
}

export interface AffectedTests {
  /** In the order of `testFiles`; empty means that the full suite should run, once (CONTRACTS T6). */
  readonly files: readonly string[];
  /** The changed files they were found from, relative to the root. */
  readonly changed: readonly string[];
  /** Why nothing could be found out, as a sentence. */
  readonly unavailable?: string;
}

/** The tests affected by the working tree against HEAD~1, or against HEAD (index and all) when that has no parent. */
export async function affectedTests(request: AffectedTestsRequest): Promise<AffectedTests> {
  const { root, testFiles, signal } = request;
  const options = signal === undefined ? {} : { signal };
  const repository = await openRepository(root, options);
  if (!repository) {
    return {
      files: [],
      changed: [],
      unavailable: 'The folder is not in a git repository, so nothing is known about changes.',
    };
  }
  const parent = await gitIn(repository.root, signal)(['rev-parse', '--verify', '-q', 'HEAD^1'], {
    mayFail: true,
  });
  const changes = await repository.changedFiles(parent.exitCode === 0 ? parent.stdout.trim() : 'HEAD');
  const gone = changes.flatMap((change) =>
    change.status === 'deleted' ? [change.path] : change.from === undefined ? [] : [change.from],
  );
  const changed = [...new Set([...changes.map((change) => change.path), ...gone])]
    .filter((file) => isInside(repository.root, file))
    .map((file) => toRelativePosix(root, file));
  // Files that are gone take part as empty ones, so that the tests which still import them are found.
  const view = overlayView(diskView(), { gone: new Set(), back: new Map(gone.map((file) => [file, ''])) });
  const graph = createImportGraph({ root, view, ...options });
  const byImports = new Set(await graph.testsReaching(changed, testFiles));
  const configured = changed
    .filter((file) => configName.test(path.posix.basename(file)))
    .map((file) => path.posix.dirname(file));
  const byName = testsNamedAfter(changed, testFiles);
  const files = testFiles.filter(
    (file) =>
      byImports.has(file) ||
      byName.has(file) ||
      configured.some((folder) => folder === '.' || file.startsWith(folder + '/')),
  );
  return { files, changed };
}

const configName =
  /^(?:vite|vitest|jest|tsconfig)(?:\.[\w-]+)*\.(?:[mc]?[jt]s|json)$|^\.mocharc\.\w+$|^pytest\.ini$|^conftest\.py$/;

/** Test files that carry the name of a changed file: `src/a/x.ts` → `tests/a/x.test.ts`, `tests/x.test.ts`, `src/a/__tests__/x.spec.ts`, `test_x.py`, `x_test.go`. */
export function testsNamedAfter(
  changed: readonly string[],
  testFiles: readonly string[],
): ReadonlySet<string> {
  const byStem = new Map<string, { file: string; folders: readonly string[] }[]>();
  for (const file of testFiles) {
    const stem = testedStem(path.posix.basename(file));
    if (stem === undefined) continue;
    const entry = { file, folders: meaningfulFolders(file) };
    const known = byStem.get(stem);
    if (known) known.push(entry);
    else byStem.set(stem, [entry]);
  }
  const found = new Set<string>();
  for (const file of changed) {
    const name = path.posix.basename(file);
    const folders = meaningfulFolders(file);
    for (const test of byStem.get(`${languageOf(name)}:${name.replace(/\.\w+$/, '')}`) ?? []) {
      // One folder path must end with the other: a flat tests folder serves all, two sibling packages do not mix.
      const length = Math.min(folders.length, test.folders.length);
      const same = length === 0 || folders.slice(-length).join('/') === test.folders.slice(-length).join('/');
      if (same) found.add(test.file);
    }
  }
  return found;
}

function testedStem(name: string): string | undefined {
  const match =
    /^(.+?)[._-](?:tests?|spec)\.(?:[mc]?[jt]sx?)$/.exec(name) ??
    /^test_(.+)\.py$/.exec(name) ??
    /^(.+)_test\.(?:py|go)$/.exec(name);
  return match ? `${languageOf(name)}:${match[1]}` : undefined;
}

function languageOf(name: string): string {
  const extension = path.posix.extname(name);
  return extension === '.py' || extension === '.go' ? extension : 'js';
}

/** The folders of a file without those that only say "source here" or "tests here". */
function meaningfulFolders(file: string): readonly string[] {
  return file
    .split('/')
    .slice(0, -1)
    .filter((folder) => !/^(?:\.|src|lib|app|source|tests?|__tests__|specs?|unit|integration)$/.test(folder));
}
