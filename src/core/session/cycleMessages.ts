// What a fix cycle tells its coordinator (CONTRACTS T11): logged first, then handed to a command when one is configured.
import { afterIteration, type CycleEvent } from '../model/cycle.ts';
import { statusName, type DiskReport } from '../model/cycleStatus.ts';
import { isTakenBack } from '../model/takenBack.ts';
import type { NewMessage } from './messageLog.ts';

const from = 'tester';
/** Sooner there is nothing to tell of an iteration that the end does not tell. */
const progressAfter = 5;

/** What the coordinator is told at the end, of the workspace as it is on disk; of a task, of the tests that it is about. */
export interface ToldOutcome extends Pick<
  DiskReport,
  'layer' | 'passRate' | 'total' | 'passed' | 'failed' | 'remaining' | 'isTargetMet'
> {
  readonly iterations: number;
  /** Nothing is red. */
  readonly isPassed: boolean;
  /** Written fixes that did not help on disk; of a task, of its own cycle. */
  readonly takenBack?: readonly { readonly id: string; readonly title: string; readonly reason: string }[];
}

/** The outcome of a cycle that nobody limited. */
export function outcomeOf(report: DiskReport): ToldOutcome {
  const takenBack = report.fixes
    .filter(isTakenBack)
    .map(({ id, title, verdict }) => ({ id, title, reason: verdict.reason ?? '' }));
  return {
    ...report,
    iterations: report.iterations.length,
    isPassed: report.status !== 'needs-attention',
    ...(takenBack.length > 0 && { takenBack }),
  };
}

/** Of an event, the message that is due. */
export function messageOf(event: CycleEvent): NewMessage | undefined {
  if (event.type !== 'iterationEnded' || event.record.iteration <= progressAfter) return undefined;
  const { iteration, strategy } = event.record;
  const { pass_rate } = afterIteration(event.record);
  return {
    from,
    type: 'impl_progress',
    summary: `Iteration ${iteration}: ${pass_rate ?? 0} % pass (${strategy}).`,
    data: { iteration, passRate: pass_rate, strategy },
  };
}

/** At the end: the result, and one `fix_required` when the fault is in the source. */
export function messagesOf(outcome: ToldOutcome): readonly NewMessage[] {
  const { isPassed, isTargetMet, remaining, layer, passRate, iterations, total, passed, failed } = outcome;
  const { takenBack } = outcome;
  const status = statusName({
    status: isPassed && failed === 0 ? 'passed' : 'needs-attention',
    ...(isTargetMet && { isTargetMet }),
  });
  const tests = layer === undefined ? 'tests' : `tests of ${layer}`;
  const source = remaining.filter(({ fault }) => fault === 'source');
  const result: NewMessage = {
    from,
    type: 'test_result',
    summary: `${status}: ${passed} of ${passed + failed} ${tests} pass.`,
    data: { passRate, iterations, total, passed, failed, ...(takenBack && { takenBack }) },
  };
  if (source.length === 0) return [result];
  return [
    result,
    {
      from,
      type: 'fix_required',
      summary: `${source.length} ${source.length === 1 ? 'failure comes' : 'failures come'} from the source, not from the tests.`,
      data: {
        tests: source.slice(0, 50).map(({ id, file, severity, reason }) => ({ id, file, severity, reason })),
      },
    },
  ];
}

/** What kept the cycle from ending by itself. */
export const errorMessageOf = (text: string): NewMessage => ({
  from,
  type: 'error',
  summary: text.split('\n', 1)[0] ?? '',
  data: { message: text },
});

/** The message as one about a task. */
export function aboutTask(message: NewMessage, task: string): NewMessage {
  return { ...message, summary: `${task}: ${message.summary}`, data: { task, ...message.data } };
}
