// The write-ahead journal of edits: after a kill in the middle, the next start gives half-edited workspaces their old texts.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hashText } from '../base/hash.ts';
import { realPathOr } from '../base/paths.ts';
import { journalFolder } from './journalFolder.ts';
import { isOwnerRunning, thisProcess } from './processOwner.ts';
import { processOwnerSchema } from './processOwnerSchema.ts';
import { readText } from './readText.ts';

const entrySchema = z.object({
  /** Absolute real path. */
  file: z.string(),
  /** The file that is renamed onto it. */
  temporary: z.string(),
  /** Text before the edit; null for a file that the edit creates. */
  before: z.string().nullable(),
  /** hashText of the text after the edit. */
  after: z.string(),
  mode: z.number().int(),
});
export type JournalEntry = z.infer<typeof entrySchema>;

const journalSchema = z.object({
  root: z.string(),
  owner: processOwnerSchema,
  entries: z.array(entrySchema),
});

/** Notes what is about to be written, before it is; returns what to call when all of it is done or taken back. */
export async function writeJournal(
  cacheFolder: string,
  root: string,
  entries: readonly JournalEntry[],
): Promise<() => Promise<void>> {
  const folder = journalFolder(cacheFolder);
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, `${randomBytes(8).toString('hex')}.json`);
  const journal: z.infer<typeof journalSchema> = {
    root,
    owner: await thisProcess(),
    entries: [...entries],
  };
  await writeDurably(`${file}.new`, JSON.stringify(journal), 0o600);
  await rename(`${file}.new`, file);
  return () => rm(file, { force: true });
}

/**
 * Looks after what a killed process left half done in `root`: gives edited files their old texts back, unless all of them were
 * edited. A file that somebody changed since is left alone. Returns the restored and the kept files, absolute.
 */
export async function recoverJournal(
  cacheFolder: string,
  root: string,
): Promise<{ readonly restored: readonly string[]; readonly kept: readonly string[] }> {
  const folder = journalFolder(cacheFolder);
  const restored: string[] = [];
  const kept: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const journal = name.endsWith('.json') ? await readJournal(file) : undefined;
    if (journal?.root !== realPathOr(root) || (await isOwnerRunning(journal.owner))) continue;
    const states = await Promise.all(journal.entries.map(stateOf));
    const finished = states.every((state) => state === 'after');
    for (const [index, entry] of journal.entries.entries()) {
      await rm(entry.temporary, { force: true });
      if (finished || states[index] === 'before') continue;
      if (states[index] === 'after') {
        await putBack(entry);
        restored.push(entry.file);
      } else kept.push(entry.file);
    }
    await rm(file, { force: true });
  }
  return { restored, kept };
}

async function readJournal(file: string): Promise<z.infer<typeof journalSchema> | undefined> {
  try {
    return journalSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

async function stateOf(entry: JournalEntry): Promise<'before' | 'after' | 'other'> {
  const text = await readText(entry.file).catch(() => null);
  if (text === (entry.before ?? undefined)) return 'before';
  return typeof text === 'string' && hashText(text) === entry.after ? 'after' : 'other';
}

/** Gives a file its former text and mode again. */
export async function putBack(entry: JournalEntry): Promise<void> {
  if (entry.before === null) return rm(entry.file, { force: true });
  // Two processes that start at once may both put it back.
  const temporary = `${entry.temporary}.${process.pid}.back`;
  await rm(temporary, { force: true });
  await writeDurably(temporary, entry.before, entry.mode);
  await rename(temporary, entry.file);
}

/** Writes a new file and waits until the disk has it. */
export async function writeDurably(file: string, text: string, mode: number): Promise<void> {
  const handle = await open(file, 'wx', mode & 0o777);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await chmod(file, mode & 0o7777);
}
