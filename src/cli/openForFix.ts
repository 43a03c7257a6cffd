// Opens the workspace of `testmend fix`, whose test files have to be known.
import { isListingInDoubt, learnTestFiles } from '../core/engine/learnTestFiles.ts';
import { plainLine } from '../core/reports/paint.ts';
import type { CommandContext } from './command.ts';
import { LiveLine } from './liveLine.ts';
import { runProgress } from './runProgress.ts';
import type { OpenedWorkspace } from '../core/engine/openWorkspace.ts';
import { openedFrom } from './workspaceOptions.ts';

/**
 * The workspace of the command. Where no test file is listed, or one that was named holds tests and is not, everything runs once
 * before, and what the frameworks ran is listed.
 */
export async function openForFix(context: CommandContext): Promise<OpenedWorkspace> {
  const opened = await openedFrom(context);
  if (!(await isListingInDoubt(context.files, opened))) return opened;
  const { terminal, signal } = context;
  await terminal.err(`! ${plainLine('All tests run once first, to find out which files they are in.')}\n`);
  const live = new LiveLine(terminal);
  const progress = runProgress(live, '');
  const isChanged = await learnTestFiles(opened, signal, (event) => progress.onEvent?.(event)).finally(() =>
    live.clear(),
  );
  return isChanged ? openedFrom(context) : opened;
}
