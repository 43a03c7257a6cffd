// What the compiler says of one test file, in the workspace's own configuration and with its own library files.
import { createRequire } from 'node:module';
import path from 'node:path';
import ts from 'typescript';
import { isInside } from '../../base/paths.ts';
import type { TestCompiler } from './testCompiler.ts';

export interface TypeCheck {
  readonly source: ts.SourceFile;
  readonly checker: ts.TypeChecker;
  /** Of this file only, in order. */
  readonly errors: readonly ts.DiagnosticWithLocation[];
}

/**
 * Undefined where the workspace has no TypeScript or no configuration: then nobody knows by which rules its tests are checked; and
 * where their types are not checked at all.
 * `root` is absolute, `file` relative to it. Takes as long as the compiler needs for the file and what it imports.
 */
export function checkTypes(root: string, file: string, compiler: TestCompiler): TypeCheck | undefined {
  const name = path.join(root, file);
  const known = compilerSettings(root, file, compiler);
  if (known === undefined) return undefined;
  const { settings, library, folder, others } = known;
  const host = ts.createCompilerHost(settings, true);
  host.getCurrentDirectory = () => folder;
  host.getDefaultLibLocation = () => library;
  host.getDefaultLibFileName = (given) => path.join(library, ts.getDefaultLibFileName(given));
  const program = ts.createProgram({ rootNames: [name, ...others], options: settings, host });
  const source = program.getSourceFile(name);
  if (source === undefined) return undefined;
  const errors = program
    .getSemanticDiagnostics(source)
    .filter((one): one is ts.DiagnosticWithLocation => one.file === source && one.start !== undefined)
    .filter(({ code }) => !(compiler.tsJest?.ignoredCodes.includes(code) ?? false))
    .toSorted((a, b) => a.start - b.start);
  return { source, checker: program.getTypeChecker(), errors };
}

interface CompilerSettings {
  readonly settings: ts.CompilerOptions;
  /** Absolute folder of the library files of the workspace's own compiler. */
  readonly library: string;
  /** Absolute folder of the configuration. */
  readonly folder: string;
  /** Absolute files that the runner's compiler reads as well, for what they declare. */
  readonly others: readonly string[];
}

/** By which rules the compiler of the workspace reads a file; undefined where nobody knows. */
function compilerSettings(root: string, file: string, compiler: TestCompiler): CompilerSettings | undefined {
  const library = libraryFolder(path.dirname(path.join(root, file)));
  const isHere = (candidate: string): boolean => isInside(root, candidate) && ts.sys.fileExists(candidate);
  const { options: own, tsJest } = compiler;
  const found = compiler.file ?? ts.findConfigFile(compiler.folder, isHere);
  if (library === undefined || (found === undefined && own === undefined)) return undefined;
  const { config: json, error } =
    found === undefined ? { config: {} } : ts.readConfigFile(found, (wanted) => ts.sys.readFile(wanted));
  if (error !== undefined) return undefined;
  const config = found ?? path.join(compiler.folder, 'tsconfig.json');
  const { options, fileNames } = ts.parseJsonConfigFileContent(
    { ...json, compilerOptions: { ...json.compilerOptions, ...own } },
    tsJest ? ts.sys : { ...ts.sys, readDirectory: () => [] },
    path.dirname(config),
    undefined,
    config,
  );
  if (tsJest?.heedsIsolated === true && options.isolatedModules === true) return undefined;
  const settings: ts.CompilerOptions = {
    ...(Number.parseInt(ts.version) > 5 && isBeforeSix(library) && defaultsBeforeSix),
    ...(tsJest && { target: ts.ScriptTarget.ES2015 }),
    ...options,
    ...(tsJest && !tsJest.isEsm && { module: ts.ModuleKind.CommonJS }),
    noEmit: true,
    incremental: false,
    composite: false,
  };
  const isRead = (name: string): boolean => /\.[cm]?tsx?$/.test(name) && !(tsJest?.isTest(name) ?? true);
  return { settings, library, folder: path.dirname(config), others: fileNames.filter(isRead) };
}

/** For a newer compiler: what an older one takes where the configuration says nothing. */
const defaultsBeforeSix: ts.CompilerOptions = {
  types: ['*'],
  strict: false,
  noUncheckedSideEffectImports: false,
};

function isBeforeSix(library: string): boolean {
  const version = /"version":\s*"(?<major>\d+)/.exec(
    ts.sys.readFile(path.join(library, '../package.json')) ?? '',
  );
  return Number(version?.groups?.['major'] ?? '6') < 6;
}

function libraryFolder(folder: string): string | undefined {
  try {
    return path.dirname(createRequire(path.join(folder, 'test.js')).resolve('typescript'));
  } catch {
    return undefined;
  }
}
