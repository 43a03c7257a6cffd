// report.json in the one shape for every framework (CONTRACTS Q5).
import { fullName } from '../model/testName.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { withoutSecrets } from '../base/redactSecrets.ts';

export interface JsonReport {
  readonly summary: {
    readonly total: number;
    readonly passed: number;
    /** Errored tests count here. */
    readonly failed: number;
    readonly skipped: number;
    readonly flaky_in_run?: number;
  };
  /** Seconds. */
  readonly duration: number;
  readonly tests: readonly {
    readonly nodeid: string;
    readonly outcome: 'passed' | 'failed' | 'skipped' | 'rerun';
    readonly message: string;
    /** Seconds. */
    readonly duration: number;
    readonly call: { readonly duration: number; readonly longrepr: string };
    readonly was_flaky_in_run?: boolean;
    readonly original_failure_message?: string;
  }[];
}

/** The report of a run; `flaky` holds the ids of tests that both passed and failed in it, beside those that say so themselves. Secrets are redacted, and those that are `told` of elsewhere. */
export function jsonReport(
  summary: RunSummary,
  flaky: ReadonlySet<string> = new Set(),
  told: Set<string> = new Set(),
): JsonReport {
  return withoutSecrets((hide) => written(summary, flaky, hide), told);
}

type Hide = (text: string) => string;

function written(summary: RunSummary, flaky: ReadonlySet<string>, hide: Hide): JsonReport {
  const retried = summary.tests.filter((test) => test.flaky !== undefined && !flaky.has(test.id));
  const flakyTests = flaky.size + retried.length;
  return {
    summary: {
      total: summary.total,
      passed: summary.passed,
      failed: summary.failed + summary.errored,
      skipped: summary.skipped,
      ...(flakyTests > 0 ? { flaky_in_run: flakyTests } : {}),
    },
    duration: seconds(summary.durationMs),
    tests: summary.tests.map((test) => {
      const message = hide(test.failure?.message ?? '');
      return {
        nodeid: hide(test.id),
        outcome: test.outcome === 'errored' ? 'failed' : test.outcome,
        message,
        duration: seconds(test.durationMs),
        call: { duration: seconds(test.durationMs), longrepr: longText(test, hide) },
        ...(flaky.has(test.id) || test.flaky !== undefined
          ? { was_flaky_in_run: true, original_failure_message: hide(test.flaky ?? message) }
          : {}),
      };
    }),
  };
}

const seconds = (ms: number): number => Math.round(ms) / 1000;

/** Title, messages and mapped stacks of everything that failed in the test; empty when nothing did. */
export function longText(test: TestResult, hide: Hide): string {
  const failures = [...(test.failure ? [test.failure] : []), ...(test.moreFailures ?? [])];
  if (failures.length === 0) return '';
  const texts = failures.map((failure) =>
    [
      failure.message,
      ...(failure.expected === undefined ? [] : [`expected: ${failure.expected}`]),
      ...(failure.actual === undefined ? [] : [`actual: ${failure.actual}`]),
      ...failure.stack.map(
        (frame) => `    at ${frame.name || '<anonymous>'} (${frame.file}:${frame.line}:${frame.column})`,
      ),
    ].join('\n'),
  );
  return hide([fullName(test), ...texts].join('\n\n'));
}
