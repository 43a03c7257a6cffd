// What the user is told when a start finds that an earlier one was killed while it wrote accepted fixes.
import { readdir } from 'node:fs/promises';
import { errorMessage } from '../base/humanError.ts';
import { toRelativePosix } from '../base/paths.ts';
import { journalFolder } from './journalFolder.ts';

/** Recovers `root` from the journals in `cacheFolder`; returns one sentence for each thing to know. Never rejects. */
export async function recoverAndTell(cacheFolder: string, root: string): Promise<readonly string[]> {
  try {
    if ((await readdir(journalFolder(cacheFolder)).catch(() => [])).length === 0) return [];
    const { recoverJournal } = await import('./editJournal.ts');
    const { restored, kept } = await recoverJournal(cacheFolder, root);
    const names = (files: readonly string[]): string =>
      files.map((file) => toRelativePosix(root, file)).join(', ');
    return [
      ...(restored.length > 0
        ? [`Testmend was killed while it wrote fixes: ${names(restored)} got its former text back.`]
        : []),
      ...(kept.length > 0
        ? [`Testmend was killed while it wrote fixes, and ${names(kept)} was changed since: left as it is.`]
        : []),
    ];
  } catch (error) {
    return [`Files that were half written when Testmend was killed are still so: ${errorMessage(error)}`];
  }
}
