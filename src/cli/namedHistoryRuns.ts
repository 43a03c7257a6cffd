// How many runs the history keeps, as the environment of a command says it.
import { HumanError } from '../core/base/humanError.ts';
import { historyRuns } from '../core/model/historyRuns.ts';

/** `TESTMEND_HISTORY_RUNS`; undefined where it is not set. Throws a `usage` HumanError for what is no such number. */
export function namedHistoryRuns(): number | undefined {
  const text = process.env['TESTMEND_HISTORY_RUNS'] ?? '';
  if (text === '') return undefined;
  const runs = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (runs >= 1 && runs <= historyRuns.most) return runs;
  throw new HumanError('usage', 'TESTMEND_HISTORY_RUNS is no number of runs to keep.', {
    value: text.slice(0, 100),
    remedy: `Set it to a whole number from 1 to ${historyRuns.most}, or leave it out for ${historyRuns.usual}.`,
  });
}
