// The fix cycle of a root that was killed: what is known of it, and forgetting it.
import { lockCycle } from '../cycle/cycleLock.ts';
import { discardFormerCycle, readFormerCycle, type FormerCycle } from '../cycle/formerCycle.ts';
import type { Workspace } from '../model/settings.ts';

export { refuseWhileCycling } from '../cycle/cycleLock.ts';
export type { FormerCycle } from '../cycle/formerCycle.ts';

/** What is to be taken up; undefined when no cycle of the root was killed. */
export const formerCycleOf = ({ root, cacheFolder }: Workspace): Promise<FormerCycle | undefined> =>
  readFormerCycle(root, cacheFolder);

/** Forgets this cycle, and no other. */
export async function discardCycle({ root, cacheFolder }: Workspace, former: FormerCycle): Promise<void> {
  // A cycle that began while the user was asked may have taken the place of this one.
  const lock = await lockCycle(root, { isInPlace: false, onNote: () => undefined });
  try {
    const now = await readFormerCycle(root, cacheFolder);
    if (now?.startedAt === former.startedAt) await discardFormerCycle(root, cacheFolder);
  } finally {
    await lock.release();
  }
}
