// Writes accepted fixes into files so that a window that dies in the middle leaves no doubt about what is in them.
import { readFile } from 'node:fs/promises';
import { hashText } from '../../core/base/hash.ts';
import { HumanError } from '../../core/base/humanError.ts';
import { applyEdit, type FileEdit } from '../../core/model/edit.ts';
import type { PanelMessage } from '../../webview/messages.ts';
import { applyEdits } from '../fixes/applyEdits.ts';
import { toUri } from '../folders.ts';
import type { Writing } from './cycleJournal.ts';

interface WriteRequest {
  readonly root: string;
  readonly edits: readonly FileEdit[];
  readonly label: string;
  /** Texts of files before the first fix of the cycle. */
  readonly bases: Readonly<Record<string, string>>;
  /** Called before anything is written, with what is about to be and the texts of files written for the first time. */
  readonly begin: (files: Writing['files'], bases: Record<string, string>) => void;
  /** Called when it was written, or was refused and nothing is changed. */
  readonly done: (applied: boolean) => void;
}

/** A warning when the fixes are in the editor but not saved. Throws like `applyEdits` when nothing was changed. */
export async function writeFixes(request: WriteRequest): Promise<PanelMessage | undefined> {
  const { root, edits, label, begin, done } = request;
  const bases: Record<string, string> = {};
  const files: Writing['files'] = [];
  for (const edit of edits) {
    const before = await textOf(root, edit.file);
    if (before === undefined || hashText(before) !== edit.before) throw changed(edit.file);
    if (request.bases[edit.file] === undefined) bases[edit.file] = before;
    files.push({ file: edit.file, before: edit.before, after: hashText(applyEdit(edit, before)) });
  }
  begin(files, bases);
  try {
    await applyEdits(root, edits, label);
  } catch (error) {
    if (!(error instanceof HumanError)) {
      // The answer was lost, as when the window goes: only the files know. What is unclear stays open in the journal.
      const found = await settleWriting(root, { fixes: [], files });
      if (found === 'unclear') throw error;
      done(found === 'written');
      if (found === 'written') return undefined;
      throw error;
    }
    const isInEditor = error.code === 'read-only';
    done(isInEditor);
    if (isInEditor) return { level: 'warning', text: `${error.message} ${error.details.remedy}` };
    throw error;
  }
  done(true);
  return undefined;
}

/** Whether fixes are in the files whose writing was begun: in all of them, in none, or in files that changed otherwise. */
export async function settleWriting(
  root: string,
  { files }: Writing,
): Promise<'written' | 'not written' | 'unclear'> {
  const found = await Promise.all(
    files.map(async ({ file, before, after }) => {
      const text = await textOf(root, file);
      const hash = text === undefined ? undefined : hashText(text);
      return hash === after ? 'written' : hash === before ? 'not written' : 'unclear';
    }),
  );
  const [first] = found;
  return first !== undefined && found.every((each) => each === first) ? first : 'unclear';
}

async function textOf(root: string, file: string): Promise<string | undefined> {
  const uri = toUri(root, file);
  return uri === undefined ? undefined : readFile(uri.fsPath, 'utf8').catch(() => undefined);
}

function changed(file: string): HumanError {
  return new HumanError('stale', `${file} changed after the fixes were proven.`, {
    file,
    remedy: 'Nothing was changed; start the fix cycle again.',
  });
}
