// The fixes of a cycle that somebody accepted: writing them, and remembering what is a bug of the source instead.
import path from 'node:path';
import { cornerOf, userStateFolder } from '../base/userFolders.ts';
import type { CycleFix, CycleReport } from '../model/cycle.ts';
import type { Workspace } from '../model/settings.ts';
import { applyToWorkspace } from '../sandbox/applyEdits.ts';
import { BugDecisions } from '../workspace/bugDecisions.ts';
import { composeEdits } from '../workspace/composeEdits.ts';
import { readText } from '../workspace/readText.ts';

export type { BugDecisions } from '../workspace/bugDecisions.ts';

/** All or none. Throws a HumanError when one of the files cannot be written, or is not what it was. */
export async function applyFixes(
  cycle: Pick<CycleReport, 'fixes'>,
  accepted: readonly CycleFix[],
  { root, cacheFolder }: Workspace,
): Promise<void> {
  if (accepted.length === 0) return;
  const kept = cycle.fixes.filter((fix) => fix.state !== 'declined');
  const edits = await composeEdits({
    kept,
    accepted,
    read: (file) => readText(path.join(root, file)),
  });
  await applyToWorkspace(root, edits, cacheFolder);
}

/** What the user called a bug of the source in this root; kept in the user's state. */
export const bugDecisionsOf = (root: string): BugDecisions =>
  new BugDecisions(root, cornerOf(root, userStateFolder()));

/** Until the tests or the source change. */
export async function rememberBug(fix: CycleFix, decisions: BugDecisions): Promise<void> {
  const source = fix.sourceChange ? [fix.sourceChange.location.file] : [];
  for (const id of fix.failures) await decisions.add(id, [...fix.edits.map(({ file }) => file), ...source]);
}
