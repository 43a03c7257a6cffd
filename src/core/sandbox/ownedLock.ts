// A lock as a file that names the process which holds it; locks of processes that ended are ignored.
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isOwnerRunning, thisProcess } from './processOwner.ts';
import type { ProcessOwner } from './processOwnerSchema.ts';
import { hasCode } from '../workspace/readText.ts';

export interface OwnedLock {
  release(): Promise<void>;
}

/** Takes the lock, or gives undefined when it is held after so many ms of trying (0: at once). Makes its folder. */
export async function takeLock(file: string, patienceMs = 0): Promise<OwnedLock | undefined> {
  const own = JSON.stringify({ ...(await thisProcess()), key: randomUUID() });
  const draft = `${file}.${randomUUID()}`;
  // Written aside and linked, so that nobody ever reads half a lock.
  await writeInFolder(draft, own);
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

/** Which process holds the lock, and since when (ms since 1970); undefined when none does. */
export async function lockHolder(
  file: string,
): Promise<{ readonly pid: number; readonly since: number } | undefined> {
  const [text, stats] = await Promise.all([
    readFile(file, 'utf8').catch(() => ''),
    stat(file).catch(() => undefined),
  ]);
  const owner = await parseOwner(text);
  if (owner === undefined || stats === undefined || !(await isOwnerRunning(owner))) return undefined;
  return { pid: owner.pid, since: stats.mtimeMs };
}

/** Another process may remove the empty folder just now, hence the further tries. */
async function writeInFolder(file: string, text: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await mkdir(path.dirname(file), { recursive: true });
      return await writeFile(file, text);
    } catch (error) {
      if (attempt >= 5 || !hasCode(error, 'ENOENT')) throw error;
    }
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
  const owner = await parseOwner(text);
  return owner !== undefined && (await isOwnerRunning(owner));
}

async function parseOwner(text: string): Promise<ProcessOwner | undefined> {
  if (text === '') return undefined;
  const { processOwnerSchema } = await import('./processOwnerSchema.ts');
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
