// What a patch makes tests expect instead, as the gate reads it: a pass says that the code does it, not that anybody wants it.
import { readSnapshotFile } from '../fixes/snapshots/snapshotFile.ts';
import { diffOfLines } from '../workspace/lineDiff.ts';
import { changedValue, type ChangedValue } from './changedValue.ts';
import type { FileChange } from './fileFacts.ts';
import { changedInGo } from './go/checkGo.ts';
import { lineOf } from './parseSource.ts';
import { changedInPython, type Followed } from './python/checkPython.ts';
import type { ReadSource } from './repointedImports.ts';
import { changedValues } from './undeclared.ts';

export interface ChangedExpectation extends ChangedValue {
  /** Relative to the root, POSIX separators. */
  readonly file: string;
}

interface ChangedExpectationsOptions {
  readonly readSource: ReadSource;
  /** Of Python files (`followedMoves`). */
  readonly followed: ReadonlyMap<string, readonly Followed[]>;
  readonly isTestFile: (file: string) => boolean;
}

/**
 * Pure, but for the sources that it is given: other values where tests write down what they expect, in the order of the patch. Where a
 * change is more than that, those of its values that can be told; whether the patch is right is not asked here.
 */
export function changedExpectations(
  changes: readonly FileChange[],
  options: ChangedExpectationsOptions,
): readonly ChangedExpectation[] {
  return changes.flatMap((change) =>
    valuesIn(change, options).map((value) => ({ file: change.file, ...value })),
  );
}

function valuesIn(
  change: FileChange,
  { readSource, followed, isTestFile }: ChangedExpectationsOptions,
): readonly ChangedValue[] {
  const { file, before, after } = change;
  // New files expect what nobody expected before; what is gone is a violation.
  if (before === undefined || after === undefined) return [];
  if (/\.snap$/i.test(file)) return inSnapshots(before, after);
  if (/\.py$/i.test(file)) return changedInPython(change, readSource, followed.get(file));
  if (/\.go$/i.test(file)) return changedInGo(change, readSource);
  if (!/\.[cm]?[jt]sx?$/i.test(file)) return [];
  return [...changedValues(change, isTestFile, readSource)].flatMap(([old, now]) =>
    changedValue(old.getText(), now.getText(), lineOf(now)),
  );
}

/** By their names; the lines that differ where it is no snapshot file as frameworks write them. */
function inSnapshots(before: string, after: string): readonly ChangedValue[] {
  const [was, is] = [readSnapshotFile(before), readSnapshotFile(after)];
  if (was === undefined || is === undefined) return changedTexts(before, after);
  const values = new Map(was.map(({ name, value }) => [name, value]));
  return is.flatMap(({ name, value, start }) =>
    changedValue(values.get(name) ?? value, value, after.slice(0, start).split('\n').length),
  );
}

function changedTexts(before: string, after: string): readonly ChangedValue[] {
  const changed: ChangedValue[] = [];
  let [line, old] = [1, ''];
  for (const { added, removed, value, count } of diffOfLines(before, after)) {
    if (added) changed.push(...changedValue(old.trimEnd(), value.trimEnd(), line));
    old = removed ? value : '';
    if (!removed) line += count;
  }
  return changed;
}
