// Which sources and test files a question about strength is about.
import path from 'node:path';
import { DependencyGraph, type GraphRoot } from '../modules/dependencyGraph.ts';

interface AskedFiles {
  /** Absolute real path. */
  readonly root: string;
  /** Relative to the root, like all files here. */
  readonly testFiles: readonly string[];
  readonly graphRoots: readonly GraphRoot[];
  /** Test files, and sources; none for everything. */
  readonly named: readonly string[];
  readonly signal: AbortSignal;
}

interface StrengthFiles {
  readonly sources: readonly string[];
  readonly tests: readonly string[];
}

/** Tests that are named, or that reach a source that is named; and the sources that these reach, or those that are named. */
export async function strengthFiles(asked: AskedFiles): Promise<StrengthFiles> {
  const { root, testFiles, graphRoots, named, signal } = asked;
  const graph = new DependencyGraph(root);
  await graph.update(graphRoots, { signal });
  const all = new Set(testFiles);
  const namedTests = named.filter((file) => all.has(file));
  const namedSources = named.filter((file) => !all.has(file));
  const dependents = graph.dependents(namedSources);
  const tests =
    named.length === 0
      ? testFiles
      : testFiles.filter((file) => namedTests.includes(file) || dependents.has(file));
  if (namedTests.length === 0 && namedSources.length > 0) return { sources: namedSources, tests };
  const reached = new Set(tests.flatMap((file) => [...graph.dependencies(file)]));
  for (const file of namedSources) reached.add(file);
  return { sources: [...reached].filter((file) => !all.has(file) && isSource(file)).toSorted(), tests };
}

/** A script of the workspace itself that is neither a helper of tests nor a configuration. */
export function isSource(file: string): boolean {
  if (!/\.[cm]?[jt]sx?$/.test(file) || /\.d\.[cm]?ts$/.test(file) || file.startsWith('../')) return false;
  const folders = path.posix.dirname(file).split('/');
  if (folders.some((folder) => helpers.has(folder) || folder.startsWith('.'))) return false;
  return !/(?:^|[.-])(?:config|setup|workspace|test|spec|mock|fixture)s?\.[cm]?[jt]sx?$/.test(
    path.posix.basename(file),
  );
}

const helpers: ReadonlySet<string> = new Set([
  'node_modules',
  'test',
  'tests',
  '__tests__',
  '__mocks__',
  '__fixtures__',
  'fixtures',
  'spec',
  'specs',
  'e2e',
]);
