// Reads and writes the files of a session that several programs share: whole or not at all, and one writer of ours at a time.
import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { HumanError, errorMessage } from '../base/humanError.ts';
import { takeLock, type OwnedLock } from '../sandbox/ownedLock.ts';
import { hasCode, isMissing, readText } from '../workspace/readText.ts';

/** Beyond this, bytes, a file of a session is none. */
const largest = 5 * 1024 * 1024;
/** How long another writer is waited for, ms. */
const patienceMs = 10_000;

interface JsonFile {
  /** As it is on disk, a mark of the byte order included. */
  readonly text: string;
  readonly value: unknown;
}

/** Undefined when there is none. Throws a `bad-input` HumanError for what is no JSON file of reasonable size. */
export async function readJsonFile(file: string): Promise<JsonFile | undefined> {
  const wrong = (message: string, remedy: string): HumanError =>
    new HumanError('bad-input', `${file} ${message}`, { file, remedy });
  const stats = await lstat(file).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (stats === undefined) return undefined;
  if (!stats.isFile()) throw wrong('is no plain file.', 'Put the file itself there, no link or folder.');
  if (stats.size > largest)
    throw wrong('is larger than 5 MB.', 'Leave out what does not belong to the session.');
  const text = await readText(file);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return { text, value };
  } catch (error) {
    throw wrong(`is no JSON: ${errorMessage(error)}.`, 'Write it anew; it was left as it is.');
  }
}

/** A link in a session may lead anywhere: nothing is written through one. Throws a `bad-input` HumanError. */
export async function refuseLinks(...files: readonly string[]): Promise<void> {
  for (const file of files) {
    const stats = await lstat(file).catch(() => undefined);
    if (stats?.isSymbolicLink() === true)
      throw new HumanError('bad-input', `${file} is a link, and nothing is written through it.`, {
        file,
        remedy: 'Put a plain file or folder there, or name the session that it leads to.',
        choice: 'session',
      });
  }
}

/** Replaces the file in one step, so that nobody reads half of it; makes its folder, keeps its permissions. */
export async function replaceFile(file: string, text: string): Promise<void> {
  await refuseLinks(path.dirname(file));
  await mkdir(path.dirname(file), { recursive: true });
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`);
  try {
    await writeFile(draft, text);
    const stats = await lstat(file).catch(() => undefined);
    if (stats?.isFile()) await chmod(draft, stats.mode & 0o777);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** What is kept of testers beside the files of all. */
export const testerFolder = (session: string): string => path.join(session, '.tester');

/**
 * Throws a HumanError: `busy` when another process of ours keeps the session for long, `read-only` when its files cannot be written.
 */
export async function exclusively<T>(session: string, work: () => Promise<T>): Promise<T> {
  await refuseLinks(testerFolder(session));
  let lock: OwnedLock | undefined;
  try {
    lock = await takeLock(path.join(testerFolder(session), 'lock'), patienceMs);
    if (lock !== undefined) return await work();
  } catch (error) {
    if (!hasCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST')) throw error;
    throw new HumanError(
      'read-only',
      `The session cannot be written: ${errorMessage(error)}`,
      { file: session, remedy: 'Name a folder that can be written.', choice: 'session' },
      { cause: error },
    );
  } finally {
    await lock?.release();
  }
  throw new HumanError('busy', 'Another process keeps the files of the session.', {
    file: session,
    remedy: 'Wait for it to end, and try again.',
  });
}
