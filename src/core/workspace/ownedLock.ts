// A lock as a file that names the process which holds it; locks of processes that ended are ignored.
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isOwnerRunning, processOwnerSchema, thisProcess } from './processOwner.ts';
import { hasCode } from './readText.ts';

export interface OwnedLock {
  release(): Promise<void>;
}

/** Takes the lock, or gives undefined when it is held after so many ms of trying (0: at once). Makes its folder. */
export async function takeLock(file: string, patienceMs = 0): Promise<OwnedLock | undefined> {
  await mkdir(path.dirname(file), { recursive: true });
  const own = JSON.stringify({ ...(await thisProcess()), key: randomUUID() });
  const draft = `${file}.${randomUUID()}`;
  // Written aside and linked, so that nobody ever reads half a lock.
  await writeFile(draft, own);
  const end = performance.now() + patienceMs;
  try {
    for (let attempt = 0; attempt < 5 || performance.now() < end; attempt++) {
      if (await tryLink(draft, file)) return { release: () => release(file, own) };
      const found = await readFile(file, 'utf8').catch(() => undefined);
      if (found === undefined) continue;
      if (!(await isHeld(found))) await removeStale(file, found);
      else if (performance.now() >= end) return undefined;
      else await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 20));
    }
    return undefined;
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
