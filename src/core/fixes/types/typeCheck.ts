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
 * Undefined where the workspace has no TypeScript or no configuration: then nobody knows by which rules its tests are checked.
 * `root` is absolute, `file` relative to it. Takes as long as the compiler needs for the file and what it imports.
 */
export function checkTypes(root: string, file: string, compiler?: TestCompiler): TypeCheck | undefined {
  const name = path.join(root, file);
  const known = compilerSettings(root, file, compiler);
  if (known === undefined) return undefined;
  const { settings, library, folder } = known;
  const host = ts.createCompilerHost(settings, true);
  host.getCurrentDirectory = () => folder;
  host.getDefaultLibLocation = () => library;
  host.getDefaultLibFileName = (given) => path.join(library, ts.getDefaultLibFileName(given));
  const program = ts.createProgram({ rootNames: [name], options: settings, host });
  const source = program.getSourceFile(name);
  if (source === undefined) return undefined;
  const errors = program
    .getSemanticDiagnostics(source)
    .filter((one): one is ts.DiagnosticWithLocation => one.file === source && one.start !== undefined)
    .toSorted((a, b) => a.start - b.start);
  return { source, checker: program.getTypeChecker(), errors };
}

interface CompilerSettings {
  readonly settings: ts.CompilerOptions;
  /** Absolute folder of the library files of the workspace's own compiler. */
  readonly library: string;
  /** Absolute folder of the configuration. */
  readonly folder: string;
}

/** By which rules the compiler of the workspace reads a file; undefined where nobody knows. */
function compilerSettings(
  root: string,
  file: string,
  compiler: TestCompiler = { folder: path.dirname(path.join(root, file)) },
): CompilerSettings | undefined {
  const library = libraryFolder(path.dirname(path.join(root, file)));
  const isHere = (candidate: string): boolean => isInside(root, candidate) && ts.sys.fileExists(candidate);
  const config = compiler.options
    ? path.join(compiler.folder, 'tsconfig.json')
    : (compiler.file ?? ts.findConfigFile(compiler.folder, isHere));
  if (config === undefined || library === undefined) return undefined;
  const { config: json, error } = compiler.options
    ? { config: { compilerOptions: compiler.options } }
    : ts.readConfigFile(config, (wanted) => ts.sys.readFile(wanted));
  if (error !== undefined) return undefined;
  const { options } = ts.parseJsonConfigFileContent(
    json,
    { ...ts.sys, readDirectory: () => [] },
    path.dirname(config),
    undefined,
    config,
  );
  const settings: ts.CompilerOptions = {
    ...(Number.parseInt(ts.version) > 5 && isBeforeSix(library) && defaultsBeforeSix),
    ...options,
    noEmit: true,
    incremental: false,
    composite: false,
  };
  return { settings, library, folder: path.dirname(config) };
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
