// The words by which a test file loads a file of ours before anything else, on a line that it already has.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isInside, toPosix } from '../base/paths.ts';

interface LoadLine {
  /** In the bytes of the file. */
  readonly offset: number;
  /** The only line whose columns move: by the length of the text. */
  readonly line: number;
  readonly text: string;
}

/** `loaded`: absolute path of what is to be loaded; an `.mjs` is always imported. */
export async function loadLine(
  root: string,
  file: string,
  bytes: Uint8Array,
  loaded: string,
): Promise<LoadLine> {
  const specifier = toPosix(path.relative(path.dirname(file), loaded));
  const quoted = JSON.stringify(specifier.startsWith('.') ? specifier : `./${specifier}`);
  const { offset, line } = insertionPoint(bytes);
  const imports = loaded.endsWith('.mjs') || (await takesImports(file, bytes, packageFolder(root, file)));
  const text = imports ? `import ${quoted}; ` : `${strictMark(bytes, offset)}require(${quoted}); `;
  return { offset, line, text };
}

/**
 * Before the first token, so that no line moves and comments that must come first do: those that choose an environment, a
 * shebang, a byte order mark.
 */
function insertionPoint(bytes: Uint8Array): { offset: number; line: number } {
  const text = Buffer.from(bytes).toString('latin1');
  const [before = ''] =
    /^(?:\xef\xbb\xbf)?(?:#![^\n]*\n)?(?:\s+|\/\/[^\n]*\n|\/\*[^]*?\*\/)*/.exec(text) ?? [];
  return { offset: before.length, line: before.split('\n').length };
}

/** A directive counts only where no statement stands before it: one more keeps the file in strict mode. */
function strictMark(bytes: Uint8Array, offset: number): string {
  const start = Buffer.from(bytes.subarray(offset, offset + 12)).toString('latin1');
  return /^(['"])use strict\1/.test(start) ? `'use strict'; ` : '';
}

/** ES modules, by what Node or a compiler takes for one, and TypeScript take an import; CommonJS takes require(). */
async function takesImports(file: string, bytes: Uint8Array, folder: string): Promise<boolean> {
  if (/\.c[jt]s$/.test(file)) return false;
  if (/\.(?:m[jt]s|tsx?)$/.test(file)) return true;
  if (/^\s*(?:(?:im|ex)port\s*['"{*]|(?:im|ex)port\s+[\w$])/m.test(Buffer.from(bytes).toString('latin1')))
    return true;
  const packageJson = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '');
  return /"type"\s*:\s*"module"/.test(packageJson);
}

/** Nearest folder with a package.json: from there the test's own framework is found. */
export function packageFolder(root: string, file: string): string {
  for (let folder = path.dirname(file); isInside(root, folder); folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder;
  }
  return path.dirname(file);
}
