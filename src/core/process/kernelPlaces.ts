// The parts of /proc that belong to the whole machine, not to the processes of a jail.
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';

/**
 * All that somebody may write to. Who is root outside may do so without any right of root, whatever namespace asks: in a jail they are
 * read-only.
 */
export const kernelPlaces = (): readonly string[] =>
  readdirSync('/proc')
    .filter((name) => !/^\d+$/.test(name))
    .map((name) => path.join('/proc', name))
    .filter(isWritable);

function isWritable(place: string): boolean {
  try {
    const stats = lstatSync(place);
    return stats.isDirectory() || (stats.isFile() && (stats.mode & 0o222) !== 0);
  } catch {
    return false;
  }
}

/** Secrets of the machine, and what tells where they lie; they stand empty in a jail, as containers have it. */
export const kernelSecrets = (): readonly string[] =>
  'kallsyms kcore keys kmsg kpagecgroup kpagecount kpageflags latency_stats sched_debug slabinfo timer_list vmallocinfo'
    .split(' ')
    .map((name) => `/proc/${name}`)
    .filter((place) => existsSync(place));
