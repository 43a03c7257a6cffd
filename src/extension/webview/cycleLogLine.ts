// A cycle's events as lines of the log, in the words that the testmend-log grammar colours.
import { afterIteration, type CycleEvent, type CycleReport } from '../../core/model/cycle.ts';
import { fullName } from '../../core/model/testName.ts';

export function cycleLogLine(event: CycleEvent): readonly string[] {
  switch (event.type) {
    case 'cycleStarted':
      return [`cycle: at most ${event.maxIterations} iterations, target ${event.targetPassRate} %`];
    case 'progress':
      // How far it is, several times a second, is for the eye.
      return (event.done ?? 0) > 0 || event.running !== undefined ? [] : [`  ${event.text}`];
    case 'warned':
      return [`  note: ${event.text}`];
    case 'testsFailed':
      return event.tests.map(
        (test) => `  failed [${test.severity}] ${test.file}:${test.line} ${fullName(test)}`,
      );
    case 'iterationStarted':
      return [`iteration ${event.iteration}: ${event.strategy}, ${event.scope} (${event.reason})`];
    case 'testsFailing':
      return event.tests.map(
        (test) =>
          `  failing [${test.severity}] ${test.file}:${test.line} ${fullName(test)} · fault: ${test.fault}`,
      );
    case 'fixProposed':
      return [`  proposed [${event.fix.trust}, ${event.fix.grade}] ${event.fix.title}`];
    case 'fixJudged':
      return [
        `  ${event.fix.verdict.verdict} [${event.fix.trust}] ${event.fix.title}${because(event.fix.verdict.reason)}`,
      ];
    case 'fixRolledBack':
      return [`  rolled back ${event.fixId}${because(event.reason)}`];
    case 'iterationEnded':
      return [
        `iteration ${event.record.iteration}: pass rate ${rate(afterIteration(event.record).pass_rate)}, reviewed ${rate(afterIteration(event.record).pass_rate_reviewed)}, ${afterIteration(event.record).passed} of ${afterIteration(event.record).total}`,
      ];
    case 'cycleEnded':
      return reportLines(event.report);
  }
}

function reportLines(report: CycleReport): readonly string[] {
  return [
    `cycle: ${report.status}, pass rate ${rate(report.passRate)} (reviewed ${rate(report.passRateReviewed)}, target ${report.targetPassRate} %), ended: ${report.ended}`,
    ...report.remaining.map(
      (test) =>
        `  remaining [${test.severity}] ${test.file} ${fullName(test)} · fault: ${test.fault}${because(test.reason)}`,
    ),
    ...report.notes.map((note) => `  note: ${note}`),
  ];
}

function because(reason: string | undefined): string {
  return reason === undefined ? '' : ` (${reason})`;
}

function rate(value: number | null): string {
  return value === null ? 'none' : `${value} %`;
}
