// Work that reads the files of a workspace as the user left them: nobody tries fixes in them meanwhile.
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { settleTrials } from './recoveryNotes.ts';
import { inPlaceCorner } from '../base/userFolders.ts';
import { readPrefix, takeSharedLock } from './workspaceUse.ts';

/**
 * Does the work while nobody may try fixes in this repository itself. What a killed process left in it is given back first, which
 * `onNote` is told. Throws what `settleTrials` throws, before the work began.
 */
export async function whileReading<T>(
  root: string,
  onNote: (note: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const file = path.join(inPlaceCorner(root), `${readPrefix}${randomUUID()}.lock`);
  // Where none can be written, nobody of this user can try anything in place either.
  const lock = await takeSharedLock(file, root).catch(() => undefined);
  try {
    // After ours is there: who works in place looks for ours after taking theirs.
    await settleTrials(root, onNote);
    return await work();
  } finally {
    await lock?.release();
  }
}
