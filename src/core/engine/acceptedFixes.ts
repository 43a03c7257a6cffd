// What a person called a bug of the source instead of accepting the fix of its test.
import { cornerOf, userStateFolder } from '../base/userFolders.ts';
import type { CycleFix } from '../model/cycle.ts';
import { BugDecisions } from '../workspace/bugDecisions.ts';

export type { BugDecisions } from '../workspace/bugDecisions.ts';

/** What the user called a bug of the source in this root; kept in the user's state. */
export const bugDecisionsOf = (root: string): BugDecisions =>
  new BugDecisions(root, cornerOf(root, userStateFolder()));

/** Until the tests or the source change. */
export async function rememberBug(fix: CycleFix, decisions: BugDecisions): Promise<void> {
  const source = fix.sourceChange ? [fix.sourceChange.location.file] : [];
  for (const id of fix.failures) await decisions.add(id, [...fix.edits.map(({ file }) => file), ...source]);
}
