// The fix cycle that was killed before this command: taken up, discarded, or told of.
import { clockTime } from '../core/base/clockTime.ts';
import { HumanError } from '../core/base/humanError.ts';
import {
  discardCycle,
  formerCycleOf,
  refuseWhileCycling,
  type FormerCycle,
} from '../core/engine/formerCycle.ts';
import type { Workspace } from '../core/model/settings.ts';
import { doneText } from '../core/model/resumedText.ts';
import type { CommandContext } from './command.ts';
import type { Ask } from './questions.ts';

/**
 * The killed cycle that this one is to take up. Asks for it at a terminal, unless files are named; else says on stderr that there is one.
 * Throws a `usage` HumanError for --resume without such a cycle, a `busy` one while its process lives.
 */
export async function formerCycleFor(
  { options, files, terminal }: CommandContext,
  workspace: Workspace,
  ask: Ask | undefined,
): Promise<FormerCycle | undefined> {
  const [resumes, discards] = [options.flag('resume'), options.flag('discard')];
  if (resumes && discards)
    throw usage('--resume and --discard exclude each other.', 'Leave one of them out.');
  if (resumes && files.length > 0)
    throw usage(
      '--resume continues with the files of the killed cycle and accepts no others.',
      'Leave the files out.',
      files.join(' '),
    );
  const former = await formerCycleOf(workspace);
  if (former === undefined) {
    if (!resumes) return undefined;
    await refuseWhileCycling(workspace.root);
    throw usage(
      'There is no killed fix cycle to resume.',
      'Leave --resume out: a new cycle finds the fixes again.',
      workspace.root,
    );
  }
  if (resumes) return former;
  const discard = async (): Promise<undefined> => {
    await discardCycle(workspace, former);
    return undefined;
  };
  if (discards) return discard();
  if (ask === undefined || files.length > 0) {
    await terminal.err(`! ${formerText(former)} Resume it with --resume, or discard it with --discard.\n`);
    return undefined;
  }
  const answer = await ask(`${formerText(former)} Resume it?`, [
    { key: 'y', label: 'Yes' },
    { key: 'n', label: 'No, start a new one' },
    { key: 'd', label: 'Discard it and start a new one' },
  ]);
  if (answer === 'd') await discard();
  return answer === 'y' ? former : undefined;
}

/** "A fix cycle of 14:02 was killed after 3 iterations with 5 proven fixes." */
function formerText({ startedAt, iterations, fixes }: FormerCycle, now?: number): string {
  const proven = fixes.filter(({ said }) => said === undefined || said === 'accept').length;
  return `A fix cycle of ${clockTime(startedAt, now)} was killed ${doneText(iterations, proven)}.`;
}

const usage = (message: string, remedy: string, value?: string): HumanError =>
  new HumanError('usage', message, { remedy, ...(value === undefined ? {} : { value }) });
