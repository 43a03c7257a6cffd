// `get_test_history` and `get_optimization_plan`: the last runs of a root, what they show of its tests, and what to do about it.
import { z } from 'zod';
import { redactSecrets } from '../../core/base/redactSecrets.ts';
import { readHistory } from '../../core/engine/runHistory.ts';
import { historyRuns } from '../../core/model/historyRuns.ts';
import { optimizationPlan, planMarkdown, planPriorities } from '../../core/reports/optimizationPlan.ts';
import { isRemarkable, testCategories, testTrends, type TestTrend } from '../../core/reports/testHistory.ts';
import { rootNamed } from '../allowedRoots.ts';
import { rootArgument, testIdSchema } from '../argumentSchemas.ts';
import { cut } from '../pages.ts';
import { tool } from '../tool.ts';

const usual = 10;
const testsAtOnce = 50;

export const testHistory = tool({
  name: 'get_test_history',
  title: 'Test history',
  about:
    'The last runs, newest first, and the tests that all kept runs show as broken, flaky or slower; or one test by its id.',
  readOnly: true,
  idempotent: true,
  input: z.strictObject({
    limit: z.number().int().min(1).max(historyRuns.most).optional().describe(`Runs to list (${usual}).`),
    test_id: testIdSchema.optional(),
    ...rootArgument,
  }),
  output: z.object({
    runs: z.array(
      z.object({
        runId: z.string(),
        endedAt: z.string(),
        ended: z.string(),
        total: z.number(),
        passed: z.number(),
        failed: z.number(),
        skipped: z.number(),
        flaky_in_run: z.number(),
        duration: z.number().describe('Seconds.'),
      }),
    ),
    tests: z.array(
      z.object({
        id: z.string(),
        category: z.enum(testCategories),
        runs: z.number().int(),
        failed: z.number().int(),
        reruns: z.number().int(),
        flake_score: z.number().describe('Changes between pass and fail, divided by runs - 1.'),
        outcomes: z.string().describe('Oldest first: P passed, F failed, R both in one run.'),
        meanDuration: z.number(),
        recentDuration: z.number().describe('Of the last three runs.'),
        message: z.string(),
      }),
    ),
    moreTests: z.number().int().optional(),
    warnings: z.array(z.string()),
  }),
  run: async ({ limit = usual, test_id: id, root }, { settings }) => {
    const { runs, warnings } = await readHistory(rootNamed(settings, root));
    const sought = id === undefined ? undefined : redactSecrets(id);
    const trends = testTrends(runs).filter((trend) =>
      sought === undefined ? isRemarkable(trend) : trend.id === sought || trend.id === id,
    );
    return {
      runs: runs
        .slice(-limit)
        .reverse()
        .map(({ runId, endedAt, ended, summary, duration }) => ({
          runId,
          endedAt,
          ended,
          ...summary,
          flaky_in_run: summary.flaky_in_run ?? 0,
          duration,
        })),
      tests: trends.slice(0, testsAtOnce).map(trendAnswer),
      ...(trends.length > testsAtOnce && { moreTests: trends.length - testsAtOnce }),
      warnings: [...warnings],
    };
  },
});

function trendAnswer({ isSlower: _isSlower, flakeScore, lastMessage, ...trend }: TestTrend) {
  return {
    ...trend,
    flake_score: rounded(flakeScore),
    meanDuration: rounded(trend.meanDuration),
    recentDuration: rounded(trend.recentDuration),
    message: cut(lastMessage, 200),
  };
}

const rounded = (value: number): number => Math.round(value * 1_000) / 1_000;

export const testPlan = tool({
  name: 'get_optimization_plan',
  title: 'Optimization plan',
  about: 'What to do about tests that the kept runs show as broken, flaky or slower, with the evidence.',
  readOnly: true,
  idempotent: true,
  input: z.strictObject({ ...rootArgument }),
  output: z.object({
    runs: z.number().int(),
    actions: z.array(
      z.object({
        priority: z.enum(planPriorities),
        target: z.string(),
        evidence: z.string(),
        suggestion: z.string(),
      }),
    ),
    moreActions: z.number().int().optional(),
    warnings: z.array(z.string()),
  }),
  run: async ({ root }, { settings }) => {
    const { runs, warnings } = await readHistory(rootNamed(settings, root));
    const actions = optimizationPlan(runs);
    return {
      runs: runs.length,
      actions: actions.slice(0, testsAtOnce),
      ...(actions.length > testsAtOnce && { moreActions: actions.length - testsAtOnce }),
      warnings: [...warnings],
    };
  },
});

/** Of the resource: the whole plan as Markdown. */
export const planOf = async (root: string): Promise<string> => planMarkdown((await readHistory(root)).runs);
