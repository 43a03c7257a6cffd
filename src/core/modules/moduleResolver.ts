// Which file a module specifier stands for: TypeScript's own resolution, vite aliases, workspace packages.
import { isBuiltin } from 'node:module';
import path from 'node:path';
import type ts from 'typescript';
import { isInside } from '../base/paths.ts';
import type { FileView } from './fileView.ts';
import { jestConfigNames, readJestModules, type JestModules } from './jestAliases.ts';
import {
  packageEntries,
  packagePatterns,
  pathPattern,
  patternsOfAlias,
  resolvePattern,
  type PathPattern,
} from './pathPatterns.ts';
import { applyAlias, readViteAliases, viteConfigNames, type PathAlias } from './viteAliases.ts';

/** file: a file of the workspace · external: an installed package or a module of Node · missing: nothing there. */
type Resolution =
  | {
      readonly kind: 'file';
      readonly file: string;
      /** What runs, when `file` is only the source that it was built from; absolute. */
      readonly built?: string;
    }
  | { readonly kind: 'external' }
  | {
      readonly kind: 'missing';
      /** What would be there after a build, and its source; absolute. */
      readonly unbuilt?: { readonly built: string; readonly source: string };
    };

export interface ModuleResolver {
  /** `from` is the absolute file that holds the specifier. */
  readonly resolve: (specifier: string, from: string) => Resolution;
  /** Other files of the workspace that it stands for under other conditions, other resolvers, or other entries of a package. */
  readonly alternatives: (specifier: string, from: string) => readonly string[];
  /** The source behind a built or declaration file of the workspace (both absolute), or the file itself. */
  readonly sourceOf: (file: string) => string;
  /** The tsconfig paths, `imports` and `exports` of package.json, vite aliases and mappers of jest in force for a file. */
  patterns(from: string): readonly PathPattern[];
  /** Those of them that name all of a folder, and the folders in which bare names are looked up. */
  prefixes(from: string): readonly { readonly prefix: string; readonly folder: string }[];
}

/** Resolution inside `root` (absolute), remembered per folder; nothing of the user's code is run. */
export function createModuleResolver(typescript: typeof ts, root: string, view: FileView): ModuleResolver {
  const remembered = new Map<string, Resolution>();
  const settings = createSettings(typescript, root, view);
  const host: ts.ModuleResolutionHost = {
    fileExists: view.isFile,
    readFile: view.read,
    realpath: view.realPath,
    getCurrentDirectory: () => root,
    useCaseSensitiveFileNames: true,
  };
  const resolve = (specifier: string, from: string): Resolution => {
    const written = specifier.replace(/[?#](?:raw|url|inline|worker|sharedworker|t=|v=|init|\d).*$/, '');
    if (written === '' || /^(?:[a-z][a-z+.-]+:|\/\/)/i.test(written) || isBuiltin(written))
      return { kind: 'external' };
    const folder = path.dirname(from);
    const { options, cache } = settings.compilerOptions(folder);
    const byTypescript = (name: string): string | undefined =>
      typescript.resolveModuleName(name, from, options, host, cache).resolvedModule?.resolvedFileName;
    const aliased = applyAlias(settings.aliases(folder), written);
    const mapped = settings.jest(folder).patterns.flatMap((one) => resolvePattern(one, written) ?? []);
    const wanted = aliased ?? mapped[0] ?? written;
    const inFolders =
      written.startsWith('.') || path.isAbsolute(written) ? [] : settings.jest(folder).folders;
    const found =
      firstOf(aliased === undefined ? mapped : [aliased, ...mapped], byTypescript) ??
      byTypescript(written) ??
      firstOf(
        inFolders.map((one) => path.join(one, written)),
        byTypescript,
      ) ??
      exactFile(wanted, folder) ??
      unbuiltPackage(written, folder);
    if (found === undefined)
      return packageFolder(written, folder) === undefined ? missing(wanted, folder) : { kind: 'external' };
    const real = view.realPath(found);
    if (real.includes('/node_modules/')) return { kind: 'external' };
    const source = sourceOf(real);
    const isBuilt = source !== real && !/\.d\.[mc]?ts$/.test(real);
    return { kind: 'file', file: source, ...(isBuilt && { built: real }) };
  };
  const missing = (written: string, folder: string): Resolution => {
    const built = path.resolve(folder, written);
    const source = written.startsWith('.') && isInside(root, built) ? sourceOf(built) : built;
    return { kind: 'missing', ...(source !== built && { unbuilt: { built, source } }) };
  };
  /** Files that TypeScript does not know (`.vue`, `.css`), and vite's paths from the root. */
  const exactFile = (written: string, folder: string): string | undefined =>
    (written.startsWith('.') ? [path.resolve(folder, written)] : [written, path.join(root, written)]).find(
      (file) => path.isAbsolute(file) && isInside(root, file) && view.isFile(file),
    );
  const packageFolder = (written: string, folder: string): string | undefined => {
    const name = packageNameOf(written);
    if (name === undefined) return undefined;
    for (let at = folder; ; at = path.dirname(at)) {
      const place = path.join(at, 'node_modules', name);
      if (view.isFile(path.join(place, 'package.json'))) return view.realPath(place);
      if (at === path.dirname(at)) return undefined;
    }
  };
  /** A workspace package whose built files do not exist yet: its sources under `src` stand for them. */
  const unbuiltPackage = (written: string, folder: string): string | undefined => {
    const place = packageFolder(written, folder);
    if (place === undefined || place.includes('/node_modules/')) return undefined;
    const inner = written.slice((packageNameOf(written) ?? '').length + 1) || 'index';
    return [path.join(place, 'src', inner), path.join(place, inner)]
      .flatMap((base) => sourceExtensions.map((extension) => base + extension))
      .find(view.isFile);
  };
  /** The source behind a declaration file or a built file of the workspace, when it is there. */
  const sourceOf = (file: string): string => {
    const stem = file.replace(/\.d\.([mc]?)ts$/, '.$1js').replace(/\.[mc]?jsx?$/, '');
    const built = /^(.*\/)(?:dist|build|lib|out|esm|cjs)(?:[-_.]\w+)*\/(?:(?:esm|cjs|src)\/)?(.*)$/.exec(
      stem,
    );
    const candidates = [
      ...(built ? sourceExtensions.map((extension) => `${built[1]}src/${built[2]}${extension}`) : []),
      ...(/\.d\.[mc]?ts$/.test(file) ? ['.js', '.mjs', '.cjs', '.jsx'].map((e) => stem + e) : []),
    ];
    return candidates.find(view.isFile) ?? file;
  };
  const alternatives = (written: string, from: string): readonly string[] => {
    if (written.startsWith('.') || written.startsWith('/') || isBuiltin(written)) return [];
    const folder = path.dirname(from);
    const { options, cache } = settings.compilerOptions(folder);
    const name = packageNameOf(written);
    const place = name === undefined ? undefined : packageFolder(written, folder);
    const own =
      place === undefined || place.includes('/node_modules/')
        ? []
        : settings.ofPackage(path.join(place, 'package.json'));
    const targets = [...settings.patterns(folder), ...own].flatMap(
      (one) => resolvePattern(one, written) ?? [],
    );
    const files = targets.flatMap((target) => {
      const found =
        (view.isFile(target) ? target : undefined) ??
        typescript.resolveModuleName(target, from, options, host, cache).resolvedModule?.resolvedFileName;
      const source = sourceOf(found ?? target);
      return view.isFile(source) ? [view.realPath(source)] : [];
    });
    return [...new Set(files)].filter(
      (file) => isInside(root, file) && !/\/node_modules\/|\.d\.[mc]?ts$/.test(file),
    );
  };
  const otherFiles = new Map<string, readonly string[]>();
  return {
    alternatives(specifier, from) {
      const key = `${path.dirname(from)}\0${specifier}`;
      let known = otherFiles.get(key);
      if (known === undefined) otherFiles.set(key, (known = alternatives(specifier, from)));
      return known;
    },
    resolve(specifier, from) {
      const key = `${path.dirname(from)}\0${specifier}`;
      const known = remembered.get(key);
      if (known) return known;
      const resolution = resolve(specifier, from);
      remembered.set(key, resolution);
      return resolution;
    },
    sourceOf,
    patterns: (from) => settings.patterns(path.dirname(from)),
    prefixes(from) {
      const folder = path.dirname(from);
      const named = settings.patterns(folder).filter(({ hasStar, suffix }) => hasStar && suffix === '');
      return [
        ...named.map(({ prefix, target }) => ({ prefix, folder: target.replace(/(?<=.)\/$/, '') })),
        ...settings.bareFolders(folder).map((one) => ({ prefix: '', folder: one })),
      ];
    },
  };
}

function firstOf<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

const sourceExtensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

function packageNameOf(specifier: string): string | undefined {
  if (/^[./#~]/.test(specifier) || path.isAbsolute(specifier)) return undefined;
  const [scope, name] = specifier.split('/');
  return scope?.startsWith('@') ? (name ? `${scope}/${name}` : undefined) : scope;
}

interface FolderSettings {
  compilerOptions(folder: string): { options: ts.CompilerOptions; cache: ts.ModuleResolutionCache };
  aliases(folder: string): readonly PathAlias[];
  jest(folder: string): JestModules;
  patterns(folder: string): readonly PathPattern[];
  /** What a package.json says to others, by its absolute path. */
  ofPackage(file: string): readonly PathPattern[];
  /** Where names are looked up that are of no pattern. */
  bareFolders(folder: string): readonly string[];
}

/** What the configuration files nearest to a folder say. */
function createSettings(typescript: typeof ts, root: string, view: FileView): FolderSettings {
  const configs = new Map<string, { options: ts.CompilerOptions; cache: ts.ModuleResolutionCache }>();
  const aliases = new Map<string, readonly PathAlias[]>();
  const jest = new Map<string, JestModules>();
  const jestOf = new Map<string, JestModules>();
  const patternsOf = new Map<string, readonly PathPattern[]>();
  const patternsOfPackage = new Map<string, readonly PathPattern[]>();
  const nearest = (folder: string, names: readonly string[]): string | undefined => {
    for (let at = folder; isInside(root, at); at = path.dirname(at)) {
      const name = names.find((candidate) => view.isFile(path.join(at, candidate)));
      if (name !== undefined) return path.join(at, name);
    }
    return undefined;
  };
  const compilerOptions: FolderSettings['compilerOptions'] = (folder) => {
    const file = nearest(folder, ['tsconfig.json', 'jsconfig.json']) ?? '';
    let known = configs.get(file);
    if (!known) {
      const options: ts.CompilerOptions = {
        ...(file === '' ? {} : readOptions(typescript, file, view)),
        module: typescript.ModuleKind.ESNext,
        moduleResolution: typescript.ModuleResolutionKind.Bundler,
        allowJs: true,
        resolveJsonModule: true,
        allowImportingTsExtensions: true,
        jsx: typescript.JsxEmit.Preserve,
        // What runs, not what describes it: a package whose types are kept apart (`typings/`) leads to its code.
        noDtsResolution: true,
      };
      known = { options, cache: typescript.createModuleResolutionCache(root, (name) => name, options) };
      configs.set(file, known);
    }
    return known;
  };
  const aliasesFor: FolderSettings['aliases'] = (folder) => {
    const files = viteConfigNames.map((name) => nearest(folder, [name])).filter((file) => file !== undefined);
    const key = files.join('\0');
    let known = aliases.get(key);
    if (!known) {
      known = files.flatMap((file) => readViteAliases(typescript, file, view.read(file) ?? ''));
      aliases.set(key, known);
    }
    return known;
  };
  const jestModules: FolderSettings['jest'] = (folder) => {
    const ofFolder = jestOf.get(folder);
    if (ofFolder !== undefined) return ofFolder;
    const file = nearest(folder, jestConfigNames) ?? nearest(folder, ['package.json']) ?? '';
    const known = jest.get(file) ?? readJestModules(typescript, file, view.read(file) ?? '');
    jest.set(file, known);
    jestOf.set(folder, known);
    return known;
  };
  const ofPackage: FolderSettings['ofPackage'] = (file) => {
    const found = patternsOfPackage.get(file) ?? packageEntries(file, view.read(file) ?? '');
    patternsOfPackage.set(file, found);
    return found;
  };
  return {
    ofPackage,
    compilerOptions,
    aliases: aliasesFor,
    jest: jestModules,
    bareFolders(folder) {
      const { baseUrl } = compilerOptions(folder).options;
      return [...jestModules(folder).folders, ...(baseUrl === undefined ? [] : [baseUrl])];
    },
    patterns(folder) {
      const remembered = patternsOf.get(folder);
      if (remembered !== undefined) return remembered;
      const { options } = compilerOptions(folder);
      const pathsBase: unknown = options['pathsBasePath'];
      const base = options.baseUrl ?? (typeof pathsBase === 'string' ? pathsBase : root);
      const fromPaths = Object.entries(options.paths ?? {}).flatMap(([pattern, targets]) =>
        targets.map((target) => pathPattern(pattern, target, base, 'typescript')),
      );
      const packageFile = nearest(folder, ['package.json']);
      const all = [
        ...fromPaths,
        ...aliasesFor(folder).flatMap(patternsOfAlias),
        ...jestModules(folder).patterns,
        ...(packageFile ? packagePatterns(packageFile, view.read(packageFile) ?? '') : []),
      ];
      patternsOf.set(folder, all);
      return all;
    },
  };
}

/** Options of a tsconfig with what it extends; of a solution-style one also the paths of what it references. */
function readOptions(typescript: typeof ts, file: string, view: FileView): ts.CompilerOptions {
  const host: ts.ParseConfigHost = {
    fileExists: view.isFile,
    readFile: view.read,
    readDirectory: () => [],
    useCaseSensitiveFileNames: true,
  };
  const read = (config: string): ts.ParsedCommandLine =>
    typescript.parseJsonConfigFileContent(
      typescript.readConfigFile(config, view.read).config ?? {},
      host,
      path.dirname(config),
      undefined,
      config,
    );
  const parsed = read(file);
  if (parsed.options.paths !== undefined) return parsed.options;
  for (const reference of parsed.projectReferences ?? []) {
    const config = reference.path.endsWith('.json')
      ? reference.path
      : path.join(reference.path, 'tsconfig.json');
    const { options } = read(config);
    if (options.paths !== undefined) return options;
  }
  // Tests may have a configuration of their own beside that of the sources.
  const beside = testConfigNames.map((name) => path.join(path.dirname(file), name)).find(view.isFile);
  const { paths, baseUrl, pathsBasePath } = beside === undefined ? {} : read(beside).options;
  if (paths === undefined) return parsed.options;
  return { ...parsed.options, paths, pathsBasePath, ...(baseUrl !== undefined && { baseUrl }) };
}

const testConfigNames = ['test', 'tests', 'spec', 'vitest', 'jest'].map((name) => `tsconfig.${name}.json`);
