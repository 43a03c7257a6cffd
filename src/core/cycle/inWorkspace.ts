// Says what a cycle found in its sandbox as if it were found in the workspace: no message names the copy.
import type { CycleEvent, CycleFix, CycleReport } from '../model/cycle.ts';
import type { Failure, TestResult } from '../model/testResult.ts';

interface Teller {
  /** Text from a run in the sandbox, told of the workspace. */
  told(text: string): string;
}

/** The event with its messages and reasons told anew; edits, diffs and evidence are what they are. */
export function eventInWorkspace(event: CycleEvent, teller: Teller): CycleEvent {
  switch (event.type) {
    case 'testsFailing':
      return { ...event, tests: event.tests.map((test) => toldTest(test, teller)) };
    case 'fixJudged':
      return { ...event, fix: toldFix(event.fix, teller) };
    case 'fixRolledBack':
      return { ...event, reason: teller.told(event.reason) };
    default:
      return event;
  }
}

/** Like `eventInWorkspace`, for what the cycle says at its end. */
export function reportInWorkspace(report: CycleReport, teller: Teller): CycleReport {
  const { takenUp } = report;
  const dropped = takenUp?.dropped.map(({ title, reason }) => ({ title, reason: teller.told(reason) }));
  return {
    ...report,
    ...(takenUp && dropped && { takenUp: { ...takenUp, dropped } }),
    remaining: report.remaining.map((test) => toldTest(test, teller)),
    fixes: report.fixes.map((fix) => toldFix(fix, teller)),
    notes: report.notes.map((note) => teller.told(note)),
  };
}

/** Like `eventInWorkspace`, for what one test did. */
export function resultInWorkspace(result: TestResult, teller: Teller): TestResult {
  const { failure, moreFailures } = result;
  return {
    ...result,
    ...(failure && { failure: toldFailure(failure, teller) }),
    ...(moreFailures && { moreFailures: moreFailures.map((one) => toldFailure(one, teller)) }),
  };
}

function toldFailure(failure: Failure, teller: Teller): Failure {
  const { message, expected, actual, stack } = failure;
  return {
    ...failure,
    message: teller.told(message),
    ...(expected !== undefined && { expected: teller.told(expected) }),
    ...(actual !== undefined && { actual: teller.told(actual) }),
    stack: stack.map((frame) => ({ ...frame, file: teller.told(frame.file) })),
  };
}

function toldTest<T extends { readonly message: string; readonly reason: string }>(
  test: T,
  teller: Teller,
): T {
  return { ...test, message: teller.told(test.message), reason: teller.told(test.reason) };
}

function toldFix(fix: CycleFix, teller: Teller): CycleFix {
  const { reason } = fix.verdict;
  return reason === undefined ? fix : { ...fix, verdict: { ...fix.verdict, reason: teller.told(reason) } };
}
