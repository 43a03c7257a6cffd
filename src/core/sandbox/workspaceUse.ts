// Who uses the files of a repository just now: any number of runs and cycles that read them, or one who tries fixes in the files themselves.
import { readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import { clockTime } from '../base/clockTime.ts';
import { HumanError, errorMessage } from '../base/humanError.ts';
import { lockHolder, takeLock, type OwnedLock } from './ownedLock.ts';
import { inPlaceCorner } from '../base/userFolders.ts';

/** Are fixes tried in this repository itself just now, by whichever host? */
export async function isWorkedInPlace(root: string): Promise<boolean> {
  return (await lockHolder(inPlaceLock(root))) !== undefined;
}

/** Throws a `busy` HumanError while fixes are tried in this repository itself: its files are not the user's then. */
export async function refuseInPlace(root: string): Promise<void> {
  if (await isWorkedInPlace(root)) throw busyInPlace(root);
}

export function busyInPlace(root: string): HumanError {
  return new HumanError('busy', 'Fixes are being tried in this folder itself just now.', {
    value: root,
    remedy: 'Wait for that to end, or stop it, and start again.',
  });
}

/**
 * For who is about to try fixes in the files themselves. Throws a `busy` HumanError while anybody else does so, or reads them, and a
 * `read-only` one where no lock can be written.
 */
export async function lockInPlace(root: string): Promise<OwnedLock> {
  const lock = await takeSharedLock(inPlaceLock(root), root);
  if (lock === undefined) throw busyInPlace(root);
  try {
    // After ours is there: who reads looks for ours after taking theirs, so one of the two sees the other.
    await refuseWhileRead(root);
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** A lock of this root and its like that everybody sees; undefined when it is held. Throws a `read-only` HumanError. */
export async function takeSharedLock(file: string, root: string): Promise<OwnedLock | undefined> {
  try {
    const lock = await takeLock(file);
    return lock && { release: () => releaseShared(lock, root) };
  } catch (error) {
    throw new HumanError(
      'read-only',
      `The folder ${path.dirname(file)} cannot be written: ${errorMessage(error)}`,
      {
        file: path.dirname(file),
        remedy: 'Make room there, or set XDG_STATE_HOME to a folder that can be written.',
      },
      { cause: error },
    );
  }
}

/** Begins the names of the locks of cycles in copies. */
export const cyclePrefix = 'cycle-';
/** Begins the names of the locks of who reads the files. */
export const readPrefix = 'read-';

const inPlaceLock = (root: string): string => path.join(inPlaceCorner(root), 'in-place.lock');

/** An empty corner goes. */
async function releaseShared(lock: OwnedLock, root: string): Promise<void> {
  await lock.release();
  await rmdir(inPlaceCorner(root)).catch(() => undefined);
}

async function refuseWhileRead(root: string): Promise<void> {
  const corner = inPlaceCorner(root);
  for (const name of await readdir(corner)) {
    const isCycle = name.startsWith(cyclePrefix);
    if (!name.endsWith('.lock') || !(isCycle || name.startsWith(readPrefix))) continue;
    const file = path.join(corner, name);
    const holder = await lockHolder(file);
    if (holder !== undefined) throw busyWith(isCycle ? 'cycle' : 'run', holder, root);
    // Its name is used once only: nobody takes it meanwhile.
    if (!isCycle) await rm(file, { force: true });
  }
}

/** A `busy` HumanError that names the process. */
export function busyWith(
  what: 'cycle' | 'run',
  holder: { readonly pid: number; readonly since: number } | undefined,
  root: string,
): HumanError {
  const who = holder ? ` since ${clockTime(holder.since)}, in process ${holder.pid}` : '';
  const message =
    what === 'cycle'
      ? `A fix cycle is already running for this folder${who}.`
      : `Tests of this folder are being run or proven${who}; no fix can be tried in it meanwhile.`;
  return new HumanError('busy', message, {
    value: root,
    remedy: 'Wait for it to end, or stop it, and start again.',
  });
}
