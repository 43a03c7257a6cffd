// Which processes work inside a folder, by their current directory, and which belong to another; Linux only.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isInside } from '../../src/core/base/paths.ts';

export interface LivingProcess {
  readonly pid: number;
  /** Its command line. */
  readonly command: string;
}

/** Command lines of the processes whose current directory is one of the folders or below. */
export const processesIn = (folders: readonly string[]): readonly string[] =>
  livingIn(folders).map(({ command }) => command);

/** The processes whose current directory is one of the folders or below. */
export function livingIn(folders: readonly string[]): readonly LivingProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const cwd = readlinkSync(`/proc/${name}/cwd`);
      if (!folders.some((folder) => isInside(folder, cwd))) return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return [{ pid: Number(name), command }];
    } catch {
      return []; // it ended meanwhile, or belongs to somebody else
    }
  });
}

/** The processes that this one started and that live. */
export function childrenOf(parent: number): readonly LivingProcess[] {
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

/** The engine of a workbench whose server keeps its data in the folder; undefined while none lives. */
export const engineIn = (folder: string): number | undefined =>
  livingIn([folder]).find(({ command }) => command.includes('dist/server.js'))?.pid;

/** Processes with this word on their command line. */
export function startedWith(word: string): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      return false;
    }
  });
}
