// Finds the line at which a file could not be loaded: a syntax error, or the import that does not resolve.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Location } from '../model/position.ts';
import { frameFile } from './parseStack.ts';

/** `Cannot find module 'x' imported from y` (Node, vite 6+), `Cannot find module 'x' from 'y'` (jest), `Failed to resolve import "x" from "y"`, `Failed to load url x (…) in y`. */
const unresolved =
  /(?:Cannot find (?:module|package) ['"](?<a>[^'"\n]+)['"](?: (?:imported )?from ['"]?(?<aFrom>[^\n]+?)['"]?(?=$|\n|\.?\s*Did you mean))?|Failed to resolve import ["'](?<b>[^"'\n]+)["'] from ["'](?<bFrom>[^"'\n]+)["']|Failed to load url (?<c>\S+) \(resolved id: [^\n]*?\)(?: in (?<cFrom>[^\n]+?))?(?:\. Does the file exist|$|\n))/;

/** `file: message (line:column)` of babel, which counts columns from 0. */
const babelError =
  /^(?:SyntaxError: )?(?<file>[^\n]+?\.[cm]?[jt]sx?): [^\n]*? ?\((?<line>\d+):(?<column>\d+)\)(?=\n|$)/;

export function isLoadError(message: string): boolean {
  return (
    unresolved.test(message) || /^Transform failed with \d+ error/.test(message) || babelError.test(message)
  );
}

/** Absolute place of a load error that the message names; undefined when it names none. */
export function loadErrorLocation(
  message: string,
  { root, testFile }: { readonly root: string; readonly testFile?: string },
): Location | undefined {
  const folders = testFile === undefined ? [root] : [root, ...foldersBetween(root, path.dirname(testFile))];
  const existing = (file: string): string | undefined =>
    [...new Set(folders.map((folder) => path.resolve(folder, frameFile(file))))].find(isFile);

  const groups = unresolved.exec(message)?.groups;
  if (groups) {
    const specifier = groups['a'] ?? groups['b'] ?? groups['c'] ?? '';
    const from = groups['aFrom'] ?? groups['bFrom'] ?? groups['cFrom'];
    const importer = from === undefined ? testFile : existing(from);
    return importer === undefined ? undefined : importLocation(importer, specifier);
  }
  return syntaxErrorLocation(message, existing);
}

/** `file:line:col` of a parser; esbuild counts columns from 0, the others from 1. */
function syntaxErrorLocation(
  message: string,
  existing: (file: string) => string | undefined,
): Location | undefined {
  const babel = babelError.exec(message)?.groups;
  const compiled = babel && existing(babel['file'] ?? '');
  if (babel && compiled !== undefined)
    return { file: compiled, line: Number(babel['line']), column: Number(babel['column']) + 1 };
  for (const line of message.split('\n')) {
    const boxed = /[╭┌,]?[─-]*\[ ?(?<file>.+?):(?<line>\d+):(?<column>\d+) ?\]/.exec(line)?.groups;
    const esbuild = /^\s*(?<file>\S.*?):(?<line>\d+):(?<column>\d+): ERROR: /.exec(line)?.groups;
    const plain = /^\s*(?:File: )?(?<file>\S.*?):(?<line>\d+):(?<column>\d+)\b/.exec(line)?.groups;
    const found = boxed ?? esbuild ?? plain;
    const file = found?.['file'] === undefined ? undefined : existing(found['file']);
    if (found === undefined || file === undefined) continue;
    const column = Number(found['column']) + (esbuild && !boxed ? 1 : 0);
    return { file, line: Number(found['line']), column: Math.max(column, 1) };
  }
  return undefined;
}

/** The first place of the file that names the specifier in quotes, or the specifier that was resolved to this path. */
function importLocation(file: string, specifier: string): Location | undefined {
  let lines: string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch {
    return undefined;
  }
  const resolved = path.isAbsolute(specifier) ? specifier : undefined;
  for (const [index, line] of lines.entries()) {
    for (const quoted of line.matchAll(/(['"`])((?:(?!\1).)+)\1/g)) {
      const text = quoted[2] ?? '';
      const same =
        text === specifier || (text.startsWith('.') && path.resolve(path.dirname(file), text) === resolved);
      if (same) return { file, line: index + 1, column: quoted.index + 1 };
    }
  }
  return { file, line: 1, column: 1 };
}

/** The folders from `folder` up to the root: a framework may be started in any of them. */
function foldersBetween(root: string, folder: string): readonly string[] {
  const result: string[] = [];
  for (let at = folder; at.length > root.length; at = path.dirname(at)) result.push(at);
  return result;
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
