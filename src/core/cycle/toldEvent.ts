// Says what a cycle found in its sandbox as if it were found in the workspace: no message names the copy.
import type { CycleEvent, CycleFix, CycleReport } from '../model/cycle.ts';

interface Teller {
  /** Text from a run in the sandbox, told of the workspace. */
  told(text: string): string;
}

/** The event with its messages and reasons told anew; edits, diffs and evidence are what they are. */
export function toldEvent(event: CycleEvent, teller: Teller): CycleEvent {
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

/** Like `toldEvent`, for what the cycle says at its end. */
export function toldReport(report: CycleReport, teller: Teller): CycleReport {
  return {
    ...report,
    remaining: report.remaining.map((test) => toldTest(test, teller)),
    fixes: report.fixes.map((fix) => toldFix(fix, teller)),
    notes: report.notes.map((note) => teller.told(note)),
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
