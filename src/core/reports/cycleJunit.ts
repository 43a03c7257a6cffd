// The tests of a fix cycle as junit.xml: as the workspace is on disk, with who is at fault for each failure and which fix is proven for it.
import { shownPaths } from '../base/shownPaths.ts';
import { toldBy } from '../diagnosis/toldSecrets.ts';
import type { CycleFix, Remaining } from '../model/cycle.ts';
import type { Failure, TestResult } from '../model/testResult.ts';
import { isProven, standingOf, type CycleOutcome } from './cycleOutcome.ts';
import { faultOfFix } from './fixFault.ts';
import { junitXml } from './junitReporter.ts';

/** The XML document, with an error unless the cycle shows that the tests pass. Files are named relative to `root`; secrets are redacted. */
export function cycleJunit(outcome: CycleOutcome, root: string): string {
  const { report } = outcome;
  const tests = testsAndDoubt(outcome);
  const told = (lines: readonly string[]): string => shownPaths(lines.join('\n'), root);
  const remaining = new Map(report.remaining.map((one) => [one.id, one]));
  const fixes = fixesByTest(report.fixes.filter(isProven));
  const of = report.layer === undefined ? '' : `, layer ${report.layer}`;
  return junitXml(
    { tests, durationMs: report.durationMs },
    {
      name: `testmend fix${of}`,
      text: (text) => shownPaths(text, root),
      cause: (test) =>
        test.id === cycleId
          ? ''
          : told(causeLines(test, remaining.get(test.id), fixes.get(test.id), outcome)),
      output: (test) => told((fixes.get(test.id) ?? []).map((fix) => fixLine(fix, outcome))),
    },
    toldBy([tests, report], root),
  );
}

/** Of the case that stands for the cycle itself. */
const cycleId = 'testmend:fix';

/** Whoever reads failures alone takes a report without any for a pass: a cycle that is none has a case of its own then. */
function testsAndDoubt({ report, tests }: CycleOutcome): readonly TestResult[] {
  const isRed = tests.some(({ outcome }) => outcome === 'failed' || outcome === 'errored');
  if (isRed || report.status !== 'needs-attention') return tests;
  const isCutOff = report.ended === 'cancelled' || report.ended === 'timeout';
  const message = isCutOff
    ? 'The fix cycle was interrupted before its tests finished.'
    : 'The fix cycle ended before it was known whether the tests pass.';
  const failure: Failure = { message, stack: [], kind: 'crash', severity: 'high' };
  const title = 'the fix cycle';
  return [
    ...tests,
    { id: cycleId, file: '.', line: 1, title, suites: [], outcome: 'errored', durationMs: 0, failure },
  ];
}

function fixesByTest(fixes: readonly CycleFix[]): ReadonlyMap<string, readonly CycleFix[]> {
  const byTest = new Map<string, CycleFix[]>();
  for (const fix of fixes) for (const id of fix.failures) byTest.set(id, [...(byTest.get(id) ?? []), fix]);
  return byTest;
}

function causeLines(
  test: TestResult,
  known: Remaining | undefined,
  fixes: readonly CycleFix[] | undefined,
  { report }: CycleOutcome,
): readonly string[] {
  const [fix] = fixes ?? [];
  const reached = { fault: 'unknown', reason: 'It passes with all proven fixes in place.' } as const;
  const { fault, reason } = known ?? (fix === undefined ? reached : faultOfFix(fix, report.remaining));
  const severity = known?.severity ?? test.failure?.severity ?? 'medium';
  return [`severity: ${severity}`, `fault: ${fault}`, `reason: ${reason}`];
}

function fixLine(fix: CycleFix, outcome: CycleOutcome): string {
  return `Proven fix, ${standingOf(fix, outcome)} (${fix.trust}): ${fix.title}`;
}
