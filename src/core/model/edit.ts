// Edits of files: offsets into an exact text, so that an edit of a file that changed since is noticed and refused.
import { HumanError } from '../base/humanError.ts';
import { hashText } from '../base/hash.ts';
import type { FileEdit, TextChange } from './fileEdit.ts';

export { fileEditSchema, type FileEdit, type TextChange } from './fileEdit.ts';

/** Makes the edit of a file from its text as read and the changes wanted; where all lines end as on Windows, new ones do so too. */
export function fileEdit(file: string, text: string, changes: readonly TextChange[]): FileEdit {
  // Whoever made changes that exclude each other is told so, not those who would apply them.
  applyChanges(changes, text);
  const isWindows = text.includes('\r\n') && !/(?:^|[^\r])\n/.test(text);
  const own = isWindows
    ? changes.map((change) => ({ ...change, newText: change.newText.replace(/\r?\n/g, '\r\n') }))
    : changes;
  return {
    file,
    before: hashText(text),
    changes: [...own].sort((a, b) => a.start - b.start || a.end - b.end),
  };
}

/** The text after the edit. Throws a `stale` HumanError when the text is not the one the edit was made for. */
export function applyEdit(edit: FileEdit, text: string): string {
  if (hashText(text) !== edit.before) {
    throw new HumanError('stale', `${edit.file} changed after the fix was proposed.`, {
      file: edit.file,
      remedy: 'Nothing was changed; request the fix again.',
    });
  }
  return applyChanges(edit.changes, text);
}

/** Applies sorted or unsorted changes; throws when two overlap. */
export function applyChanges(changes: readonly TextChange[], text: string): string {
  let result = '';
  let position = 0;
  for (const change of [...changes].sort((a, b) => a.start - b.start || a.end - b.end)) {
    if (change.start < position || change.end < change.start || change.end > text.length)
      throw new Error('overlapping or invalid changes');
    result += text.slice(position, change.start) + change.newText;
    position = change.end;
  }
  return result + text.slice(position);
}

/** As `editsAreCompatible`, where the same change in both is made once. */
export function editsCanShare(a: readonly FileEdit[], b: readonly FileEdit[]): boolean {
  const rest = (edits: readonly FileEdit[], others: readonly FileEdit[]): readonly FileEdit[] =>
    edits.map((edit) => {
      const known = others.filter(({ file, before }) => file === edit.file && before === edit.before);
      const isShared = (change: TextChange): boolean =>
        known.some(({ changes }) => changes.some((other) => isSame(change, other)));
      return { ...edit, changes: edit.changes.filter((change) => !isShared(change)) };
    });
  return editsAreCompatible(rest(a, b), rest(b, a));
}

const isSame = (a: TextChange, b: TextChange): boolean =>
  a.start === b.start && a.end === b.end && a.newText === b.newText;

/** True when both edits can be made together: no file of both has changes that touch. */
export function editsAreCompatible(a: readonly FileEdit[], b: readonly FileEdit[]): boolean {
  return a.every((left) =>
    b.every(
      (right) =>
        left.file !== right.file ||
        (left.before === right.before &&
          left.changes.every((x) => right.changes.every((y) => x.end < y.start || y.end < x.start))),
    ),
  );
}
