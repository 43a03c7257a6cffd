// One edit that several failing tests need is one fix, and one change of a file that several of them need is made once.
import type { Stop } from '../diagnosis/valueStops.ts';
import { fileEdit } from '../model/edit.ts';
import type { FileEdit, TextChange } from '../model/fileEdit.ts';
import type { Fix } from '../model/fix.ts';

/** Adds the fix of one more test, by its id. */
export function addFix(fixes: Map<string, Fix>, fix: Fix): void {
  const same = fixes.get(fix.id);
  fixes.set(fix.id, same === undefined ? fix : together(same, fix));
}

/** The same edit for two tests: what speaks against it in one of them does so for both. */
function together(one: Fix, other: Fix): Fix {
  const stops = distinctStops([...(one.stops ?? []), ...(other.stops ?? [])]);
  return {
    ...one,
    failures: [...one.failures, ...other.failures],
    trust: stops.length > 0 || other.trust === 'propose' ? 'propose' : one.trust,
    confidence: Math.min(one.confidence, other.confidence),
    ...((one.byTrial ?? other.byTrial) && { byTrial: true as const }),
    ...(stops.length > 0 && { stops }),
  };
}

/** Each reason once. */
export function distinctStops(stops: readonly Stop[]): Stop[] {
  return [...new Map(stops.map((stop) => [stop.reason, stop])).values()];
}

interface ReadFile {
  readonly file: string;
  readonly text: string;
}

/** One edit for each file, with each change once. */
export function editsOf(changed: readonly (readonly [ReadFile, readonly TextChange[]])[]): FileEdit[] {
  const byFile = new Map<string, { readonly text: string; readonly changes: Map<string, TextChange> }>();
  for (const [{ file, text }, changes] of changed) {
    const known = byFile.get(file) ?? { text, changes: new Map<string, TextChange>() };
    byFile.set(file, known);
    for (const change of changes) known.changes.set(JSON.stringify(change), change);
  }
  return [...byFile].map(([file, { text, changes }]) => fileEdit(file, text, [...changes.values()]));
}
