// Makes test files of a sandbox load the capture hooks, on a line they already have, and puts them back afterwards.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { realPathOr, toRelativePosix } from '../base/paths.ts';
import type { HookedCapture } from '../frameworks/framework.ts';
import type { FileContents, Undo } from '../sandbox/sandbox.ts';
import { loadLine, packageFolder } from './loadLine.ts';

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
    const hooksFile = path.join(packageFolder(root, file), name);
    contents.set(toRelativePosix(root, hooksFile), hooksModule(hooks, way));
    const { offset, line, text } = await loadLine(root, file, bytes, hooksFile);
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
