// The texts of the resources: what is known of the last run of a root, and of the runs before it.
import { HumanError } from '../core/base/humanError.ts';
import { toldByAnswer } from '../core/engine/discretion.ts';
import { htmlReportOf } from '../core/engine/reportOfRun.ts';
import { lastRun, type StoredRun } from '../core/engine/runStore.ts';
import { jsonReport } from '../core/reports/jsonReporter.ts';
import { planOf } from './tools/history.ts';

export const resourceTexts = {
  json: async (root: string): Promise<string> => {
    const run = await newestRun(root);
    return JSON.stringify(jsonReport(run.summary, new Set(run.flaky), await toldByAnswer(run, [root])));
  },
  html: async (root: string): Promise<string> => htmlReportOf(root, await newestRun(root)),
  plan: planOf,
} as const;

async function newestRun(root: string): Promise<StoredRun> {
  const run = await lastRun(root);
  if (run !== undefined) return run;
  throw new HumanError('stale', 'No run is known.', { remedy: 'Call run_tests first.' });
}
