// Removes the temporary folder of a framework that was ended before it could do so itself.
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { realPathOr } from '../base/paths.ts';

/**
 * Removes the folder that a reporter named, when it is what it says: directly in the system's folder for temporary files, with a
 * name drawn by lot. Anything else is left alone, and what cannot be removed is the system's to clean up.
 */
export async function removeLeftFolder(folder: string): Promise<void> {
  const isOwn = realPathOr(path.dirname(folder)) === realPathOr(os.tmpdir());
  if (!path.isAbsolute(folder) || !isOwn || !drawn.test(path.basename(folder))) return;
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

/** Of vitest, and of our own hosts. */
const drawn = /^(?:[\w-]{21}|testmend-(?:cypress|maestro)-\w{6})$/;
