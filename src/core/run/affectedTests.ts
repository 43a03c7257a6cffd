// Which tests the last changes can have touched (CONTRACTS T2): what git says, by names, and by what depends on what.
import path from 'node:path';
import { isInside, toRelativePosix } from '../base/paths.ts';
import { DependencyGraph, type GraphRoot } from '../modules/dependencyGraph.ts';
import { openRepository } from '../workspace/git.ts';
import { affectedBy } from './affectedBy.ts';
import { graphRoots } from './graphRoots.ts';

interface AffectedTestsRequest {
  /** Absolute real path. */
  readonly root: string;
  /** Every test file, relative to the root. */
  readonly testFiles: readonly string[];
  /** What configures the runners of the tests; found by their names when absent. */
  readonly roots?: readonly GraphRoot[];
  /** Kept from question to question by whoever lives long enough. */
  readonly graph?: DependencyGraph;
  readonly signal?: AbortSignal;
}

export interface AffectedTests {
  /** In the order of `testFiles`; empty means that the full suite should run, once (CONTRACTS T6). */
  readonly files: readonly string[];
  /** The changed files they were found from, relative to the root. */
  readonly changed: readonly string[];
  /** Why nothing could be found out, as a sentence. */
  readonly unavailable?: string;
  /** Why more tests than the imports tell, as sentences. */
  readonly notes?: readonly string[];
}

/** The tests affected by the working tree against HEAD~1, or against HEAD (index and all) when that has no parent. */
export async function affectedTests(request: AffectedTestsRequest): Promise<AffectedTests> {
  const { root, testFiles, signal } = request;
  const changed = await changedSinceParent(root, signal);
  if (changed === undefined) {
    return {
      files: [],
      changed: [],
      unavailable: 'The folder is not in a git repository, so nothing is known about changes.',
    };
  }
  if (changed.length === 0) return { files: [], changed };
  const options = signal === undefined ? {} : { signal };
  const graph = request.graph ?? new DependencyGraph(root);
  await graph.update(request.roots ?? graphRoots(root, testFiles), options);
  return { changed, ...(await affectedBy({ root, graph, testFiles, changed, ...options })) };
}

/** Relative to the root; deleted files and the former names of renamed ones included. Undefined outside of a repository. */
async function changedSinceParent(
  root: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[] | undefined> {
  const repository = await openRepository(root, signal === undefined ? {} : { signal });
  if (!repository) return undefined;
  const changes = await repository.changedFiles(repository.parent ?? 'HEAD');
  const files = changes.flatMap(({ path: now, from }) => (from === undefined ? [now] : [now, from]));
  return [...new Set(files)]
    .filter((file) => isInside(repository.root, file) && !file.split(path.sep).includes('node_modules'))
    .map((file) => toRelativePosix(root, file));
}
