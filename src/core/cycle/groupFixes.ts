// Joins fixes that make the same change at many places into one, to be proven or rejected as a whole (CONTRACTS T5, aggressive).
import { hashText } from '../base/hash.ts';
import { editsAreCompatible } from '../model/edit.ts';
import type { Fix } from '../model/fix.ts';
import { changeKey, reachText } from '../model/fixCounts.ts';
import { mergeEdits } from '../workspace/mergeEdits.ts';

/** Fixes that make the same change, in groups; one without an equal is a group of its own. */
export function groupFixes(fixes: readonly Fix[]): readonly (readonly Fix[])[] {
  const groups: Fix[][] = [];
  for (const fix of fixes) {
    const group = groups.find(
      ([first, ...others]) =>
        first !== undefined &&
        changeKey(first) === changeKey(fix) &&
        [first, ...others].every((other) => editsAreCompatible(other.edits, fix.edits)),
    );
    if (group === undefined) groups.push([fix]);
    else group.push(fix);
  }
  return groups;
}

/** A group of two or more as one aggressive fix. */
export function joinFixes(group: readonly Fix[]): Fix {
  const [first, ...rest] = group;
  if (first === undefined) throw new Error('an empty group');
  if (rest.length === 0) return first;
  const edits = [...mergeEdits(group.flatMap((fix) => fix.edits))];
  return {
    ...first,
    id: hashText(JSON.stringify([first.provider, edits])),
    title: `${first.title}, ${reachText(group)}`,
    grade: 'aggressive',
    edits,
    failures: [...new Set(group.flatMap(({ failures }) => failures))],
    confidence: Math.min(...group.map(({ confidence }) => confidence)),
    evidence: [...new Set(group.flatMap(({ evidence }) => evidence))],
  };
}
