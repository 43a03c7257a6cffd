// Puts one file in the place of another in steps none of which can overwrite what somebody else saves meanwhile.
import { linkSync, lstatSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { hashText } from '../base/hash.ts';
import { hasCode, isMissing } from '../workspace/readText.ts';

/** Everything here blocks: it must also be done while the process exits. */

/** The very file that stands at a path, and what it holds. */
export interface Standing {
  readonly inode: string;
  /** hashText of its bytes; something no hash is where it is no file. */
  readonly hash: string;
}

/** Undefined when there is nothing of that name. Throws where the file cannot be read. */
export function standingAt(file: string): Standing | undefined {
  try {
    const stats = lstatSync(file, { bigint: true });
    return { inode: String(stats.ino), hash: stats.isFile() ? hashText(readFileSync(file)) : 'no file' };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** What tells one standing from every other, as a text. */
export const keyOf = (standing: Standing | undefined): string =>
  standing === undefined ? 'nothing' : `${standing.inode} ${standing.hash}`;

type Swapped =
  | 'done'
  /** Somebody else wrote there: it is left as it is. */
  | 'changed'
  /** The same twice: what was written first lies at `aside` now. */
  | 'stranded';

interface Swap {
  readonly file: string;
  /** What must stand there; undefined: nothing. */
  readonly expected: Standing | undefined;
  /** The file that gets this name, too, or only this one where a file system knows no second names; undefined: none does. */
  readonly next: string | undefined;
  /** A free name on the same file system. After a kill what stood at `file` may be there. */
  readonly aside: string;
}

/**
 * Takes the file away first and looks at it then, so that nothing can come in between; the new one gets its name only while there is
 * none of that name. For some microseconds there is no such file. Throws where the disk refuses; the file is back at its place then.
 */
export function swapFile({ file, expected, next, aside }: Swap): Swapped {
  if (keyOf(standingAt(file)) !== keyOf(expected)) return 'changed';
  if (expected !== undefined) {
    try {
      renameSync(file, aside);
    } catch (error) {
      if (isMissing(error) && standingAt(file) === undefined) return 'changed';
      throw error;
    }
    if (keyOf(standingAt(aside)) !== keyOf(expected)) return putBack(aside, file) ? 'changed' : 'stranded';
  }
  try {
    if (next !== undefined) giveName(next, file);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      rmSync(aside, { force: true });
      return 'changed';
    }
    if (expected !== undefined) putBack(aside, file);
    throw error;
  }
  rmSync(aside, { force: true });
  return 'done';
}

/** Gives a file its place again; false, and nothing is done, when something stands there. */
export function putBack(aside: string, file: string): boolean {
  try {
    giveName(aside, file);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
  rmSync(aside, { force: true });
  return true;
}

/** Throws EEXIST where there is such a file. */
function giveName(from: string, file: string): void {
  try {
    linkSync(from, file);
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES')) throw error;
    // No second names here: a look and a rename, with nothing in between, is all there is.
    if (standingAt(file) !== undefined)
      throw Object.assign(new Error(`${file} exists`, { cause: error }), { code: 'EEXIST' });
    renameSync(from, file);
  }
}
