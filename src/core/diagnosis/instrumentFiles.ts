// Makes test files of a sandbox load the capture hooks, on a line they already have, and puts them back afterwards.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isInside, realPathOr, toPosix, toRelativePosix } from '../base/paths.ts';
import type { HookedCapture } from '../frameworks/framework.ts';
import type { FileContents, Undo } from '../sandbox/sandbox.ts';

export interface InstrumentedFiles {
  /** Puts every file back byte for byte, with its old time, and removes the hooks. */
  restore(): Promise<void>;
  /** A recorded stack with columns as they are in the untouched files. */
  mapStack(stack: string): string;
}

/** Writes whole files, relative to the root, all or none. */
export type WriteFiles = (contents: FileContents) => Promise<Undo>;

interface Instrumented {
  readonly file: string;
  /** The only line whose columns move, and by how much. */
  readonly line: number;
  readonly shift: number;
}

/** Texts of the files of ours that run inside the tests. */
export interface HooksText {
  /** captureHooks.cjs */
  readonly recorder: string;
  /** serializeValue.cjs */
  readonly serializer: string;
  /** assertionSides.cjs */
  readonly sides: string;
}

/** Files that cannot be read are left alone. */
export async function instrumentFiles(
  root: string,
  files: readonly string[],
  hooks: HooksText,
  way: HookedCapture,
  write: WriteFiles,
): Promise<InstrumentedFiles> {
  const contents = new Map<string, string | Uint8Array>();
  const done: Instrumented[] = [];
  const name = `testmend-capture-${randomBytes(6).toString('hex')}.${way.module === 'esm' ? 'mjs' : 'cjs'}`;
  for (const file of files) {
    const bytes = await readFile(file).catch(() => undefined);
    if (bytes === undefined) continue;
    const folder = packageFolder(root, file);
    const hooksFile = path.join(folder, name);
    contents.set(toRelativePosix(root, hooksFile), hooksModule(hooks, way));
    const specifier = toPosix(path.relative(path.dirname(file), hooksFile));
    const quoted = JSON.stringify(specifier.startsWith('.') ? specifier : `./${specifier}`);
    const { offset, line } = insertionPoint(bytes);
    const imports = way.module === 'esm' || (await takesImports(file, bytes, folder));
    const text = imports ? `import ${quoted}; ` : `${strictMark(bytes, offset)}require(${quoted}); `;
    done.push({ file: realPathOr(file), line, shift: text.length });
    contents.set(
      toRelativePosix(root, file),
      Buffer.concat([bytes.subarray(0, offset), Buffer.from(text), bytes.subarray(offset)]),
    );
  }
  const undo = await write(contents);
  return { restore: () => undo.undo(), mapStack: (stack) => unshift(stack, done) };
}

/** The text of a module that makes the hooks and then runs the activation. */
export function hooksModule(hooks: HooksText, { activation, module }: HookedCapture): string {
  const part = (text: string): string => `((module) => {\n${text}\nreturn module.exports;\n})({})`;
  const create = (require: string): string =>
    `const hooks = ${part(hooks.recorder)}(${require}, ${part(hooks.serializer)}, ${part(hooks.sides)});\n${activation}`;
  if (module !== 'esm') return create('require');
  // In a browser there is nothing to import, and nowhere to write to.
  const load = `const builtin = globalThis.process?.env?.TESTMEND_CAPTURE
  ? (globalThis.process.getBuiltinModule?.('node:module') ?? (await import('node:module').catch(() => undefined)))
  : undefined;`;
  return `${load}\n${create('builtin?.createRequire(import.meta.url)')}`;
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
function packageFolder(root: string, file: string): string {
  for (let folder = path.dirname(file); isInside(root, folder); folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder;
  }
  return path.dirname(file);
}

function unshift(stack: string, files: readonly Instrumented[]): string {
  return files.reduce((text, { file, line, shift }) => {
    const place = `${file}:${line}:`;
    return text
      .split('\n')
      .map((frame) => {
        const at = frame.indexOf(place);
        if (at < 0) return frame;
        const rest = frame.slice(at + place.length);
        const column = Number.parseInt(rest, 10);
        return (
          frame.slice(0, at + place.length) + String(Math.max(1, column - shift)) + rest.replace(/^\d+/, '')
        );
      })
      .join('\n');
  }, stack);
}
