// Which fixes of a cycle the user takes.
import type { CycleFix, CycleReport } from '../core/model/cycle.ts';
import type { CommandContext } from './command.ts';
import type { Questions } from './questions.ts';

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
