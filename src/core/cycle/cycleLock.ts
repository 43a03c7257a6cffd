// One fix cycle at a time for one root, whichever host runs it: a file in the user's state folder names the process that holds it.
import path from 'node:path';
import { hashText } from '../base/hash.ts';
import { realPathOr } from '../base/paths.ts';
import { lockHolder, type OwnedLock } from '../sandbox/ownedLock.ts';
import { settleTrials } from '../sandbox/recoveryNotes.ts';
import { inPlaceCorner } from '../base/userFolders.ts';
import { busyWith, cyclePrefix, takeSharedLock } from '../sandbox/workspaceUse.ts';

interface CycleUse {
  /** The cycle tries its fixes in the workspace itself, which is locked for it. */
  readonly isInPlace: boolean;
  /** Told what a killed process had left in the files, which was given back. */
  readonly onNote: (note: string) => void;
}

/**
 * Throws a `busy` HumanError while another cycle of this root runs, or somebody else tries fixes in its repository itself; else what
 * `settleTrials` throws.
 */
export async function lockCycle(root: string, { isInPlace, onNote }: CycleUse): Promise<OwnedLock> {
  const lock = await takeSharedLock(fileOf(root), root);
  if (lock === undefined) throw busyWith('cycle', await lockHolder(fileOf(root)), root);
  try {
    // After ours is there: who works in place looks for ours after taking theirs.
    if (!isInPlace) await settleTrials(root, onNote);
    return lock;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Throws the same `busy` HumanError when a cycle of this root runs, and takes nothing. */
export async function refuseWhileCycling(root: string): Promise<void> {
  const holder = await lockHolder(fileOf(root));
  if (holder !== undefined) throw busyWith('cycle', holder, root);
}

const fileOf = (root: string): string =>
  path.join(inPlaceCorner(root), `${cyclePrefix}${hashText(realPathOr(root)).slice(0, 16)}.lock`);
