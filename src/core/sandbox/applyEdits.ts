// Puts accepted edits into the real workspace: all of them or none, also when the process dies in between.
import { randomBytes } from 'node:crypto';
import { access, chown, constants, realpath, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { hashText } from '../base/hash.ts';
import { isInside } from '../base/paths.ts';
import { applyEdit, type FileEdit } from '../model/edit.ts';
import { putBack, putInPlace, writeDurably, writeJournal, type JournalEntry } from './editJournal.ts';
import { mergeEdits } from '../workspace/mergeEdits.ts';
import { hasCode, isMissing, readText } from '../workspace/readText.ts';

/**
 * Applies the edits below `root`. Every file is checked before the first is written: a `stale` HumanError when one is another
 * text than the edits were made for, `read-only` when one may not be written, `bad-input` when one lies outside the root.
 * `cacheFolder` (outside the root) holds a journal while it works, for `recoverJournal`.
 */
export async function applyToWorkspace(
  root: string,
  edits: readonly FileEdit[],
  cacheFolder: string,
): Promise<void> {
  const realRoot = await realpath(root);
  const planned = await planWrites(realRoot, mergeEdits(edits));
  if (planned.length === 0) return;
  // First of all, so that not even a temporary file stays behind unknown.
  const closeJournal = await writeJournal(cacheFolder, realRoot, planned.map(journalEntry));
  const failure = await commit(planned);
  await closeJournal();
  if (failure !== undefined) throw failure;
}

interface PlannedWrite {
  /** As the edit names it. */
  readonly name: string;
  /** Real path. */
  readonly file: string;
  readonly temporary: string;
  /** undefined: the edit creates the file. */
  readonly before: string | undefined;
  readonly after: string;
  readonly mode: number;
  readonly isLinked?: true;
  readonly owner?: { readonly uid: number; readonly gid: number };
}

async function planWrites(root: string, edits: readonly FileEdit[]): Promise<readonly PlannedWrite[]> {
  const writes = new Map<string, PlannedWrite>();
  for (const edit of edits) {
    const file = await realTarget(root, edit.file);
    const earlier = writes.get(file);
    const before = earlier ? earlier.before : await readText(file);
    const after = applyEdit(edit, earlier ? earlier.after : (before ?? ''));
    const stats = before === undefined ? undefined : await stat(file);
    await checkWritable(edit.file, file, stats?.mode);
    writes.set(file, {
      name: edit.file,
      file,
      temporary: path.join(
        path.dirname(file),
        `.${path.basename(file)}.${randomBytes(4).toString('hex')}.testmend`,
      ),
      before,
      after,
      mode: stats?.mode ?? 0o644,
      ...(stats ? { owner: { uid: stats.uid, gid: stats.gid } } : {}),
      ...(stats && stats.nlink > 1 && { isLinked: true }),
    });
  }
  return [...writes.values()].filter((write) => write.before !== write.after);
}

async function realTarget(root: string, name: string): Promise<string> {
  const file = path.resolve(root, name);
  let real: string;
  try {
    real = await realpath(file);
  } catch (error) {
    if (!isMissing(error)) throw error;
    real = path.join(await realpath(path.dirname(file)).catch(() => path.dirname(file)), path.basename(file));
  }
  if (isInside(root, file) && isInside(root, real)) return real;
  throw new HumanError('bad-input', `${name} leads outside the workspace.`, {
    file: name,
    remedy: 'Testmend edits files inside the workspace only.',
  });
}

/** Asks the file itself: a rename would replace a read-only file, and nothing is forbidden to root. */
async function checkWritable(name: string, file: string, mode: number | undefined): Promise<void> {
  try {
    if (mode !== undefined) {
      if ((mode & 0o222) === 0) throw readOnly(name);
      await access(file, constants.W_OK);
    }
    await access(path.dirname(file), constants.W_OK);
  } catch (error) {
    throw hasCode(error, 'EACCES', 'EPERM', 'EROFS') ? readOnly(name, error) : error;
  }
}

function readOnly(name: string, cause?: unknown): HumanError {
  return new HumanError(
    'read-only',
    `${name} is read-only.`,
    { file: name, remedy: 'Nothing was changed; make the file and its folder writable and apply again.' },
    { cause },
  );
}

async function writeTemporary(write: PlannedWrite): Promise<void> {
  try {
    await writeDurably(write.temporary, write.after, write.mode);
    // Only root can keep a file with its owner.
    if (write.owner && process.getuid?.() === 0)
      await chown(write.temporary, write.owner.uid, write.owner.gid);
  } catch (error) {
    await rm(write.temporary, { force: true });
    throw hasCode(error, 'EACCES', 'EPERM', 'EROFS') ? readOnly(write.name, error) : error;
  }
}

const journalEntry = (write: PlannedWrite): JournalEntry => ({
  file: write.file,
  temporary: write.temporary,
  before: write.before ?? null,
  after: hashText(write.after),
  mode: write.mode,
  ...(write.isLinked && { isLinked: true }),
});

/** The failure, after everything was put back; throws when that failed too, and then the journal is still needed. */
async function commit(planned: readonly PlannedWrite[]): Promise<Error | undefined> {
  const done: PlannedWrite[] = [];
  let failed = planned[0]?.name ?? '';
  try {
    for (const write of planned) await writeTemporary(write);
    for (const write of planned) {
      failed = write.name;
      if ((await readText(write.file)) !== write.before) throw staleNow(write.name);
      // Written over, it may be left with half of the text.
      if (write.isLinked) done.push(write);
      await putInPlace(journalEntry(write));
      if (!write.isLinked) done.push(write);
    }
    return undefined;
  } catch (error) {
    for (const write of done.reverse()) await putBack(journalEntry(write));
    if (hasCode(error, 'EACCES', 'EPERM', 'EROFS')) return readOnly(failed, error);
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    await Promise.all(planned.map(({ temporary }) => rm(temporary, { force: true })));
  }
}

function staleNow(name: string): HumanError {
  return new HumanError('stale', `${name} changed while the fix was applied.`, {
    file: name,
    remedy: 'Nothing was changed; request the fix again.',
  });
}
