// One fix cycle at a time for one root: a file in the cache folder names the process that holds it.
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { hashText } from '../base/hash.ts';
import { HumanError } from '../base/humanError.ts';
import { isOwnerRunning, processOwnerSchema, thisProcess } from '../workspace/processOwner.ts';
import { hasCode } from '../workspace/readText.ts';

export interface CycleLock {
  release(): Promise<void>;
}

/** Throws a `busy` HumanError while another cycle of this root runs; locks of processes that ended are ignored. */
export async function lockCycle(root: string, cacheFolder: string): Promise<CycleLock> {
  await mkdir(cacheFolder, { recursive: true });
  const file = path.join(cacheFolder, `cycle-${hashText(root).slice(0, 16)}.lock`);
  const own = JSON.stringify({ ...(await thisProcess()), key: randomUUID() });
  const draft = `${file}.${randomUUID()}`;
  // Written aside and linked, so that nobody ever reads half a lock.
  await writeFile(draft, own);
  try {
    for (let attempt = 0; attempt < 5; attempt++) {
      if (await tryLink(draft, file)) return { release: () => release(file, own) };
      const found = await readFile(file, 'utf8').catch(() => undefined);
      if (found === undefined) continue;
      if (await isHeld(found)) throw busy(root);
      await removeStale(file, found);
    }
    throw busy(root);
  } finally {
    await rm(draft, { force: true });
  }
}

async function tryLink(draft: string, file: string): Promise<boolean> {
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function isHeld(text: string): Promise<boolean> {
  const owner = parseOwner(text);
  return owner !== undefined && (await isOwnerRunning(owner));
}

function parseOwner(text: string): { pid: number; startTime: string } | undefined {
  try {
    return processOwnerSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Moves the lock away and puts it back when it is no longer the stale one: another process was faster. */
async function removeStale(file: string, stale: string): Promise<void> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  const moved = await readFile(aside, 'utf8');
  if (moved !== stale) await tryLink(aside, file);
  await rm(aside, { force: true });
}

async function release(file: string, own: string): Promise<void> {
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found === own) await rm(file, { force: true });
}

function busy(root: string): HumanError {
  return new HumanError('busy', 'A fix cycle is already running for this folder.', {
    value: root,
    remedy: 'Wait for it to end, or stop it, and start again.',
  });
}
