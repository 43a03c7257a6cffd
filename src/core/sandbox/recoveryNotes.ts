// What the user is told when a start finds that an earlier one was killed: what was given back, and what was removed.
import { readdir } from 'node:fs/promises';
import { errorMessage } from '../base/humanError.ts';
import { realPathOr, toRelativePosix } from '../base/paths.ts';
import { journalFolder } from './journalFolder.ts';
import { folderName, sandboxFolder } from './sandboxPlace.ts';
import { inPlaceCorner } from '../base/userFolders.ts';
import { busyInPlace, isWorkedInPlace } from './workspaceUse.ts';

/**
 * Makes good what a killed process left of `root`: half-written fixes by the journals in `cacheFolder`, trials in the workspace
 * itself, its test processes, its sandboxes. Returns one sentence for each thing to know. Never rejects. Reads three folders when
 * there is nothing to do.
 */
export async function recoverAndTell(cacheFolder: string, root: string): Promise<readonly string[]> {
  const [written, tried, sandboxes] = await Promise.all([
    namesIn(journalFolder(cacheFolder)),
    namesIn(journalFolder(inPlaceCorner(root))),
    namesIn(sandboxFolder()),
  ]);
  return [
    ...(sandboxes.some((name) => folderName.test(name)) ? await removeSandboxes() : []),
    ...(tried.length > 0 ? await recoverTrials(root) : []),
    ...(written.length > 0 ? await recoverWrites(cacheFolder, realPathOr(root)) : []),
  ];
}

/**
 * Gives back what a killed process left of its trials in this repository, for who is about to read the files. Throws a `busy`
 * HumanError while fixes are tried there, and a `read-only` one where a file cannot be given back.
 */
export async function settleTrials(root: string, onNote: (note: string) => void): Promise<void> {
  if (await isWorkedInPlace(root)) throw busyInPlace(root);
  if ((await namesIn(journalFolder(inPlaceCorner(root)))).length === 0) return;
  const { givenBackNotes, recoverInPlace, refuseFailed } = await import('./inPlaceRecovery.ts');
  const givenBack = await recoverInPlace(root);
  if (givenBack === undefined) throw busyInPlace(root);
  for (const note of givenBackNotes(givenBack, root)) onNote(note);
  refuseFailed(givenBack);
}

async function removeSandboxes(): Promise<readonly string[]> {
  try {
    const { removeStaleSandboxes } = await import('./sandboxFolder.ts');
    await removeStaleSandboxes(sandboxFolder());
    return [];
  } catch (error) {
    return [`What a killed start left in ${sandboxFolder()} is still there: ${errorMessage(error)}`];
  }
}

async function recoverTrials(root: string): Promise<readonly string[]> {
  try {
    const { givenBackNotes, recoverInPlace } = await import('./inPlaceRecovery.ts');
    const givenBack = await recoverInPlace(root);
    return givenBack === undefined
      ? ['Fixes are being tried in this folder itself just now: tests may meet files that are not yours.']
      : givenBackNotes(givenBack, root);
  } catch (error) {
    return [`Files in which fixes were tried when Testmend was killed are still so: ${errorMessage(error)}`];
  }
}

async function recoverWrites(cacheFolder: string, root: string): Promise<readonly string[]> {
  const names = (files: readonly string[]): string =>
    files.map((file) => toRelativePosix(root, file)).join(', ');
  try {
    const { recoverJournal } = await import('./editJournal.ts');
    const { restored, kept } = await recoverJournal(cacheFolder, root);
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

const namesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
