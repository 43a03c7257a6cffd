// Joins fixes that make the same change at many places into one, to be proven or rejected as a whole (CONTRACTS T5, aggressive).
import { hashText } from '../base/hash.ts';
import { editsAreCompatible, editsCanShare } from '../model/edit.ts';
import type { Fix } from '../model/fix.ts';
import { changeKey, reachText } from '../model/fixCounts.ts';
import { gateOf } from '../policy/gateOf.ts';
import { mergeEdits } from '../workspace/mergeEdits.ts';

/** Fixes that make the same change, in groups; one without an equal is a group of its own. */
export function groupFixes(fixes: readonly Fix[]): readonly (readonly Fix[])[] {
  const groups: Fix[][] = [];
  for (const fix of fixes) {
    const group = groups.find(
      ([first, ...others]) =>
        first !== undefined &&
        changeKey(first) === changeKey(fix) &&
        [first, ...others].every((other) => canJoin(other, fix)),
    );
    if (group === undefined) groups.push([fix]);
    else group.push(fix);
  }
  return groups;
}

/** Chains may begin with the same step. */
const canJoin = (a: Fix, b: Fix): boolean =>
  (a.parts && b.parts ? editsCanShare : editsAreCompatible)(a.edits, b.edits);

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

/**
 * Different fixes of the same tests as one: those that can be made together, and of which the gate asks the same; undefined for less than
 * two. With one that only a person may apply, all of it is for a person.
 */
export function stackFixes(all: readonly Fix[]): Fix | undefined {
  const trust = all.some((fix) => fix.trust === 'propose') ? 'propose' : 'mechanical';
  const assertedNames = (fix: Fix): string => JSON.stringify(gateOf({ ...fix, trust }));
  const parts: Fix[] = [];
  for (const fix of all) {
    const fits = (other: Fix): boolean =>
      assertedNames(other) === assertedNames(fix) && editsAreCompatible(other.edits, fix.edits);
    if (parts.every(fits)) parts.push(fix);
  }
  const [first, ...rest] = parts;
  if (first === undefined || rest.length === 0) return undefined;
  const edits = [...mergeEdits(parts.flatMap((fix) => fix.edits))];
  return {
    ...first,
    id: hashText(JSON.stringify(['together', trust, edits])),
    title: parts.map(({ title }) => title).join(', and '),
    trust,
    edits,
    failures: first.failures.filter((id) => rest.every(({ failures }) => failures.includes(id))),
    confidence: Math.min(...parts.map(({ confidence }) => confidence)),
    evidence: [...new Set(parts.flatMap(({ evidence }) => evidence))],
    stops: parts.flatMap(({ stops = [] }) => stops),
  };
}
