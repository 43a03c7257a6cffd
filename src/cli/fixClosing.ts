// What a terminal shows at the end of `testmend fix`: the summary, what was written where, and what one can do next.
import type { CycleFix, CycleReport } from '../core/model/cycle.ts';
import { isProven, type CycleOutcome } from '../core/reports/cycleOutcome.ts';
import { cycleSummary } from '../core/reports/cycleSummary.ts';
import { plainLine, plural } from '../core/reports/paint.ts';
import type { CommandContext } from './command.ts';
import { howToApply } from './howToApply.ts';

/** Starts with an empty line and ends with a newline; `written` are the options whose files could be written. */
export function fixClosing(
  { report, applied }: CycleOutcome,
  { options, terminal, files }: Pick<CommandContext, 'options' | 'terminal' | 'files'>,
  written: ReadonlySet<string>,
): string {
  const left = report.fixes.filter((fix) => isProven(fix) && !applied.has(fix.id));
  const patch = options.text('patch');
  const hasPatch = patch !== undefined && written.has('patch');
  const lines: string[] = [];
  if (applied.size > 0) lines.push(terminal.paint.green(`${plural(applied.size, 'fix', 'fixes')} applied.`));
  if (hasPatch) lines.push(patchText(report, plainLine(patch)));
  if (left.length > 0)
    lines.push(
      `${plural(left.length, 'proven fix', 'proven fixes')} not applied. To apply ${left.length === 1 ? 'it' : 'them'}:`,
      // A patch also holds what is in the workspace by now.
      ...howToApply(left, { options, files }, hasPatch && applied.size === 0 ? patch : undefined),
    );
  const pack = options.text('hand-over');
  if (pack !== undefined && written.has('hand-over'))
    lines.push(`Everything known about the remaining failures is in ${plainLine(pack)}`);
  if (pack === undefined && report.remaining.some(({ handOver }) => handOver !== undefined))
    lines.push('--hand-over FILE writes everything known about the remaining failures to FILE.');
  return '\n' + cycleSummary(report, terminal) + (lines.length > 0 ? `\n${lines.join('\n')}\n` : '');
}

/** "2 proven fixes are in F (1 changed expectation that nobody accepted yet).", then "3 proposals that only you may choose are not." */
function patchText({ patch, fixes }: Pick<CycleReport, 'patch' | 'fixes'>, file: string): string {
  const isVerified = ({ verdict }: CycleFix): boolean => verdict.verdict === 'verified';
  const byHand = fixes.filter((fix) => fix.trust === 'propose' && isVerified(fix)).length;
  const held = fixes.filter((fix) => fix.trust !== 'propose' && isProven(fix));
  const open = held.filter(({ state }) => state === 'unreviewed').length;
  const waiting = open === 0 ? '' : ` (${plural(open, 'changed expectation')} that nobody has accepted yet)`;
  const head =
    patch === ''
      ? `No proven fix can be written as a patch: ${file} is empty`
      : `${plural(held.length, 'proven fix', 'proven fixes')} ${held.length === 1 ? 'is' : 'are'} in ${file}${waiting}`;
  if (byHand === 0) return `${head}.`;
  return `${head}.\n${plural(byHand, 'proposal')} that only you can choose ${byHand === 1 ? 'is' : 'are'} not.`;
}
