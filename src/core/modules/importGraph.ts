// Which files import which, so that a change can be followed to the tests it reaches.
import path from 'node:path';
import type ts from 'typescript';
import { hashText } from '../base/hash.ts';
import { throwIfCancelled } from '../base/humanError.ts';
import { isInside, toRelativePosix } from '../base/paths.ts';
import { diskView, type FileView } from './fileView.ts';
import { goLanguage, isGo, isPackage, packageFiles } from './goLinks.ts';
import { scanSpecifiers, type ScannedSpecifiers } from './importScan.ts';
import { createModuleResolver, type ModuleResolver } from './moduleResolver.ts';
import { isPython, pythonLanguage } from './pythonLinks.ts';

/** What a build wrote and runs in the place of its source; both relative to the root, POSIX separators. */
export interface BuiltFile {
  readonly built: string;
  readonly source: string;
  /** It was not built yet. */
  readonly isMissing: boolean;
}

/** All files are relative to the root, POSIX separators; a snapshot of the disk at first look at each file. */
export interface ImportGraph {
  /** Files of the workspace that the file imports, re-exports, requires, mocks or names by a literal path. */
  importsOf(file: string): Promise<readonly string[]>;
  /** The file and everything it imports, directly or not. */
  reaches(from: string): Promise<ReadonlySet<string>>;
  /** What the file runs of built code, directly or not: the graph itself goes on with the sources behind it. */
  builtFiles(from: string): Promise<readonly BuiltFile[]>;
  /** The test files that reach one of the changed files (or are one), in the order given. */
  testsReaching(changed: Iterable<string>, testFiles: readonly string[]): Promise<readonly string[]>;
  /**
   * INTERFACES' "modules reached only from tests": helpers that test files import and no other of the `files` (all scripts of
   * the workspace) does. They must also lie in a place for tests: a library's entry point is imported by nothing but its tests too.
   */
  onlyFromTests(
    files: readonly string[],
    isTestFile: (file: string) => boolean,
  ): Promise<ReadonlySet<string>>;
}

interface ImportGraphOptions {
  /** Absolute real path. */
  readonly root: string;
  /** Looked at instead of the disk. */
  readonly view?: FileView;
  readonly signal?: AbortSignal;
  /** Specifiers by content hash; hand in the same map to keep them from one graph to the next. */
  readonly cache?: Map<string, ScannedSpecifiers>;
}

/** A graph that reads and resolves each file at most once, when first asked for; TypeScript is loaded then. */
export function createImportGraph(options: ImportGraphOptions): ImportGraph {
  const { root, signal, cache = new Map<string, ScannedSpecifiers>(), view = diskView() } = options;
  const imports = new Map<string, readonly string[]>();
  const built = new Map<string, BuiltFile[]>();
  const closures = new Map<string, ReadonlySet<string>>();
  const python = pythonLanguage(root, view);
  const go = goLanguage(root, view);
  let resolver: Promise<ModuleResolver> | undefined;
  const loadResolver = (): Promise<ModuleResolver> =>
    (resolver ??= loadTypescript().then((typescript) => createModuleResolver(typescript, root, view)));

  const scan = (file: string): ScannedSpecifiers => {
    const text = isScript(file) ? view.read(path.join(root, file)) : undefined;
    if (text === undefined) return { modules: [], paths: [], open: [] };
    const key = hashText(text);
    const known = cache.get(key) ?? scanSpecifiers(text);
    cache.set(key, known);
    return known;
  };
  const noteBuilt = (from: string, file: string, source: string, isMissing = false): void => {
    const [builtFile, sourceFile] = [toRelativePosix(root, file), toRelativePosix(root, source)];
    const known = built.get(from) ?? [];
    built.set(from, [...known, { built: builtFile, source: sourceFile, isMissing }]);
  };
  const readImports = (
    file: string,
    { resolve, alternatives, sourceOf }: ModuleResolver,
  ): readonly string[] => {
    const known = imports.get(file);
    if (known) return known;
    throwIfCancelled(signal);
    const from = path.join(root, file);
    const found = new Set<string>();
    if (isPython(file)) {
      const text = view.read(from);
      const needs = text === undefined ? [] : python.link(file, python.scan(text, file)).needs;
      imports.set(file, needs);
      return needs;
    }
    if (isGo(file)) {
      const text = view.read(from);
      // Packages are folders: their files stand for them.
      const needs = (text === undefined ? [] : go.link(file, go.scan(text, file)).needs).flatMap((need) =>
        isPackage(need) ? packageFiles(view, root, need) : [need],
      );
      const others = [...new Set(needs)].filter((need) => need !== file);
      imports.set(file, others);
      return others;
    }
    const own = sourceOf(from);
    if (own !== from) {
      found.add(toRelativePosix(root, own));
      noteBuilt(file, from, own);
    }
    const { modules, paths } = scan(file);
    for (const specifier of modules) {
      const resolution = resolve(specifier, from);
      for (const other of alternatives(specifier, from)) found.add(toRelativePosix(root, other));
      if (resolution.kind === 'file') {
        found.add(toRelativePosix(root, resolution.file));
        if (resolution.built !== undefined) noteBuilt(file, resolution.built, resolution.file);
      } else if (resolution.kind === 'missing' && resolution.unbuilt !== undefined)
        noteBuilt(file, resolution.unbuilt.built, resolution.unbuilt.source, true);
    }
    for (const written of paths) {
      for (const target of [path.resolve(path.dirname(from), written), path.join(root, written)]) {
        if (!isInside(root, target) || !view.isFile(target)) continue;
        found.add(toRelativePosix(root, target));
        const source = sourceOf(target);
        if (source === target) continue;
        found.add(toRelativePosix(root, source));
        noteBuilt(file, target, source);
      }
    }
    found.delete(file);
    const result = [...found];
    imports.set(file, result);
    return result;
  };
  const reaches = async (from: string): Promise<ReadonlySet<string>> => {
    const known = closures.get(from);
    if (known) return known;
    const loaded = await loadResolver();
    const seen = new Set([from]);
    for (const file of seen) for (const next of readImports(file, loaded)) seen.add(next);
    closures.set(from, seen);
    return seen;
  };
  return {
    importsOf: async (file) => readImports(file, await loadResolver()),
    reaches,
    builtFiles: async (from) => [...(await reaches(from))].flatMap((file) => built.get(file) ?? []),
    async testsReaching(changed, testFiles) {
      const loaded = await loadResolver();
      // Walk once from all tests, then back from the changed files: linear in files and imports.
      const all = new Set(testFiles);
      const importers = new Map<string, string[]>();
      for (const file of all) {
        for (const next of readImports(file, loaded)) {
          all.add(next);
          const known = importers.get(next);
          if (known) known.push(file);
          else importers.set(next, [file]);
        }
      }
      const reached = new Set(changed);
      for (const file of reached) for (const importer of importers.get(file) ?? []) reached.add(importer);
      return testFiles.filter((file) => reached.has(file));
    },
    async onlyFromTests(files, isTestFile) {
      const loaded = await loadResolver();
      const tests = new Set(files.filter(isTestFile));
      const below = new Set<string>();
      for (const file of tests) for (const next of readImports(file, loaded)) below.add(next);
      for (const file of below) for (const next of readImports(file, loaded)) below.add(next);
      const helpers = new Set([...below].filter((file) => !tests.has(file) && isPlaceForTests(file)));
      // Whatever is neither a test nor such a helper takes away what it reaches.
      const outside = new Set(files.filter((file) => !tests.has(file) && !helpers.has(file)));
      for (const file of outside) for (const next of readImports(file, loaded)) outside.add(next);
      return new Set([...helpers].filter((file) => !outside.has(file)));
    },
  };
}

/** TypeScript costs about 150 ms: only the first question loads it. */
export async function loadTypescript(): Promise<typeof ts> {
  const loaded = await import('typescript');
  return loaded.default;
}

/** A folder that people keep for tests, or a file named as their helper. */
function isPlaceForTests(file: string): boolean {
  const segments = file.toLowerCase().split('/');
  const name = segments.pop() ?? '';
  return (
    segments[0] !== '..' &&
    (segments.some((segment) => testFolders.has(segment)) || testHelperName.test(name))
  );
}

const testFolders: ReadonlySet<string> = new Set([
  'test',
  'tests',
  '__tests__',
  'spec',
  'specs',
  '__mocks__',
  '__fixtures__',
  'fixtures',
  'testdata',
  'e2e',
  'testing',
  'test-utils',
  'test-helpers',
  'testutils',
  'testhelpers',
]);
const testHelperName =
  /^(?:tests?[-_.]?(?:utils?|helpers?|setup)|(?:vitest|jest)[-_.]setup|setup[-_.]?tests?)\.[mc]?[jt]sx?$/;

const isScript = (file: string): boolean => /\.(?:[mc]?[jt]sx?|vue|svelte|astro)$/.test(file);
