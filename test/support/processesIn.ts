// Which processes work inside a folder, by their current directory; Linux only.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isInside } from '../../src/core/base/paths.ts';

/** Command lines of the processes whose current directory is one of the folders or below. */
export function processesIn(folders: readonly string[]): readonly string[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const cwd = readlinkSync(`/proc/${name}/cwd`);
      if (!folders.some((folder) => isInside(folder, cwd))) return [];
      return [readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()];
    } catch {
      return []; // it ended meanwhile, or belongs to somebody else
    }
  });
}
