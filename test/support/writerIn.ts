// Writes whole files below a folder and takes that back, as a sandbox does, for tests that need no sandbox.
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Sandbox } from '../../src/core/sandbox/sandbox.ts';

export function writerIn(root: string): Sandbox['write'] {
  return async (contents) => {
    const undos: (() => Promise<void>)[] = [];
    for (const [name, content] of contents) {
      const file = path.join(root, name);
      const before = await readFile(file).catch(() => undefined);
      const stats = before && (await stat(file));
      undos.unshift(async () => {
        if (before === undefined || stats === undefined) return rm(file, { force: true });
        await writeFile(file, before);
        await utimes(file, stats.atime, stats.mtime);
      });
      await mkdir(path.dirname(file), { recursive: true });
      if (content === undefined) await rm(file, { force: true });
      else await writeFile(file, content);
    }
    return {
      files: [...contents.keys()],
      undo: async () => {
        for (const undo of undos) await undo();
      },
    };
  };
}
