// Runs and fixes use what is on disk; unsaved files are offered to be saved first.
import * as vscode from 'vscode';
import { locate } from '../folders.ts';
import { tell } from '../tell.ts';

/** False when the user wants neither; resolves at once when nothing is unsaved. */
export async function offerToSave(purpose: 'run' | 'fix'): Promise<boolean> {
  const unsaved = vscode.workspace.textDocuments.filter(
    (document) => document.isDirty && !document.isUntitled && locate(document.uri) !== undefined,
  );
  if (unsaved.length === 0) return true;
  const saving = purpose === 'run' ? 'Save All & Run' : 'Save All & Fix';
  const asSaved = purpose === 'run' ? 'Run Saved Version' : 'Fix Saved Version';
  const what =
    unsaved.length === 1
      ? `${vscode.workspace.asRelativePath(unsaved[0]?.uri ?? '')} is not saved.`
      : `${unsaved.length} files are not saved.`;
  const choice = await tell.warning(`${what} Testmend works with the files on disk.`, saving, asSaved);
  if (choice === saving) {
    const saved = await Promise.all(unsaved.map((document) => document.save()));
    return saved.every(Boolean);
  }
  return choice === asSaved;
}
