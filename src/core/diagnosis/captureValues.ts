// Runs failing tests again in the sandbox with their assertions instrumented, and gives the values that really met.
import path from 'node:path';
import type { CaptureWay } from '../frameworks/framework.ts';
import { isLoadError } from '../failures/loadError.ts';
import { withoutAddresses } from '../failures/sameFailure.ts';
import type { Selection } from '../model/frameworkProject.ts';
import { isFileId } from '../model/testId.ts';
import type { Failure, TestResult } from '../model/testResult.ts';
import type { CapturedAssertion } from '../model/value.ts';
import { failureMessages, recordsOf, RunRecords, sameMessage, thrownRecordsOf } from './captureRecords.ts';
import { byFramework, runRecorded, wayOfFramework, type RecordRequest } from './recordRun.ts';
import { reportedAssertion } from './reportedAssertion.ts';

interface CaptureRequest extends RecordRequest {
  /** The failing tests; others are ignored. */
  readonly results: readonly TestResult[];
  readonly signal?: AbortSignal;
  /** They are recorded without the tests around them: told where all of them fail there as among those, which their messages must show. */
  readonly failByThemselves?: () => void;
  /** Told of each failing test that passed this time. */
  readonly passed?: (id: string) => void;
}

/**
 * The failed assertions of each failing test, by test id and in order; empty where a test passed this time or nothing was
 * recorded, as of a file that does not load. Tests go on after a failed comparison, so that all that fail are seen; where the first that failed is not what the
 * test fails with, they run once more as they are. Never throws for a test's faults. Files of the sandbox are restored also on
 * cancel.
 */
export async function captureValues(
  request: CaptureRequest,
): Promise<ReadonlyMap<string, readonly CapturedAssertion[]>> {
  const captured = new Map<string, readonly CapturedAssertion[]>();
  const failing = request.results.filter(
    (result) => (result.outcome === 'failed' || result.outcome === 'errored') && !neverBegan(result),
  );
  for (const result of request.results) captured.set(result.id, []);
  for (const [framework, group] of byFramework(failing)) {
    if (request.signal?.aborted) continue;
    const way = wayOfFramework(framework);
    if (way?.loadedBy === 'ownText') {
      await captureByOwnText(request, group, captured);
      continue;
    }
    const isAll = group.length === request.results.length;
    if (way && isAll && (await areRecordedAlone(request, group, way, captured))) continue;
    const goingOn = way
      ? await recordRun(request, group, way, { TESTMEND_CAPTURE_ON: '1' })
      : nothingRecorded;
    const rest: TestResult[] = [];
    for (const result of group) {
      const all = goingOn.ofTest(result).all();
      if (isWhatFailed(result, all)) captured.set(result.id, all);
      else rest.push(result);
    }
    // Where nothing was recorded, nothing was held back either.
    const isUntouched = rest.every((result) => goingOn.ofTest(result).all().length === 0);
    if (rest.length === 0 || request.signal?.aborted) continue;
    const asTheyAre = way && !isUntouched ? await recordRun(request, rest, way, {}) : goingOn;
    for (const result of rest) {
      const recorded = asTheyAre.ofTest(result);
      if (recorded.rerun?.outcome === 'passed') request.passed?.(result.id);
      else captured.set(result.id, recorded.failed());
    }
  }
  return captured;
}

/** Where one of them fails otherwise by themselves, all are recorded among the others. */
async function areRecordedAlone(
  request: CaptureRequest,
  group: readonly TestResult[],
  way: CaptureWay,
  captured: Map<string, readonly CapturedAssertion[]>,
): Promise<boolean> {
  if (request.failByThemselves === undefined) return false;
  if (!group.every(({ failure }) => failure !== undefined && tellsBothSides(failure))) return false;
  const tests = group.map(({ file, suites, title }) => ({
    file: path.join(request.root, file),
    names: [...suites, title],
  }));
  const recorded = await recordRun(request, group, way, { TESTMEND_CAPTURE_ON: '1' }, { tests });
  const told = new Map<string, readonly CapturedAssertion[]>();
  for (const result of group) {
    const all = recorded.ofTest(result).all();
    const message = result.failure?.message ?? '';
    if (all[0] === undefined || withoutAddresses(all[0].message) !== withoutAddresses(message)) return false;
    told.set(result.id, all);
  }
  for (const [id, all] of told) captured.set(id, all);
  request.failByThemselves();
  return true;
}

/** Behind a message that holds whole what was compared stand no other values. */
function tellsBothSides({ kind, message, expected, actual }: Failure): boolean {
  const isTold = (side: string | undefined): boolean =>
    side !== undefined && withoutAddresses(message).includes(withoutAddresses(side));
  return kind === 'assertion' && isTold(expected) && isTold(actual);
}

/** A file that misses what it imports, or that no parser takes, says so before any line of it runs. */
function neverBegan({ id, failure }: TestResult): boolean {
  return isFileId(id) && failure !== undefined && isLoadError(failure.message);
}

/** What is recorded there failed: where going on changed what the test does, or ended others, they run once more as they are. */
async function captureByOwnText(
  request: CaptureRequest,
  group: readonly TestResult[],
  captured: Map<string, readonly CapturedAssertion[]>,
): Promise<void> {
  let rest = group;
  for (const goesOn of [true, false]) {
    if (rest.length === 0 || request.signal?.aborted) return;
    const recorded = await recordRun(request, rest, { loadedBy: 'ownText', goesOn }, {});
    const open: TestResult[] = [];
    for (const result of rest) {
      const ran = recorded.ofTest(result);
      const all = ran.all();
      if (ran.rerun?.outcome === 'passed' && !goesOn) request.passed?.(result.id);
      else if (ran.rerun?.outcome === 'failed' && all.length > 0) captured.set(result.id, all);
      else open.push(result);
    }
    rest = open;
  }
}

/** Did the test end before with the first of these assertions? */
function isWhatFailed(result: TestResult, [first]: readonly CapturedAssertion[]): boolean {
  return (
    first !== undefined && failureMessages(result).some((message) => sameMessage(message, first.message))
  );
}

interface RecordedRun {
  ofTest(result: TestResult): {
    /** What the test did this time; undefined when it was not run. */
    readonly rerun: TestResult | undefined;
    /** Every failed assertion, also of a test that passed. */
    all(): readonly CapturedAssertion[];
    /** Those that the test failed with, or what was reported where none was recorded. */
    failed(): readonly CapturedAssertion[];
  };
}

const nothingRecorded: RecordedRun = {
  ofTest: () => ({ rerun: undefined, all: () => [], failed: () => [] }),
};

async function recordRun(
  request: RecordRequest,
  results: readonly TestResult[],
  way: CaptureWay,
  variables: Record<string, string>,
  selection?: Selection,
): Promise<RecordedRun> {
  const { records, tests } = await runRecorded(request, results, way, variables, selection);
  return recordedRun(new RunRecords(records, tests, request.root), tests, request.root);
}

function recordedRun(records: RunRecords, tests: readonly TestResult[], root: string): RecordedRun {
  const again = new Map(tests.map((test) => [test.id, test]));
  return {
    ofTest(result) {
      const rerun = again.get(result.id);
      return {
        rerun,
        all: () => recordsOf(result, records),
        failed() {
          const own = thrownRecordsOf(result, rerun ?? result, records);
          const reported = own.length === 0 ? reportedAssertion(result, root) : undefined;
          return reported === undefined ? own : [reported];
        },
      };
    },
  };
}
