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
import { readText } from '../workspace/readText.ts';

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
  /** It has further names (hard links): its text is written over, because a rename would leave the others with the old one. */
  isLinked: z.literal(true).optional(),
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
      if (!finished && (states[index] === 'after' || states[index] === 'half')) {
        await putBack(entry);
        restored.push(entry.file);
      } else if (!finished && states[index] === 'other') kept.push(entry.file);
      await rm(entry.temporary, { force: true });
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

async function stateOf(entry: JournalEntry): Promise<'before' | 'half' | 'after' | 'other'> {
  const text = await readText(entry.file).catch(() => null);
  if (text === (entry.before ?? undefined)) return 'before';
  if (typeof text !== 'string') return 'other';
  if (hashText(text) === entry.after) return 'after';
  return (await isHalfWritten(entry, text)) ? 'half' : 'other';
}

/** One text as far as a killed process came, and the other behind it. */
async function isHalfWritten({ temporary, before, isLinked }: JournalEntry, text: string): Promise<boolean> {
  if (!isLinked || before === null) return false;
  const after = await readText(temporary).catch(() => undefined);
  if (after === undefined) return false;
  const now = Buffer.from(text);
  const isMix = (head: Buffer, tail: Buffer): boolean => {
    let at = 0;
    while (at < now.length && now[at] === head[at]) at++;
    return now.subarray(at).equals(tail.subarray(at));
  };
  return isMix(Buffer.from(after), Buffer.from(before)) || isMix(Buffer.from(before), Buffer.from(after));
}

/** Puts what lies at `temporary` in the place of the file. */
export async function putInPlace({ file, temporary, isLinked }: JournalEntry): Promise<void> {
  if (!isLinked) return rename(temporary, file);
  const bytes = await readFile(temporary);
  const handle = await open(file, 'r+');
  try {
    await handle.write(bytes, 0, bytes.length, 0);
    await handle.truncate(bytes.length);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rm(temporary, { force: true });
}

/** Gives a file its former text and mode again. */
export async function putBack(entry: JournalEntry): Promise<void> {
  if (entry.before === null) return rm(entry.file, { force: true });
  // Two processes that start at once may both put it back.
  const temporary = `${entry.temporary}.${process.pid}.back`;
  await rm(temporary, { force: true });
  await writeDurably(temporary, entry.before, entry.mode);
  await putInPlace({ ...entry, temporary });
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
