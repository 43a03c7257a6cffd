// What the workspace is like after the user's decisions: a run of the suite on disk when something was written.
import type { CycleFix, CycleReport, Remaining } from '../core/model/cycle.ts';
import { shownPaths } from '../core/base/shownPaths.ts';
import { passRateOf, wirePassRate } from '../core/model/summarize.ts';
import { suitesOf } from '../core/model/testName.ts';
import type { TestResult } from '../core/model/testResult.ts';
import { runTests } from '../core/run/runTests.ts';
import { isProven, type CycleOutcome } from '../core/reports/cycleOutcome.ts';
import { reasonCode } from './interruption.ts';
import type { OpenedWorkspace } from './workspaceOptions.ts';

export interface DiskRequest {
  readonly cycle: CycleReport;
  /** Fixes that were written. */
  readonly accepted: readonly CycleFix[];
  readonly opened: OpenedWorkspace;
  /** What the tests did as the workspace was. */
  readonly before: readonly TestResult[];
  /** Only these test files (absolute) count, with a layer. */
  readonly suite?: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** The cycle with status, rates, remaining failures and tests as the workspace on disk has them. */
export async function judgeOnDisk({
  cycle,
  accepted,
  opened,
  before,
  suite,
  signal,
}: DiskRequest): Promise<CycleOutcome> {
  const fixes = cycle.fixes.map((fix) =>
    accepted.some(({ id }) => id === fix.id) ? { ...fix, state: 'accepted' as const } : fix,
  );
  const applied = new Set(accepted.map(({ id }) => id));
  if (accepted.length === 0 || signal.aborted)
    return { report: { ...cycle, fixes, ...untested(cycle, signal) }, applied, tests: before };
  const { workspace, projects, frameworks } = opened;
  const selection = suite === undefined ? {} : { files: [...suite] };
  const run = await runTests({ workspace, projects, frameworks, selection, signal });
  const remaining = run.tests.filter(isRed).map((test) => remainingOf(test, cycle, applied, workspace.root));
  const rate = passRateOf(run);
  const isPassed =
    run.ended === 'complete' &&
    rate !== null &&
    rate >= cycle.targetPassRate &&
    remaining.every(({ fault }) => fault !== 'source');
  const report: CycleReport = {
    ...cycle,
    fixes,
    status: isPassed ? 'passed' : 'needs-attention',
    passRate: higher(cycle.passRate, wirePassRate(run)),
    passRateReviewed: wirePassRate(run),
    total: run.passed + run.failed + run.errored,
    passed: run.passed,
    failed: run.failed + run.errored,
    remaining,
    ended: run.ended === 'complete' ? cycle.ended : run.ended,
  };
  return { report, applied, tests: run.tests };
}

/** Nothing was written, and whatever a fix would have mended is still red on disk; or nobody had the time to look. */
function untested(
  { status, fixes, ended }: CycleReport,
  signal: AbortSignal,
): Pick<CycleReport, 'status' | 'ended'> {
  const interrupted = reasonCode(signal);
  if (interrupted !== undefined) return { status: 'needs-attention', ended: interrupted };
  const mended = fixes.some((fix) => fix.verdict.verdict === 'verified' && fix.state !== 'declined');
  return { status: status === 'passed' && mended ? 'needs-attention' : status, ended };
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
  const own = fixes.filter((fix) => fix.failures.includes(id) && isProven(fix));
  const open = own.find((fix) => !applied.has(fix.id));
  if (open?.trust === 'mechanical') return `Write its proven fix with --apply: ${open.title}`;
  if (open !== undefined)
    return `Accept its proven fix at a terminal, or with --assume source-is-right where the source is right: ${open.title}`;
  return own.length > 0
    ? 'Its fix was applied, and on disk it fails all the same.'
    : 'It was not failing when the fixes were proven.';
}
