// What a run is told as: counts and what failed, short (CONTRACTS Q3); never a pass where nothing ran.
import { z } from 'zod';
import { hasBrokenConfiguration } from '../core/model/brokenConfiguration.ts';
import type { StoredRun } from '../core/engine/runStore.ts';
import type { RunSummary } from '../core/model/testResult.ts';
import { isRed, shortFailure, shortFailureSchema } from './shortFailures.ts';

/** Told in full at once; the others have a place each in `get_test_report`. */
const failuresAtOnce = 10;
const notesAtOnce = 10;

/** The counts of a run, as every answer about one tells them. */
export const runCountsSchema = z.object({
  total: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  errored: z.number().int(),
  passRate: z.number().nullable(),
  durationMs: z.number(),
});

export function runCounts(summary: RunSummary): z.infer<typeof runCountsSchema> {
  const { total, passed, failed, skipped, errored, passRate, durationMs } = summary;
  return { total, passed, failed, skipped, errored, passRate, durationMs: Math.round(durationMs) };
}

/** Ids of the tests that were flaky: over repeated runs, or on a retry within one. */
export function flakyIds({ flaky, summary }: StoredRun): readonly string[] {
  const retried = summary.tests.filter((test) => test.flaky !== undefined);
  return [...new Set([...flaky, ...retried.map(({ id }) => id)])];
}

export const runAnswerSchema = z.object({
  runId: z.string().describe('Handle for get_test_report and get_failure_details, in any later process.'),
  exit_code: z.number().int().describe('0 passed, 1 failures, 2 no test ran, 124 time limit, 130 cancelled.'),
  raw_exit_code: z.number().int().describe('The same without what passed on a retry.'),
  ...runCountsSchema.shape,
  retry_enabled: z.boolean(),
  flaky_in_run: z.number().int(),
  failures: z.array(shortFailureSchema),
  moreFailures: z.number().int().optional().describe('Not told here: see get_test_report.'),
  notes: z.array(z.string()),
  stdout_tail: z.string().describe('Empty after a pass.'),
  stderr_tail: z.string(),
});
export type RunAnswer = z.infer<typeof runAnswerSchema>;

interface Printed {
  readonly stdout: string;
  readonly stderr: string;
}

interface RunSetting {
  readonly retries: boolean;
  readonly timeoutSeconds: number;
  readonly printed: Printed;
}

export function runAnswer(run: StoredRun, { retries, timeoutSeconds, printed }: RunSetting): RunAnswer {
  const { runId, summary } = run;
  const red = summary.tests.filter(isRed);
  const isRetried = summary.tests.some((test) => test.flaky !== undefined);
  const exitCode = exitCodeOf(summary);
  const tail = exitCode === 0 ? { stdout: '', stderr: '' } : printed;
  return {
    runId,
    exit_code: exitCode,
    raw_exit_code: exitCode === 0 && isRetried ? 1 : exitCode,
    ...runCounts(summary),
    retry_enabled: retries,
    flaky_in_run: flakyIds(run).length,
    failures: red.slice(0, failuresAtOnce).map(shortFailure),
    ...(red.length > failuresAtOnce && { moreFailures: red.length - failuresAtOnce }),
    notes: summary.notes.slice(0, notesAtOnce),
    stdout_tail: tail.stdout.slice(-2_000),
    stderr_tail: (tail.stderr + endText(summary, exitCode, timeoutSeconds)).trimStart().slice(-1_000),
  };
}

/** As `testmend run` ends. */
function exitCodeOf({ ended, passed, failed, errored, tests }: RunSummary): number {
  if (ended !== 'complete') return ended === 'timeout' ? 124 : 130;
  if (passed + failed + errored === 0 || hasBrokenConfiguration(tests)) return 2;
  return failed + errored > 0 ? 1 : 0;
}

function endText({ total, skipped }: RunSummary, exitCode: number, timeoutSeconds: number): string {
  if (exitCode === 124)
    return `\n[TIMEOUT after ${timeoutSeconds} s: tests that had not ended count as errored]`;
  if (exitCode !== 2) return '';
  return total === skipped ? '\nno tests ran' : '\nthe configuration did not load';
}
