// What a terminal shows at the end of `testmend fix`: the summary, what was written where, and what one can do next.
import { isProven, type CycleOutcome } from '../core/reports/cycleOutcome.ts';
import { cycleSummary } from '../core/reports/cycleSummary.ts';
import { plural } from '../core/reports/paint.ts';
import type { CommandContext } from './command.ts';

/** Starts with an empty line and ends with a newline. */
export function fixClosing(
  { report, applied }: CycleOutcome,
  { options, terminal }: Pick<CommandContext, 'options' | 'terminal'>,
): string {
  const left = report.fixes.filter((fix) => isProven(fix) && !applied.has(fix.id)).length;
  const patch = options.text('patch');
  const lines: string[] = [];
  if (applied.size > 0) lines.push(terminal.paint.green(`${plural(applied.size, 'fix', 'fixes')} applied.`));
  if (left > 0) lines.push(`${plural(left, 'proven fix', 'proven fixes')} not applied.`);
  if (left > 0 && !terminal.interactive && !options.flag('apply'))
    lines.push('Write those that change no meaning with --apply; at a terminal you decide about the rest.');
  if (patch !== undefined) lines.push(`Everything proven is in ${patch}`);
  const pack = options.text('hand-over');
  if (pack !== undefined) lines.push(`What is known of the remaining failures is in ${pack}`);
  else if (report.remaining.some(({ handOver }) => handOver !== undefined))
    lines.push(
      'Run it with --hand-over FILE to write down all that is known of what still fails, for a colleague or an agent.',
    );
  return '\n' + cycleSummary(report, terminal) + (lines.length > 0 ? `\n${lines.join('\n')}\n` : '');
}
