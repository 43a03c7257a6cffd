// Runs a fix cycle while its steps are told: on stdout for people, on stderr where stdout belongs to a document or to events.
import { runCycle, type CycleRequest } from '../core/engine/cycleRequest.ts';
import type { CycleFix, CycleReport } from '../core/model/cycle.ts';
import { cycleReporter } from '../core/reports/cycleReporter.ts';
import type { CommandContext } from './command.ts';
import type { CycleTellers } from './cycleTellers.ts';
import { LiveLine } from './liveLine.ts';
import type { Questions } from './questions.ts';

/** The report of the sandbox, as the cycle ends with it. */
export async function tellCycle(
  request: CycleRequest,
  { terminal }: CommandContext,
  questions: Questions | undefined,
  tellers: Pick<CycleTellers, 'ownsStdout' | 'onEvent'>,
): Promise<CycleReport> {
  const live = new LiveLine(terminal);
  const isAside = terminal.json || tellers.ownsStdout;
  const reporter = cycleReporter({
    paint: isAside ? terminal.errorPaint : terminal.paint,
    width: terminal.width,
    asks: questions !== undefined,
    write: (text) => void (isAside ? terminal.err(text) : terminal.out(text)),
    progress: (text) => (text === undefined ? live.clear() : live.show(text)),
  });
  const { accept } = request;
  // A question is no place for a spinner.
  const quietly = accept && ((fix: CycleFix) => (live.clear(), accept(fix)));
  let report: CycleReport | undefined;
  try {
    for await (const event of runCycle({
      ...request,
      ...(quietly ? { accept: quietly } : {}),
      onProgress: (text) => live.show(text),
    })) {
      questions?.onEvent(event);
      tellers.onEvent(event);
      reporter.onEvent?.(event);
      if (event.type === 'cycleEnded') report = event.report;
    }
  } finally {
    live.clear();
  }
  if (!report) throw new Error('the fix cycle ended without a report');
  return report;
}
