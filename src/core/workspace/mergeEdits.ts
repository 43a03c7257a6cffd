// Joins edits of several fixes into one edit for each file text.
import type { FileEdit } from '../model/edit.ts';

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

function has(edit: FileEdit | undefined, change: FileEdit['changes'][number]): boolean {
  return (
    edit?.changes.some(
      (other) => other.start === change.start && other.end === change.end && other.newText === change.newText,
    ) ?? false
  );
}
