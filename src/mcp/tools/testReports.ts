// `get_test_report` and `get_failure_details`: what is known of a run, by its handle, from any process.
import { z } from 'zod';
import { HumanError } from '../../core/base/humanError.ts';
import { idAsked } from '../../core/engine/discretion.ts';
import { lastRun, storedRun, type StoredRun } from '../../core/engine/runStore.ts';
import { fullName } from '../../core/model/testName.ts';
import { rootNamed } from '../allowedRoots.ts';
import { handleSchema, rootArgument, testIdSchema } from '../argumentSchemas.ts';
import { cut, nextOffsetSchema, pageArguments, pageOf } from '../pages.ts';
import { flakyIds, runCounts, runCountsSchema } from '../runAnswers.ts';
import { failureText, fullFailureSchema, isRed } from '../shortFailures.ts';
import { tool, type ToolCall } from '../tool.ts';
import { unknownRun } from './runTests.ts';

const runIdArgument = { runId: handleSchema.optional().describe('The last run when left out.') };
const usual = 50;

export const testReport = tool({
  name: 'get_test_report',
  title: 'Test report',
  about: 'Counts and tests of a run. Lists what failed; name other outcomes to see them.',
  readOnly: true,
  idempotent: true,
  input: z.strictObject({
    ...runIdArgument,
    outcome: z.enum(['failed', 'passed', 'skipped', 'all']).optional().describe('failed, with errored ones.'),
    ...pageArguments(usual, 1_000),
    ...rootArgument,
  }),
  output: z.object({
    runId: z.string(),
    endedAt: z.string(),
    ended: z.enum(['complete', 'timeout', 'cancelled']),
    ...runCountsSchema.shape,
    flaky: z.array(z.string()),
    tests: z.array(
      z.object({
        id: z.string(),
        outcome: z.string(),
        durationMs: z.number(),
        message: z.string().optional().describe('Its beginning.'),
      }),
    ),
    nextOffset: nextOffsetSchema,
  }),
  run: async ({ runId, outcome = 'failed', offset, limit = usual, root }, call) => {
    const run = await knownRun({ runId, root }, call);
    const { ended } = run.summary;
    const wanted = run.summary.tests.filter((test) =>
      outcome === 'all' ? true : outcome === 'failed' ? isRed(test) : test.outcome === outcome,
    );
    const { items, nextOffset } = pageOf(wanted, offset, limit);
    return {
      runId: run.runId,
      endedAt: run.endedAt,
      ended,
      ...runCounts(run.summary),
      flaky: [...flakyIds(run)],
      tests: items.map(({ id, outcome: own, durationMs: took, failure }) => ({
        id,
        outcome: own,
        durationMs: Math.round(took),
        ...(failure && { message: cut(failure.message, 200) }),
      })),
      ...(nextOffset !== undefined && { nextOffset }),
    };
  },
});

export const failureDetails = tool({
  name: 'get_failure_details',
  title: 'Failure details',
  about:
    'All that a run told of one failed test: every failure with its stack, both sides, and what it printed.',
  readOnly: true,
  idempotent: true,
  input: z.strictObject({ test_id: testIdSchema, ...runIdArgument, ...rootArgument }),
  output: z.object({
    runId: z.string(),
    id: z.string(),
    name: z.string(),
    file: z.string(),
    line: z.number().int(),
    outcome: z.string(),
    durationMs: z.number(),
    failures: z.array(fullFailureSchema),
    flaky: z.string().optional().describe('It passed on a retry: what it failed with before.'),
    output: z.string().optional(),
  }),
  run: async ({ test_id: id, runId, root }, call) => {
    const run = await knownRun({ runId, root }, call);
    // Ids in our answers have no secrets either.
    const asked = await idAsked(id, run.summary.tests, rootNamed(call.settings, root));
    const test = run.summary.tests.find((one) => one.id === asked);
    if (test === undefined)
      throw new HumanError('bad-input', `${run.runId} has no such test.`, {
        value: id.slice(0, 200),
        remedy: 'Take the id of a test from run_tests or get_test_report.',
      });
    const { failure, moreFailures = [], flaky, output } = test;
    return {
      runId: run.runId,
      id: test.id,
      name: fullName(test),
      file: test.file,
      line: test.line,
      outcome: test.outcome,
      durationMs: Math.round(test.durationMs),
      failures: [...(failure ? [failure] : []), ...moreFailures].map((one) =>
        failureText(one, test, 30, mostDetail),
      ),
      ...(flaky !== undefined && { flaky: cut(flaky) }),
      ...(output !== undefined && { output }),
    };
  },
});

const mostDetail = 20_000;

/** The run of this handle, or the last one. Throws a HumanError where it is not known. */
export async function knownRun(
  { runId, root: name }: { readonly runId?: string | undefined; readonly root?: string | undefined },
  { settings }: ToolCall,
): Promise<StoredRun> {
  const root = rootNamed(settings, name);
  const run = runId === undefined ? await lastRun(root) : await storedRun(root, runId);
  if (run === undefined) throw unknownRun(runId);
  return run;
}
