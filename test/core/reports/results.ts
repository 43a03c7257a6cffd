// Results as runs give them, for the tests of reporters.
import { summarize } from '../../../src/core/model/summarize.ts';
import type { Failure, RunSummary, TestResult } from '../../../src/core/model/testResult.ts';

export function failure(parts: Partial<Failure> = {}): Failure {
  return { message: 'expected 1 to be 2', stack: [], kind: 'assertion', severity: 'medium', ...parts };
}

export function result(parts: Partial<TestResult> = {}): TestResult {
  const { title = 'adds', file = 'test/cart.test.ts' } = parts;
  return {
    id: `vitest:${file}#${title}`,
    file,
    line: 3,
    title,
    suites: ['cart'],
    outcome: parts.failure ? 'failed' : 'passed',
    durationMs: 4,
    ...parts,
  };
}

export function summary(tests: readonly TestResult[], notes: readonly string[] = []): RunSummary {
  return summarize(tests, { durationMs: 1234, notes: [...notes], ended: 'complete' });
}
