// Gives back what a killed process had written into the workspace while it tried fixes there, and ends what it left running.
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { realPathOr, toRelativePosix } from '../base/paths.ts';
import { InPlaceJournal, type GivenBackFiles, type KeptFile } from './inPlaceJournal.ts';
import { takeLock } from './ownedLock.ts';
import { endOrphans, isOtherOwnerRunning } from './processOwner.ts';
import { inPlaceCorner } from '../base/userFolders.ts';
import { busyInPlace, isWorkedInPlace } from './workspaceUse.ts';

/** Undefined while somebody works in this repository itself. */
export async function recoverInPlace(root: string): Promise<GivenBackFiles | undefined> {
  try {
    return await whileRecovering(root, async () =>
      (await isWorkedInPlace(root)) ? undefined : await giveAllBack(root),
    );
  } catch (error) {
    if (error instanceof HumanError && error.code === 'busy') return undefined;
    throw error;
  }
}

/** Giving back lasts moments, for which others wait. */
const patienceMs = 20_000;

/** Nobody else gives anything back in this repository meanwhile. Throws a `busy` HumanError when somebody does so for long. */
export async function whileRecovering<T>(root: string, work: () => Promise<T>): Promise<T> {
  const lock = await takeLock(path.join(inPlaceCorner(root), 'recovery.lock'), patienceMs);
  if (lock === undefined) throw busyInPlace(root);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/** For who is alone in recovering, and knows that nobody works in the repository itself: every journal there is one that nobody writes any more. */
export async function giveAllBack(root: string): Promise<GivenBackFiles> {
  const all: { restored: string[]; kept: KeptFile[]; failed: string[] } = {
    restored: [],
    kept: [],
    failed: [],
  };
  for (const { journal, owner } of InPlaceJournal.found(inPlaceCorner(root))) {
    // Its lock is gone, and yet it may live: where the system does not tell, nothing is taken from it.
    if (owner && (await isOtherOwnerRunning(owner))) {
      all.failed.push(`process ${owner.pid}, which tried fixes there, may still be running`);
      continue;
    }
    // First of all: a test that still runs might write once more.
    if (owner) await endOrphans(owner);
    const { restored, kept, failed } = journal.end();
    all.restored.push(...restored);
    all.kept.push(...kept);
    all.failed.push(...failed);
  }
  return all;
}

/** Throws a `read-only` HumanError when files could not be given back: what lies there is not the user's. */
export function refuseFailed({ failed }: GivenBackFiles): void {
  if (failed.length === 0) return;
  throw new HumanError(
    'read-only',
    `Files of an earlier start could not be given back: ${failed.join('; ')}`,
    { remedy: 'Make them writable, or end the process that is named, and start again.' },
  );
}

/** One sentence for each thing to know. */
export function givenBackNotes(givenBack: GivenBackFiles, root: string): readonly string[] {
  const { restored, kept, failed } = givenBack;
  const names = restored.map((file) => toRelativePosix(realPathOr(root), file)).join(', ');
  return [
    ...(restored.length > 0
      ? [`Testmend was killed while it tried fixes in the workspace: ${names} is as it was before.`]
      : []),
    ...kept.map((file) => keptSentence(file, realPathOr(root))),
    ...failed.map((failure) => `A file could not be given back. ${failure}`),
  ];
}

/** What to tell of a file that somebody else wrote meanwhile. */
export function keptSentence({ file, original, because }: KeptFile, root: string): string {
  const name = toRelativePosix(root, file);
  switch (because) {
    case 'untouched':
      return `${name} was changed just before a fix was to be tried in it; it is left as it is.`;
    case 'lost':
      return `What ${name} was before fixes were tried in it is gone from where it was kept: compare it with the last commit or with what your editor remembers.`;
    case 'unnamed':
      return `A file was kept while fixes were tried in the workspace itself, and nothing tells any more where it belongs: it is ${file} now.`;
    case 'changed': {
      const before =
        original === undefined ? 'It was not there before.' : `Its text from before is in ${original}.`;
      return `${name} was changed while fixes were tried in the workspace itself; it is left as it is now. ${before}`;
    }
  }
}
