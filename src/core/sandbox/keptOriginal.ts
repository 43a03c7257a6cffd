// Keeps the original of a file outside of the workspace while something else stands in its place, and makes what is put there.
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeSync,
  type Stats,
} from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { HumanError } from '../base/humanError.ts';
import { hasCode, isMissing } from '../workspace/readText.ts';
import { standingAt } from './swapFile.ts';

/** Everything here blocks: it must also be done while the process exits, and nothing of ours may come in between. */

export const originalSchema = z.object({
  /** Absolute real path. */
  file: z.string(),
  /** Where the original lies meanwhile; null when there was no such file. */
  kept: z.string().nullable(),
  /** The very file, and not a copy of it: possible where journal and workspace share a file system. */
  isLink: z.boolean(),
  /** What stood there; null when nothing did. */
  standing: z.object({ inode: z.string(), hash: z.string() }).nullable(),
  /** Names of its own that this file may have meanwhile, in the folder of the journal and beside it. */
  own: z.string(),
  beside: z.string(),
  mode: z.number().int(),
  uid: z.number().int(),
  gid: z.number().int(),
  atimeMs: z.number(),
  mtimeMs: z.number(),
});
export type Original = z.infer<typeof originalSchema>;

/** The bytes of a file; undefined when it is not there. Throws a HumanError for what is no file. */
export function bytesOf(file: string): Buffer | undefined {
  const stats = lstat(file);
  if (stats === undefined) return undefined;
  if (!stats.isFile())
    throw new HumanError('bad-input', `${file} is no file.`, {
      file,
      remedy: 'Testmend edits files only.',
    });
  return readFileSync(file);
}

/** Where a file may lie while it gets its place or loses it. */
export interface Places {
  /** In the folder of the journal, without an ending. */
  readonly own: string;
  /** Beside the file, for when the journal lies on another file system. */
  readonly beside: string;
}

export const draftOf = (place: string): string => `${place}.draft`;
export const asideOf = (place: string): string => `${place}.aside`;

/**
 * Keeps what stands at `file`, durably: the file itself gets a second name, so that all of it (times, owner, attributes, other names)
 * comes back; on another file system its bytes are copied. Throws a `bad-input` HumanError where a copy would not do.
 */
export function keepOriginal(file: string, places: Places): Original {
  const before = lstat(file);
  if (before === undefined)
    return {
      file,
      ...places,
      kept: null,
      isLink: false,
      standing: null,
      mode: 0o644,
      uid: 0,
      gid: 0,
      atimeMs: 0,
      mtimeMs: 0,
    };
  if (!before.isFile())
    throw new HumanError('bad-input', `${file} is no file.`, {
      file,
      remedy: 'Testmend edits files only.',
    });
  const kept = `${places.own}-${path.basename(file).slice(-80)}`;
  const isLink = tryLink(file, kept);
  if (!isLink && before.nlink > 1)
    throw new HumanError('bad-input', `${file} has a second name (a hard link), which it would lose.`, {
      file,
      remedy: 'Let fixes be tried in a copy, which is the default.',
      choice: 'copy',
    });
  const inode = standingAt(file)?.inode ?? '';
  if (!isLink) copyFileSync(file, kept);
  syncToDisk(kept);
  // Of a second name all is told by itself; a copy is held against the file when that loses its place.
  const { mode, uid, gid, atimeMs, mtimeMs } = isLink ? lstatSync(kept) : before;
  const found = standingAt(kept);
  const standing = found && { ...found, inode: isLink ? found.inode : inode };
  return { file, ...places, kept, isLink, standing: standing ?? null, mode, uid, gid, atimeMs, mtimeMs };
}

/** Where drafts of this file are to be tried, the better place first. */
export const placesOf = ({ kept, isLink, own, beside }: Original): readonly string[] =>
  isLink || kept === null ? [own, beside] : [beside];

/** False where the file system does not do that. */
export function tryLink(file: string, name: string): boolean {
  try {
    linkSync(file, name);
    return true;
  } catch (error) {
    if (hasCode(error, 'EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES')) return false;
    throw error;
  }
}

/** Writes bytes as this file is to be, durably; with its own times where they are its own bytes. */
export function writeDraft(draft: string, bytes: Uint8Array, original: Original, withTimes: boolean): void {
  const { kept, mode, uid, gid, atimeMs, mtimeMs } = original;
  rmSync(draft, { force: true });
  writeDurably(draft, bytes, mode);
  // Only root can keep a file with its owner.
  if (kept !== null && process.getuid?.() === 0) chownSync(draft, uid, gid);
  chmodSync(draft, mode & 0o7777);
  if (withTimes) utimesSync(draft, atimeMs / 1000, mtimeMs / 1000);
}

/** Writes a new file and waits until the disk has it. */
export function writeDurably(file: string, bytes: Uint8Array | string, mode: number): void {
  const handle = openSync(file, 'wx', mode & 0o777);
  try {
    const buffer = Buffer.from(bytes);
    for (let done = 0; done < buffer.length;) done += writeSync(handle, buffer, done);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function syncToDisk(file: string): void {
  const handle = openSync(file, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** The names in a folder are on the disk, where the system can do that. */
export function syncFolder(folder: string): void {
  try {
    syncToDisk(folder);
  } catch {
    // Windows opens no folders; its file systems keep the order of renames.
  }
}

/** undefined when there is nothing of that name. */
export function lstat(file: string): Stats | undefined {
  try {
    return lstatSync(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
