// Runs failing tests again in the sandbox with their assertions instrumented, and gives the values that really met.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CaptureWay, HookedCapture } from '../frameworks/framework.ts';
import { frameworks } from '../frameworks/registry.ts';
import type { Selection } from '../model/frameworkProject.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import type { CapturedAssertion } from '../model/value.ts';
import { injectedFile } from '../process/injectedFile.ts';
import { userEnvironment } from '../process/userEnvironment.ts';
import { parseRecords, recordsOf, type CaptureRecord } from './captureRecords.ts';
import { hooksModule, instrumentFiles, type HooksText } from './instrumentFiles.ts';
import { reportedAssertion } from './reportedAssertion.ts';

export interface CaptureRequest {
  /** Absolute root of the sandbox; test files in it are instrumented for the run and restored byte for byte. */
  readonly root: string;
  /** The failing tests; others are ignored. */
  readonly results: readonly TestResult[];
  /** Runs a selection in the sandbox with these variables added to the environment, without coverage. */
  readonly run: (selection: Selection, env: Record<string, string>) => Promise<RunSummary>;
  readonly signal?: AbortSignal;
  /** How hooks get into the tests of a framework; the frameworks' own word when absent. */
  readonly wayOf?: (framework: string) => CaptureWay | undefined;
}

/**
 * The failed assertions of each failing test, by test id and in order; empty where a test passed this time or nothing was
 * recorded. One run for each framework; never throws for a test's faults. Files of the sandbox are restored also on cancel.
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
    const { records, summary } = way ? await recordRun(request, group, way) : nothingRecorded;
    const again = new Map(summary.tests.map((test) => [test.id, test]));
    for (const result of group) {
      const rerun = again.get(result.id);
      if (rerun?.outcome === 'passed') continue;
      const own = recordsOf(
        { result, rerun: rerun ?? result, tests: summary.tests, root: request.root },
        records,
      );
      const reported = own.length === 0 ? reportedAssertion(result, request.root) : undefined;
      captured.set(result.id, reported === undefined ? own : [reported]);
    }
  }
  return captured;
}

const nothingRecorded = { records: [], summary: { tests: [] } };

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
): Promise<{ records: readonly CaptureRecord[]; summary: RunSummary }> {
  const files = [...new Set(results.map((result) => path.join(request.root, result.file)))];
  const hooks = { recorder: await ours('captureHooks.cjs'), serializer: await ours('serializeValue.cjs') };
  const folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-capture-'));
  const output = path.join(folder, 'values.ndjson');
  const instrumented =
    way.loadedBy !== 'testFile'
      ? { restore: async () => undefined, mapStack: (stack: string) => stack }
      : await instrumentFiles(request.root, files, hooks, way);
  try {
    const env = way.loadedBy === 'process' ? await loadEarly(folder, hooks, way) : {};
    const summary = await request.run({ files }, { TESTMEND_CAPTURE: output, ...env });
    const text = await readFile(output, 'utf8').catch(() => '');
    const records = parseRecords(text).map((record) => ({
      ...record,
      stack: instrumented.mapStack(record.stack),
    }));
    return { records, summary };
  } finally {
    await instrumented.restore();
    await rm(folder, { recursive: true, force: true });
  }
}

const ours = (name: string): Promise<string> => readFile(injectedFile('diagnosis', name), 'utf8');

/** What makes node load the hooks before everything else; a URL, since spaces separate the options. */
async function loadEarly(
  folder: string,
  hooks: HooksText,
  way: HookedCapture,
): Promise<Record<string, string>> {
  const file = path.join(folder, 'hooks.cjs');
  await writeFile(file, hooksModule(hooks, way));
  const options = [userEnvironment(process.env).NODE_OPTIONS, `--import=${pathToFileURL(file).href}`];
  return { NODE_OPTIONS: options.filter(Boolean).join(' ') };
}
