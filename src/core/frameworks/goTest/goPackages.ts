// The packages of a module with their test files, and the pattern by which `go test` finds what is wanted of each.
import path from 'node:path';
import { toRelativePosix } from '../../base/paths.ts';
import type { ScannedTest } from '../../model/testNode.ts';
import { findGoTests } from '../../syntax/go/findTests.ts';
import { textOfFile } from '../configFiles.ts';
import type { FrameworkProject, Selection } from '../framework.ts';
import { escapePattern, matchesFilter } from '../filter.ts';
import { isBuilt } from './buildConstraints.ts';

interface GoTestFile {
  /** Absolute. */
  readonly file: string;
  /** Looked for when somebody asks: a whole package can be started without. */
  readonly tests: readonly ScannedTest[];
}

export interface GoPackage {
  /** As test2json names it. */
  readonly path: string;
  /** Absolute. */
  readonly folder: string;
  /** What is built here, sorted. */
  readonly files: readonly GoTestFile[];
  /** Absolute files that were asked for and are not built here. */
  readonly leftOut: readonly string[];
}

/** Of a module; absolute. */
export interface GoFiles {
  readonly tests: readonly string[];
  readonly sources: readonly string[];
}

/** The packages without test files: `go test ./...` builds them, too. */
export function untestedPackages(
  project: FrameworkProject,
  { tests, sources }: GoFiles,
): readonly GoPackage[] {
  const tested = new Set(tests.map((file) => path.dirname(file)));
  const untested = sources.filter((file) => !tested.has(path.dirname(file)));
  const built = packagesOf(project, untested).filter(({ files }) => files.length > 0);
  return built.map((pack) => ({ ...pack, files: [] }));
}

/** The packages of the files, by folder; `asked`: those of the files that somebody named. */
export function packagesOf(
  project: FrameworkProject,
  files: readonly string[],
  asked: readonly string[] = [],
): readonly GoPackage[] {
  const module = moduleName(project.root);
  const folders = new Map<string, GoTestFile[]>();
  const leftOut: string[] = [];
  for (const file of [...files].sort()) {
    const text = textOfFile(file);
    const folder = path.dirname(file);
    const known = folders.get(folder) ?? [];
    folders.set(folder, known);
    if (text === undefined) continue;
    if (isBuilt(file, text)) known.push(goTestFile(file, text));
    else if (asked.includes(file)) leftOut.push(file);
  }
  return [...folders].map(([folder, own]) => {
    const below = toRelativePosix(project.root, folder);
    return {
      path: below === '' ? module : `${module}/${below}`,
      folder,
      files: own,
      leftOut: leftOut.filter((file) => path.dirname(file) === folder),
    };
  });
}

function goTestFile(file: string, text: string): GoTestFile {
  let found: readonly ScannedTest[] | undefined;
  return {
    file,
    get tests() {
      return (found ??= findGoTests(text));
    },
  };
}

function moduleName(root: string): string {
  const text = textOfFile(path.join(root, 'go.mod')) ?? '';
  return /^\s*module\s+(?:"([^"]+)"|(\S+))/m.exec(text)?.slice(1).find(Boolean) ?? 'command-line-arguments';
}

/**
 * The pattern for `-run`; undefined stands for all tests of the package, `none` for a package that certainly holds nothing of what is
 * wanted.
 */
export function runPattern(pack: GoPackage, { files, tests, filter }: Selection): string | undefined {
  const isEverything = files === undefined && tests === undefined;
  const wanted = pack.files.map((own) => {
    const named = tests?.filter(({ file }) => file === own.file).map(({ names }) => names) ?? [];
    const isWhole = isEverything || files?.includes(own.file) || named.some(({ length }) => length === 0);
    return isWhole ? own : named;
  });
  if (filter === undefined && wanted.every((one) => 'file' in one)) return undefined;
  const matching = new Set(
    pack.files.flatMap(({ tests: known }) =>
      known.filter((test) => mayMatch(test, [], filter)).map(({ title }) => title),
    ),
  );
  const paths = wanted
    .flatMap((one) => ('file' in one ? topPaths(one.tests) : one))
    .filter(([top = '']) => filter === undefined || matching.has(top));
  const patterns = paths.map((names) =>
    names
      .flatMap((name) => name.split('/'))
      .map((name) => `^${escapePattern(name)}$`)
      .join('/'),
  );
  return patterns.length === 0 ? none : [...new Set(patterns)].join('|');
}

export const none = '^$';

const topPaths = (tests: readonly ScannedTest[]): readonly (readonly string[])[] =>
  tests.map(({ title }) => [title]);

/** Could it, or a test below it, have a title with the text? Names that only a run knows can be anything. */
function mayMatch(
  { title, kind, children }: ScannedTest,
  above: readonly string[],
  filter: string | undefined,
): boolean {
  const names = [...above, title];
  if (filter === undefined || kind === 'template' || matchesFilter(names, filter)) return true;
  return children.some((child) => mayMatch(child, names, filter));
}
