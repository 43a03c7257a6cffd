// Runs failing tests again in the sandbox with their assertions instrumented, and gives the values that really met.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CaptureWay } from '../frameworks/framework.ts';
import { frameworks } from '../frameworks/registry.ts';
import type { Selection } from '../model/frameworkProject.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import type { CapturedAssertion } from '../model/value.ts';
import { injectedFile } from '../process/injectedFile.ts';
import { userEnvironment } from '../process/userEnvironment.ts';
import {
  failureMessages,
  parseRecords,
  recordsOf,
  sameMessage,
  thrownRecordsOf,
  type CaptureRecord,
} from './captureRecords.ts';
import { hooksModule, instrumentFiles, type HooksText, type InstrumentedFiles } from './instrumentFiles.ts';
import { reportedAssertion } from './reportedAssertion.ts';

export interface CaptureRequest {
  /** Absolute root of the sandbox; test files in it are instrumented for the run and restored byte for byte. */
  readonly root: string;
  /** The failing tests; others are ignored. */
  readonly results: readonly TestResult[];
  /** Runs a selection in the sandbox with these variables added to the environment, without coverage. */
  readonly run: (selection: Selection, env: Record<string, string>) => Promise<RunSummary>;
  readonly signal?: AbortSignal;
  /** Told of each failing test that passed this time. */
  readonly passed?: (id: string) => void;
  /** How hooks get into the tests of a framework; the frameworks' own word when absent. */
  readonly wayOf?: (framework: string) => CaptureWay | undefined;
}

/**
 * The failed assertions of each failing test, by test id and in order; empty where a test passed this time or nothing was
 * recorded. Tests go on after a failed comparison, so that all that fail are seen; where the first that failed is not what the
 * test fails with, they run once more as they are. Never throws for a test's faults. Files of the sandbox are restored also on
 * cancel.
 */
export async function captureValues(
  request: CaptureRequest,
): Promise<ReadonlyMap<string, readonly CapturedAssertion[]>> {
  const { wayOf = wayOfFramework } = request;
  const captured = new Map<string, readonly CapturedAssertion[]>();
  const failing = request.results.filter(
    (result) => result.outcome === 'failed' || result.outcome === 'errored',
  );
  for (const result of request.results) captured.set(result.id, []);
  for (const [framework, group] of byFramework(failing)) {
    if (request.signal?.aborted) continue;
    const way = wayOf(framework);
    if (way?.loadedBy === 'ownText') {
      await captureByOwnText(request, group, captured);
      continue;
    }
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

/** An id begins `framework[/project]:`. */
function byFramework(results: readonly TestResult[]): ReadonlyMap<string, readonly TestResult[]> {
  const groups = new Map<string, TestResult[]>();
  for (const result of results) {
    const framework = /^[^/:]*/.exec(result.id)?.[0] ?? '';
    groups.set(framework, [...(groups.get(framework) ?? []), result]);
  }
  return groups;
}

function wayOfFramework(id: string): CaptureWay | undefined {
  return frameworks.find((framework) => framework.id === id)?.capture;
}

async function recordRun(
  request: CaptureRequest,
  results: readonly TestResult[],
  way: CaptureWay,
  variables: Record<string, string>,
): Promise<RecordedRun> {
  const files = [...new Set(results.map((result) => path.join(request.root, result.file)))];
  const hooks = {
    recorder: await ours('captureHooks.cjs'),
    serializer: await ours('serializeValue.cjs'),
    sides: await ours('assertionSides.cjs'),
  };
  const folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-capture-'));
  const output = path.join(folder, 'values.ndjson');
  const instrumented = await instrument(request.root, files, hooks, way);
  try {
    const env = await hooksEnvironment(folder, hooks, way);
    const summary = await request.run({ files }, { TESTMEND_CAPTURE: output, ...variables, ...env });
    const text = await readFile(output, 'utf8').catch(() => '');
    const records = parseRecords(text).map((record) => ({
      ...record,
      stack: instrumented.mapStack(record.stack),
    }));
    return recordedRun(records, summary.tests, request.root);
  } finally {
    await instrumented.restore();
    await rm(folder, { recursive: true, force: true });
  }
}

function recordedRun(
  records: readonly CaptureRecord[],
  tests: readonly TestResult[],
  root: string,
): RecordedRun {
  const again = new Map(tests.map((test) => [test.id, test]));
  return {
    ofTest(result) {
      const rerun = again.get(result.id);
      const test = { result, rerun: rerun ?? result, tests, root };
      return {
        rerun,
        all: () => recordsOf(test, records),
        failed() {
          const own = thrownRecordsOf(test, records);
          const reported = own.length === 0 ? reportedAssertion(result, root) : undefined;
          return reported === undefined ? own : [reported];
        },
      };
    },
  };
}

async function instrument(
  root: string,
  files: readonly string[],
  hooks: HooksText,
  way: CaptureWay,
): Promise<InstrumentedFiles> {
  if (way.loadedBy === 'ownText') {
    const { instrumentGoFiles } = await import('./instrumentGo.ts');
    return instrumentGoFiles(files, await ours('goRecorder.go'), way.goesOn === true);
  }
  if (way.loadedBy === 'testFile') return instrumentFiles(root, files, hooks, way);
  return { restore: async () => undefined, mapStack: (stack) => stack };
}

const ours = (name: string): Promise<string> => readFile(injectedFile('diagnosis', name), 'utf8');

/** What makes node load the hooks before everything else (a URL, since spaces separate the options), or tells a worker of them. */
async function hooksEnvironment(
  folder: string,
  hooks: HooksText,
  way: CaptureWay,
): Promise<Record<string, string>> {
  if (way.loadedBy !== 'process' && way.loadedBy !== 'worker') return {};
  const file = path.join(folder, 'hooks.cjs');
  await writeFile(file, hooksModule(hooks, way));
  if (way.loadedBy === 'worker') return { TESTMEND_CAPTURE_HOOKS: file };
  const options = [userEnvironment(process.env).NODE_OPTIONS, `--import=${pathToFileURL(file).href}`];
  return { NODE_OPTIONS: options.filter(Boolean).join(' ') };
}
