// Puts accepted edits into the user's files: one undoable WorkspaceEdit, refused when a file is no longer the one they were made for.
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { hashText } from '../../core/base/hash.ts';
import { HumanError } from '../../core/base/humanError.ts';
import type { FileEdit } from '../../core/model/edit.ts';
import { toUri } from '../folders.ts';
import { carryOver } from './carryOver.ts';

/** What the files of an edit looked like when it was shown: who accepts it accepts it for those texts. */
export type ShownTexts = ReadonlyMap<string, string>;

/**
 * Applies all edits or none, and saves the files that had no unsaved changes before; others stay unsaved, with the user's
 * changes and the edit in them. Throws a `stale` HumanError when a file changed since, on disk, where the edit is, or after it
 * was `shown`; nothing is lost then.
 */
export async function applyEdits(
  root: string,
  edits: readonly FileEdit[],
  label: string,
  shown?: ShownTexts,
): Promise<void> {
  const prepared = await Promise.all(edits.map((edit) => prepare(root, edit)));
  const change = new vscode.WorkspaceEdit();
  for (const { document, text, edit, changes } of prepared) {
    // VS Code hands this edit over with the version of the document as of now, and refuses it for another one.
    if (document.getText() !== text) throw stale(edit.file);
    if (shown !== undefined && shown.get(edit.file) !== hashText(text)) throw stale(edit.file);
    for (const { range, newText } of changes)
      change.replace(document.uri, range, newText, { needsConfirmation: false, label });
  }
  const clean = prepared.map(({ document }) => document).filter((document) => !document.isDirty);
  if (!(await vscode.workspace.applyEdit(change))) throw stale(edits.map(({ file }) => file).join(', '));
  const saved = await Promise.all(clean.map((document) => document.save()));
  if (saved.some((done) => !done)) {
    throw new HumanError('read-only', 'The fix is in the editor, but the file could not be saved.', {
      remedy: 'Save the file, or undo the change.',
    });
  }
}

/** The text of a file after its edit, for a diff, and the hash of what it is now. Throws `stale` like `applyEdits`. */
export async function editedText(
  root: string,
  edit: FileEdit,
): Promise<{ readonly after: string; readonly shownFor: string }> {
  const { document, text, changes } = await prepare(root, edit);
  let after = text;
  const fromTheEnd = [...changes].sort((a, b) => b.range.start.compareTo(a.range.start));
  for (const { range, newText } of fromTheEnd)
    after =
      after.slice(0, document.offsetAt(range.start)) + newText + after.slice(document.offsetAt(range.end));
  return { after, shownFor: hashText(text) };
}

interface Prepared {
  readonly edit: FileEdit;
  readonly document: vscode.TextDocument;
  /** What the document held when the ranges were counted. */
  readonly text: string;
  readonly changes: readonly { readonly range: vscode.Range; readonly newText: string }[];
}

async function prepare(root: string, edit: FileEdit): Promise<Prepared> {
  const uri = toUri(root, edit.file);
  if (uri === undefined) throw stale(edit.file);
  const document = await openDocument(uri, edit.file);
  // VS Code drops a byte order mark and may unify line ends: the disk has the text that was hashed.
  const onDisk = await readFile(uri.fsPath, 'utf8').catch(() => undefined);
  const text = document.getText();
  const madeFor = [text, ...(onDisk === undefined ? [] : [onDisk])].find(
    (candidate) => hashText(candidate) === edit.before,
  );
  if (madeFor === undefined) throw stale(edit.file);
  const isSame = plain(text) === plain(madeFor);
  // A document that is not dirty and yet another text than the disk is about to be read anew.
  if (!isSame && !document.isDirty) throw stale(edit.file);
  const carry = carryOver(plain(madeFor), plain(text));
  const position = positionsIn(madeFor);
  const changes = edit.changes.map(({ start, end, newText }) => {
    const made = { start: position(start), end: position(end) };
    const range = isSame ? made : carry(made);
    if (range === undefined) throw stale(edit.file);
    const { start: from, end: to } = range;
    return { range: new vscode.Range(from.line, from.character, to.line, to.character), newText };
  });
  return { edit, document, text, changes };
}

async function openDocument(uri: vscode.Uri, file: string): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    throw stale(file);
  }
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
    remedy: 'Nothing was changed; request the fix again.',
  });
}
