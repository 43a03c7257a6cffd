// Runs the same tests several times over, and tells at the end what became of each: failed once is failed.
import type { RunEvent, RunSummary } from '../model/testResult.ts';
import { mergeRepeats } from '../run/repeats.ts';

/** The worst result of each test, told once after the last run; whoever both passed and failed is named in a note. */
export async function runRepeatedly(
  times: number,
  run: (onEvent: (event: RunEvent) => void) => Promise<RunSummary>,
  onEvent: (event: RunEvent) => void,
): Promise<RunSummary> {
  const runs: RunSummary[] = [];
  for (let time = 1; time <= times; time++) {
    const summary = await run((event) => {
      if (event.type !== 'testEnded' && event.type !== 'note') onEvent(event);
    });
    runs.push(summary);
    const { passed, failed, errored, ended } = summary;
    const text = `Run ${time} of ${times}: ${passed} passed, ${failed + errored} failed.\n`;
    onEvent({ type: 'output', stream: 'stdout', text });
    if (ended !== 'complete') break;
  }
  const { summary } = mergeRepeats(runs);
  for (const result of summary.tests) onEvent({ type: 'testEnded', result });
  for (const note of summary.notes) onEvent({ type: 'note', text: note });
  return summary;
}
