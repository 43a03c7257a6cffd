// One run of failing tests in the sandbox with our hooks in their files, and everything that the hooks recorded.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { frameworkOfId } from '../model/testId.ts';
import type { CaptureWay } from '../frameworks/framework.ts';
import { frameworks } from '../frameworks/registry.ts';
import type { Selection } from '../model/frameworkProject.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { injectedFile } from '../process/injectedFile.ts';
import { userEnvironment } from '../process/userEnvironment.ts';
import { parseRecords, type CaptureRecord } from './captureRecords.ts';
import {
  hooksModule,
  instrumentFiles,
  type HooksText,
  type InstrumentedFiles,
  type WriteFiles,
} from './instrumentFiles.ts';

export interface RecordRequest {
  /** Absolute root of the sandbox; test files in it are instrumented for the run and restored byte for byte. */
  readonly root: string;
  /** Writes whole files there. */
  readonly write: WriteFiles;
  /** Runs a selection in the sandbox with these variables added to the environment, without coverage. */
  readonly run: (selection: Selection, env: Record<string, string>) => Promise<RunSummary>;
}

interface Recorded {
  readonly records: readonly CaptureRecord[];
  /** What the tests of the files did this time. */
  readonly tests: readonly TestResult[];
}

/** Runs the files of these tests, or what of them is selected; `variables` reach the hooks. */
export async function runRecorded(
  request: RecordRequest,
  results: readonly TestResult[],
  way: CaptureWay,
  variables: Record<string, string>,
  selection?: Selection,
): Promise<Recorded> {
  const files = [...new Set(results.map((result) => path.join(request.root, result.file)))];
  const hooks = {
    recorder: await ours('captureHooks.cjs'),
    serializer: await ours('serializeValue.cjs'),
    sides: await ours('assertionSides.cjs'),
  };
  const folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-capture-'));
  const output = path.join(folder, 'values.ndjson');
  const instrumented = await instrument(request, files, hooks, way);
  try {
    const env = await hooksEnvironment(folder, hooks, way);
    const summary = await request.run(selection ?? { files }, {
      TESTMEND_CAPTURE: output,
      ...variables,
      ...env,
    });
    const text = await readFile(output, 'utf8').catch(() => '');
    const records = parseRecords(text).map((record) => ({
      ...record,
      stack: instrumented.mapStack(record.stack),
    }));
    return { records, tests: summary.tests };
  } finally {
    await instrumented.restore();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Results by the framework that their ids begin with: `framework[/project]:`. */
export function byFramework(results: readonly TestResult[]): ReadonlyMap<string, readonly TestResult[]> {
  const groups = new Map<string, TestResult[]>();
  for (const result of results) {
    const framework = frameworkOfId(result.id);
    const group = groups.get(framework);
    if (group === undefined) groups.set(framework, [result]);
    else group.push(result);
  }
  return groups;
}

/** How hooks get into the tests of a framework. */
export function wayOfFramework(id: string): CaptureWay | undefined {
  return frameworks.find((framework) => framework.id === id)?.capture;
}

async function instrument(
  { root, write }: RecordRequest,
  files: readonly string[],
  hooks: HooksText,
  way: CaptureWay,
): Promise<InstrumentedFiles> {
  if (way.loadedBy === 'ownText') {
    const { instrumentGoFiles } = await import('./instrumentGo.ts');
    return instrumentGoFiles(root, files, await ours('goRecorder.go'), way.goesOn === true, write);
  }
  if (way.loadedBy === 'testFile') return instrumentFiles(root, files, hooks, way, write);
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
