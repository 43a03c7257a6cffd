// The fixes of a cycle that the user takes: which they are, writing them, and remembering what is a bug instead.
import path from 'node:path';
import type { CycleFix, CycleReport } from '../core/model/cycle.ts';
import { applyToWorkspace } from '../core/sandbox/applyEdits.ts';
import type { BugDecisions } from '../core/workspace/bugDecisions.ts';
import { composeEdits } from '../core/workspace/composeEdits.ts';
import { readText } from '../core/workspace/readText.ts';
import type { CommandContext } from './command.ts';
import type { Questions } from './questions.ts';
import type { OpenedWorkspace } from './workspaceOptions.ts';

/** Those that somebody said yes to, or with `--apply` those that need nobody's yes; none once the command is interrupted, be it at a question. */
export async function chooseFixes(
  { fixes }: CycleReport,
  { options, signal }: CommandContext,
  questions: Questions | undefined,
): Promise<readonly CycleFix[]> {
  if (signal.aborted) return [];
  if (questions)
    return questions.chooseAtEnd(fixes, options.flag('apply')).catch((error: unknown) => {
      if (signal.aborted) return [];
      throw error;
    });
  const isVerified = (fix: CycleFix): boolean => fix.verdict.verdict === 'verified';
  return options.flag('apply') ? fixes.filter((fix) => fix.state === 'accepted' && isVerified(fix)) : [];
}

/** All or none. Throws a HumanError when one of the files cannot be written, or is not what it was. */
export async function applyFixes(
  cycle: CycleReport,
  accepted: readonly CycleFix[],
  { workspace }: OpenedWorkspace,
): Promise<void> {
  if (accepted.length === 0) return;
  const kept = cycle.fixes.filter((fix) => fix.state !== 'declined');
  const edits = await composeEdits({
    kept,
    accepted,
    read: (file) => readText(path.join(workspace.root, file)),
  });
  await applyToWorkspace(workspace.root, edits, workspace.cacheFolder);
}

/** Until the tests or the source change. */
export async function rememberBug(fix: CycleFix, decisions: BugDecisions): Promise<void> {
  const source = fix.sourceChange ? [fix.sourceChange.location.file] : [];
  for (const id of fix.failures) await decisions.add(id, [...fix.edits.map(({ file }) => file), ...source]);
}
