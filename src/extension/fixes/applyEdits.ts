// Puts accepted edits into the user's files: one undoable WorkspaceEdit, refused when a file is no longer the one they were made for.
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { hashText } from '../../core/base/hash.ts';
import { HumanError } from '../../core/base/humanError.ts';
import { applyChanges, type FileEdit } from '../../core/model/edit.ts';
import { toUri } from '../folders.ts';

/**
 * Applies all edits or none, and saves the files that had no unsaved changes before. Throws a `stale` HumanError when a
 * file changed since; nothing is lost then.
 */
export async function applyEdits(root: string, edits: readonly FileEdit[], label: string): Promise<void> {
  const prepared = await Promise.all(edits.map((edit) => prepare(root, edit)));
  const change = new vscode.WorkspaceEdit();
  for (const { document, text, edit } of prepared) {
    // VS Code hands this edit over with the version of the document as of now, and refuses it for another one.
    if (!matches(document, text)) throw stale(edit.file);
    const position = positionsIn(text);
    for (const { start, end, newText } of edit.changes) {
      change.replace(document.uri, new vscode.Range(position(start), position(end)), newText, {
        needsConfirmation: false,
        label,
      });
    }
  }
  const clean = prepared.map(({ document }) => document).filter((document) => !document.isDirty);
  if (!(await vscode.workspace.applyEdit(change))) throw stale(edits.map(({ file }) => file).join(', '));
  const saved = await Promise.all(clean.map((document) => document.save()));
  if (saved.some((done) => !done)) {
    throw new HumanError('read-only', 'The fix is in the editor but could not be saved.', {
      remedy: 'Save the file, or undo.',
    });
  }
}

/** The text of a file after its edit, for a diff. Throws `stale` like `applyEdits`. */
export async function editedText(root: string, edit: FileEdit): Promise<string> {
  const { text } = await prepare(root, edit);
  return applyChanges(edit.changes, text);
}

interface Prepared {
  readonly edit: FileEdit;
  readonly document: vscode.TextDocument;
  /** The exact text that the offsets of the edit count in. */
  readonly text: string;
}

async function prepare(root: string, edit: FileEdit): Promise<Prepared> {
  const uri = toUri(root, edit.file);
  if (uri === undefined) throw stale(edit.file);
  const document = await openDocument(uri, edit.file);
  // VS Code drops a byte order mark and may unify line ends: the disk has the text that was hashed.
  const onDisk = await readFile(uri.fsPath, 'utf8').catch(() => undefined);
  const text = [document.getText(), ...(onDisk === undefined ? [] : [onDisk])].find(
    (candidate) => hashText(candidate) === edit.before,
  );
  if (text === undefined || !matches(document, text)) throw stale(edit.file);
  return { edit, document, text };
}

async function openDocument(uri: vscode.Uri, file: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    throw stale(file);
  }
}

function matches(document: vscode.TextDocument, text: string): boolean {
  return plain(document.getText()) === plain(text);
}

function plain(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
}

/** Offsets of a text as positions of a document that has the same lines. */
function positionsIn(text: string): (offset: number) => vscode.Position {
  const starts = [text.startsWith('\uFEFF') ? 1 : 0];
  for (const match of text.matchAll(/\r\n|\n|\r/g)) starts.push(match.index + match[0].length);
  return (offset) => {
    let line = starts.length - 1;
    while (line > 0 && (starts[line] ?? 0) > offset) line -= 1;
    return new vscode.Position(line, Math.max(0, offset - (starts[line] ?? 0)));
  };
}

function stale(file: string): HumanError {
  return new HumanError('stale', `${file} changed after the fix was proposed.`, {
    file,
    remedy: 'Nothing was changed; ask for the fix again.',
  });
}
