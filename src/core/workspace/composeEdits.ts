// Some of the fixes of a cycle as edits of the files on disk, although later fixes were made on top of earlier ones.
import { HumanError } from '../base/humanError.ts';
import { hashText } from '../base/hash.ts';
import { applyChanges, fileEdit } from '../model/edit.ts';
import type { FileEdit, TextChange } from '../model/edit.ts';

export interface EditsOfFix {
  readonly edits: readonly FileEdit[];
}

interface ComposeRequest {
  /** Fixes that lay in the sandbox together, in the order they were proven. */
  readonly kept: readonly EditsOfFix[];
  /** Fixes to compose: of the kept ones, or others made for a text that the kept ones lead to. */
  readonly accepted: readonly EditsOfFix[];
  /** Text on disk of a file relative to the root. */
  readonly read: (file: string) => Promise<string | undefined>;
}

/**
 * One edit per file that makes the accepted changes and none of the others. Throws a `stale` HumanError when a file on disk is
 * not the one the cycle started from, or when an accepted change lies inside one that was not accepted.
 */
export async function composeEdits({ kept, accepted, read }: ComposeRequest): Promise<readonly FileEdit[]> {
  const files = new Set(accepted.flatMap((fix) => fix.edits.map((edit) => edit.file)));
  return Promise.all(
    [...files].map(async (file) => {
      const text = (await read(file)) ?? '';
      const own = (fixes: readonly EditsOfFix[]): FileEdit[] =>
        fixes.flatMap((fix) => fix.edits.filter((edit) => edit.file === file));
      return composeFile(file, text, own(kept), own(accepted));
    }),
  );
}

function composeFile(
  file: string,
  disk: string,
  kept: readonly FileEdit[],
  accepted: readonly FileEdit[],
): FileEdit {
  const waiting = new Set(accepted);
  const seen = new Set<string>();
  let text = disk;
  /** What leads from `text`, in which all kept changes so far are made, to the text that is wanted. */
  let deviation: TextChange[] = [];
  for (let hash = hashText(text); !seen.has(hash); hash = hashText(text)) {
    seen.add(hash);
    const taken = [...waiting].filter((edit) => edit.before === hash);
    for (const edit of taken) waiting.delete(edit);
    const stage = unique(kept.filter((edit) => edit.before === hash).flatMap((edit) => edit.changes));
    const wanted = unique(taken.flatMap((edit) => edit.changes));
    deviation.push(...wanted.filter((change) => !includes(stage, change)));
    if (stage.length === 0) continue;
    const undone = stage.filter((change) => !includes(wanted, change));
    deviation = [
      ...deviation.map((change) => movedBy(stage, change, file)),
      ...undone.map((change) => inverseAmong(stage, change, text)),
    ];
    text = applyChanges(stage, text);
  }
  if (waiting.size > 0) throw stale(file);
  const result = tryApply(deviation, text, file);
  const direct = unique(accepted.flatMap((edit) => edit.changes));
  // As long as nothing was built on top of anything, the changes themselves are the smallest edit.
  return accepted.every((edit) => edit.before === hashText(disk))
    ? fileEdit(file, disk, direct)
    : fileEdit(file, disk, spanningChange(disk, result));
}

const same = (a: TextChange, b: TextChange): boolean =>
  a.start === b.start && a.end === b.end && a.newText === b.newText;
const includes = (changes: readonly TextChange[], change: TextChange): boolean =>
  changes.some((other) => same(other, change));
const unique = (changes: readonly TextChange[]): TextChange[] =>
  changes.filter((change, index) => changes.findIndex((other) => same(other, change)) === index);

/** How far the changes before `position` move it. */
const shiftAt = (stage: readonly TextChange[], position: number): number =>
  stage.reduce(
    (sum, one) => (one.end <= position ? sum + one.newText.length - (one.end - one.start) : sum),
    0,
  );

/** The change as it is for the text after the stage. */
function movedBy(stage: readonly TextChange[], change: TextChange, file: string): TextChange {
  if (stage.some((one) => one.start < change.end && change.start < one.end)) throw stale(file);
  const shift = shiftAt(stage, change.start);
  return { start: change.start + shift, end: change.end + shift, newText: change.newText };
}

/** What takes one change of the stage back, for the text after the stage. */
function inverseAmong(stage: readonly TextChange[], change: TextChange, before: string): TextChange {
  const others = stage.filter((one) => !same(one, change));
  const start = change.start + shiftAt(others, change.start);
  return { start, end: start + change.newText.length, newText: before.slice(change.start, change.end) };
}

function tryApply(changes: readonly TextChange[], text: string, file: string): string {
  try {
    return applyChanges(changes, text);
  } catch {
    throw stale(file);
  }
}

/** The one change that leads from `before` to `after`; none when they are equal. */
export function spanningChange(before: string, after: string): TextChange[] {
  if (before === after) return [];
  const limit = Math.min(before.length, after.length);
  let head = 0;
  while (head < limit && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < limit - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return [{ start: head, end: before.length - tail, newText: after.slice(head, after.length - tail) }];
}

function stale(file: string): HumanError {
  return new HumanError('stale', `The chosen fixes no longer fit ${file}.`, {
    file,
    remedy: 'Nothing was changed; start the fixes again, or accept the fixes of this file together.',
  });
}
