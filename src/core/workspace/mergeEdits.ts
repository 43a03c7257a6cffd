// Joins edits of several fixes into one edit for each file text.
import { applyEdit, type FileEdit } from '../model/edit.ts';

/** Edits made for the same text of the same file become one; the order of files and texts stays. */
export function mergeEdits(edits: readonly FileEdit[]): readonly FileEdit[] {
  const merged = new Map<string, FileEdit>();
  for (const edit of edits) {
    const key = `${edit.file}\0${edit.before}`;
    const earlier = merged.get(key);
    merged.set(key, {
      file: edit.file,
      before: edit.before,
      // Two fixes may both need the same change, an import for instance: it is made once.
      changes: [...(earlier?.changes ?? []), ...edit.changes.filter((change) => !has(earlier, change))],
    });
  }
  return [...merged.values()];
}

/** What the files hold after all of the edits, in which one may follow another; throws where one does not fit. */
export async function editedTexts(
  edits: readonly FileEdit[],
  readText: (file: string) => Promise<string | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const edit of mergeEdits(edits))
    texts.set(edit.file, applyEdit(edit, texts.get(edit.file) ?? (await readText(edit.file)) ?? ''));
  return texts;
}

function has(edit: FileEdit | undefined, change: FileEdit['changes'][number]): boolean {
  return (
    edit?.changes.some(
      (other) => other.start === change.start && other.end === change.end && other.newText === change.newText,
    ) ?? false
  );
}
