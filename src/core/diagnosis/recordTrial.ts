// Everything that failed in test files as the sandbox is just now, whichever test it was.
import path from 'node:path';
import { realPathOr } from '../base/paths.ts';
import type { TestResult } from '../model/testResult.ts';
import type { CapturedAssertion } from '../model/value.ts';
import { byFramework, runRecorded, wayOfFramework, type RecordRequest } from './recordRun.ts';

export interface TrialRecord {
  /** Every failed comparison, also of tests that go on after it. */
  readonly failed: readonly CapturedAssertion[];
  readonly tests: readonly TestResult[];
}

/** Runs the files of these tests once. Undefined where their framework lets nothing be recorded that way. */
export async function recordTrial(
  request: RecordRequest,
  results: readonly TestResult[],
): Promise<TrialRecord | undefined> {
  const failed: CapturedAssertion[] = [];
  const tests: TestResult[] = [];
  for (const [framework, group] of byFramework(results)) {
    const way = wayOfFramework(framework);
    if (way === undefined || way.loadedBy === 'ownText') return undefined;
    const ran = await runRecorded(request, group, way, { TESTMEND_CAPTURE_ON: '1' });
    const files = new Set(group.map(({ file }) => realPathOr(path.join(request.root, file))));
    failed.push(...ran.records.filter(({ file }) => file === '' || files.has(realPathOr(file))));
    tests.push(...ran.tests);
  }
  return { failed, tests };
}
