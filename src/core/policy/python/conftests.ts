// The conftest.py files whose fixtures the tests of a file may use.
import path from 'node:path';
import type { ReadSource } from '../repointedImports.ts';

/** Texts of those in the folder of the file and above it, up to the root. */
export function conftestsAround(file: string, readSource?: ReadSource): readonly string[] {
  const texts: string[] = [];
  for (let folder = path.posix.dirname(file); ; folder = path.posix.dirname(folder)) {
    const text = readSource?.(path.posix.join(folder, 'conftest.py'));
    if (text !== undefined) texts.push(text);
    if (folder === '.' || folder === '/') return texts;
  }
}
