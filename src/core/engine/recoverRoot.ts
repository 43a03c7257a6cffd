// Makes good at a start what a Testmend that was killed left behind: half written files of a root, and sandboxes.
import { recoverAndTell } from '../sandbox/recoveryNotes.ts';
import { sandboxFolder } from '../sandbox/sandboxPlace.ts';
import { cacheFolderOf } from './workspaceOf.ts';

/** Only hosts that write by themselves leave such files, with their journals in the user's cache. Tells what was done, as sentences. */
export function recoverRoot(root: string): Promise<readonly string[]> {
  return recoverAndTell(cacheFolderOf(root), root);
}

/** How many sandboxes that nobody uses any more were removed. */
export async function removeOldSandboxes(): Promise<number> {
  const { removeStaleSandboxes } = await import('../sandbox/sandboxFolder.ts');
  return removeStaleSandboxes(sandboxFolder());
}
