// Makes test files of a sandbox load the capture hooks, on a line they already have, and puts them back afterwards.
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isInside, realPathOr, toPosix } from '../base/paths.ts';

export interface InstrumentedFiles {
  /** Puts every file back byte for byte, with its old time, and removes the hooks. */
  restore(): Promise<void>;
  /** A recorded stack with columns as they are in the untouched files. */
  mapStack(stack: string): string;
}

interface Instrumented {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly atime: Date;
  readonly mtime: Date;
  /** The only line whose columns move, and by how much. */
  readonly line: number;
  readonly shift: number;
}

/** What the hooks do once vitest is there. */
const activation = `
import { chai as capturedChai, expect as capturedExpect } from 'vitest';
setExpect(capturedExpect);
hookChai(capturedChai, capturedExpect);
`;

/** Files that cannot be read are left alone. `hooks` is the text of captureHooks.mjs. */
export async function instrumentFiles(
  root: string,
  files: readonly string[],
  hooks: string,
): Promise<InstrumentedFiles> {
  const written = new Set<string>();
  const done: Instrumented[] = [];
  const restore = async (): Promise<void> => {
    for (const { file, bytes, atime, mtime } of done.splice(0)) {
      await writeFile(file, bytes);
      await utimes(file, atime, mtime);
    }
    for (const file of written) await rm(file, { force: true });
  };
  const name = `testmend-capture-${randomBytes(6).toString('hex')}.mjs`;
  try {
    for (const file of files) {
      const bytes = await readFile(file).catch(() => undefined);
      if (bytes === undefined) continue;
      const hooksFile = path.join(packageFolder(root, file), name);
      if (!written.has(hooksFile)) {
        written.add(hooksFile);
        await writeFile(hooksFile, hooks + activation);
      }
      const specifier = toPosix(path.relative(path.dirname(file), hooksFile));
      const text = `import ${JSON.stringify(specifier.startsWith('.') ? specifier : `./${specifier}`)}; `;
      const { atime, mtime } = await stat(file);
      const { offset, line } = insertionPoint(bytes);
      done.push({ file: realPathOr(file), bytes, atime, mtime, line, shift: text.length });
      await writeFile(
        file,
        Buffer.concat([bytes.subarray(0, offset), Buffer.from(text), bytes.subarray(offset)]),
      );
    }
  } catch (error) {
    await restore();
    throw error;
  }
  const shifts = done.map(({ file, line, shift }) => ({ file, line, shift }));
  return { restore, mapStack: (stack) => unshift(stack, shifts) };
}

/** Before the first token, so that no line moves: after a byte order mark, and on the second line after a shebang. */
function insertionPoint(bytes: Uint8Array): { offset: number; line: number } {
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  if (bytes[start] !== 0x23 || bytes[start + 1] !== 0x21) return { offset: start, line: 1 };
  const newline = bytes.indexOf(0x0a, start);
  return newline < 0 ? { offset: bytes.length, line: 1 } : { offset: newline + 1, line: 2 };
}

/** Nearest folder with a package.json: from there the test's own vitest is found. */
function packageFolder(root: string, file: string): string {
  for (let folder = path.dirname(file); isInside(root, folder); folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json'))) return folder;
  }
  return path.dirname(file);
}

function unshift(stack: string, files: readonly Pick<Instrumented, 'file' | 'line' | 'shift'>[]): string {
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
