// What the workspace is like after the user's decisions: a run of the suite on disk when something was written.
import path from 'node:path';
import type { CycleFix, CycleReport, Remaining } from '../model/cycle.ts';
import { shownPaths } from '../base/shownPaths.ts';
import { cycleStatus } from '../model/cycleStatus.ts';
import { isTakenBack, takenBack } from '../model/takenBack.ts';
import { passRateOf, wirePassRate } from '../model/summarize.ts';
import { fileIdOf } from '../model/testId.ts';
import { suitesOf } from '../model/testName.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { runTests } from '../run/runTests.ts';
import { isProven, type CycleOutcome } from '../reports/cycleOutcome.ts';
import { reasonCode } from '../base/reasonCode.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';
import { takeBack } from './takeBack.ts';
import type { WrittenFixes } from './writtenFixes.ts';

export interface DiskRequest {
  readonly cycle: CycleReport;
  /** Fixes that were written. */
  readonly accepted: readonly CycleFix[];
  readonly opened: OpenedWorkspace;
  /** What the tests did as the workspace was. */
  readonly before: readonly TestResult[];
  /** A target that the user named: so much of the suite is enough for them. */
  readonly target?: number | undefined;
  /** Only these test files (absolute) count, with a layer. */
  readonly suite?: ReadonlySet<string>;
  /** Ids of fixes of the cycle that are in the files already, by file. */
  readonly inFiles?: ReadonlyMap<string, readonly string[]>;
  readonly signal: AbortSignal;
}

/** The cycle with status, counts, rates, remaining failures and tests as the workspace on disk has them. */
export async function judgeOnDisk(request: DiskRequest, written?: WrittenFixes): Promise<CycleOutcome> {
  const { isWhole, ...outcome } = await outcomeOnDisk(request, written);
  const { report } = outcome;
  const rate = passRateOf({ passed: report.passed, failed: report.failed, errored: 0 });
  const { target } = request;
  const isTargetMet = isWhole && target !== undefined && rate !== null && rate >= target;
  const isAllowed = isTargetMet && report.status === 'needs-attention';
  return { ...outcome, report: { ...report, ...(isAllowed && { isTargetMet }) } };
}

/** With whether the whole suite was run: a rate says nothing of a part. */
async function outcomeOnDisk(
  request: DiskRequest,
  written: WrittenFixes | undefined,
): Promise<CycleOutcome & { readonly isWhole: boolean }> {
  const { cycle, accepted, opened, before, signal } = request;
  if (written === undefined || signal.aborted) {
    const report = { ...cycle, fixes: statesOf(cycle, accepted), ...asBefore(request) };
    const applied = new Set(accepted.map(({ id }) => id));
    return { report, applied, tests: before, isWhole: !cutOff.has(report.ended) };
  }
  const runOnDisk = (files?: readonly string[]): Promise<RunSummary> => runFiles(request, files);
  const { run, reasons, notes } = await takeBack({ written, before, run: await runOnDisk(), runOnDisk });
  const applied = new Set(written.fixes.map(({ id }) => id));
  const fixes = statesOf(cycle, written.fixes, reasons);
  const told = { ...cycle, fixes };
  const remaining = run.tests
    .filter(isRed)
    .map((test) => remainingOf(test, told, applied, opened.workspace.root));
  const counts = countsOf(run.tests);
  const passRate = wirePassRate(run);
  const report: CycleReport = {
    ...told,
    status: cycleStatus({ isWhole: run.ended === 'complete' && counts.total > 0, red: counts.failed }),
    // Of what was taken back nothing is proven any more.
    passRate: reasons.size > 0 ? passRate : higher(cycle.passRate, passRate),
    passRateReviewed: passRate,
    ...counts,
    remaining,
    ...(reasons.size > 0 && { patch: await written.patchOf(fixes.filter(isProven)) }),
    notes: [...cycle.notes, ...notes],
    ended: run.ended === 'complete' ? cycle.ended : run.ended,
  };
  return { report, applied, tests: run.tests, isWhole: run.ended === 'complete' };
}

/** The files (relative to the root), else all that count. */
function runFiles({ opened, suite, signal }: DiskRequest, files?: readonly string[]): Promise<RunSummary> {
  const { workspace, projects, frameworks } = opened;
  const wanted = files?.map((file) => path.join(workspace.root, file)) ?? (suite && [...suite]);
  return runTests({
    workspace,
    projects,
    frameworks,
    selection: wanted === undefined ? {} : { files: wanted },
    signal,
  });
}

function statesOf(
  { fixes }: CycleReport,
  accepted: readonly Pick<CycleFix, 'id'>[],
  reasons: ReadonlyMap<string, string> = new Map(),
): CycleFix[] {
  return fixes.map((fix): CycleFix => {
    const why = reasons.get(fix.id);
    if (why !== undefined) return takenBack(fix, why);
    return accepted.some(({ id }) => id === fix.id) ? { ...fix, state: 'accepted' } : fix;
  });
}

const cutOff: ReadonlySet<CycleReport['ended']> = new Set(['cancelled', 'timeout', 'budget', 'no-tests']);

/** Whatever a fix would have mended is still red on disk; what was written and not run is no pass. */
function asBefore({ cycle, accepted, before, signal }: DiskRequest): Partial<CycleReport> {
  const counts = before.length === 0 ? undefined : countsOf(before);
  const interrupted = reasonCode(signal);
  const isRun = accepted.length === 0;
  const note = 'The fixes were written, but the tests were not run again: these counts are from before.';
  return {
    ...counts,
    status:
      cycle.status === 'needs-attention' || interrupted !== undefined || (counts?.failed ?? 0) > 0
        ? 'needs-attention'
        : cycle.status,
    ended: interrupted ?? cycle.ended,
    notes: isRun ? cycle.notes : [...cycle.notes, note],
  };
}

function countsOf(tests: readonly TestResult[]): Pick<CycleReport, 'total' | 'passed' | 'failed'> {
  const passed = tests.filter(({ outcome }) => outcome === 'passed').length;
  const failed = tests.filter(isRed).length;
  return { total: passed + failed, passed, failed };
}

const isRed = (test: TestResult): boolean => test.outcome === 'failed' || test.outcome === 'errored';
const higher = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b);

function remainingOf(
  test: TestResult,
  cycle: CycleReport,
  applied: ReadonlySet<string>,
  root: string,
): Remaining {
  const known = cycle.remaining.find(({ id }) => id === test.id);
  const message = test.failure?.message ?? test.outcome;
  // What was learnt of another failure says nothing of this one. In the copy the same one was told without the folder of the workspace.
  const isSame = known !== undefined && shownPaths(known.message, root) === shownPaths(message, root);
  const { id, file, line, title, failure } = test;
  return {
    id,
    file,
    line,
    ...suitesOf(test),
    title,
    severity: failure?.severity ?? 'medium',
    fault: known?.fault ?? 'unknown',
    reason: known?.reason ?? mendedReason(test, cycle, applied),
    message: isSame ? known.message : message,
    ...(isSame && known.handOver !== undefined && { handOver: known.handOver }),
  };
}

/** Why a test is red that passed with everything proven in place, and what to do about it. */
function mendedReason({ id }: TestResult, { fixes }: CycleReport, applied: ReadonlySet<string>): string {
  const isFor = ({ failures }: CycleFix): boolean => failures.includes(id) || failures.includes(fileIdOf(id));
  const back = fixes.find((fix) => isFor(fix) && isTakenBack(fix));
  if (back !== undefined) return `Its proven fix did not help on disk and was taken back: ${back.title}`;
  const own = fixes.filter((fix) => isFor(fix) && isProven(fix));
  const open = own.find((fix) => !applied.has(fix.id));
  if (open?.trust === 'mechanical') return `Its proven fix is not written yet: ${open.title}`;
  if (open !== undefined) return `Accept its proven fix where the source is right: ${open.title}`;
  return own.length > 0
    ? 'Its fix was applied, but the test still fails on disk.'
    : 'It was not failing when the fixes were proven.';
}
