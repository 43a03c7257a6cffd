// One fix cycle at a time for one root: a file in the cache folder names the process that holds it.
import path from 'node:path';
import { hashText } from '../base/hash.ts';
import { HumanError } from '../base/humanError.ts';
import { takeLock, type OwnedLock } from '../workspace/ownedLock.ts';

/** Throws a `busy` HumanError while another cycle of this root runs. */
export async function lockCycle(root: string, cacheFolder: string): Promise<OwnedLock> {
  const lock = await takeLock(path.join(cacheFolder, `cycle-${hashText(root).slice(0, 16)}.lock`));
  if (lock) return lock;
  throw new HumanError('busy', 'A fix cycle is already running for this folder.', {
    value: root,
    remedy: 'Wait for it to end, or stop it, and start again.',
  });
}
