// Which processes work inside a folder, by their current directory, and which belong to another; Linux only.
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

/** The processes that this one started and that live, with their command lines. */
export function childrenOf(parent: number): readonly { readonly pid: number; readonly command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(ppid) !== parent || state === 'Z') return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid: Number(name), command }];
    } catch {
      return [];
    }
  });
}
