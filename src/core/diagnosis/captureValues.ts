// Runs failing tests again in the sandbox with their assertions instrumented, and gives the values that really met.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { realPathOr } from '../base/paths.ts';
import type { Selection } from '../model/frameworkProject.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { capturedAssertionSchema, type CapturedAssertion } from '../model/value.ts';
import { injectedFile } from '../process/injectedFile.ts';
import { userEnvironment } from '../process/userEnvironment.ts';
import { instrumentFiles } from './instrumentFiles.ts';
import { reportedAssertion } from './reportedAssertion.ts';
import { stripAnsi } from '../failures/stripAnsi.ts';

export interface CaptureRequest {
  /** Absolute root of the sandbox; test files in it are instrumented for the run and restored byte for byte. */
  readonly root: string;
  /** The failing tests; others are ignored. */
  readonly results: readonly TestResult[];
  /** Runs a selection in the sandbox with these variables added to the environment, without coverage. */
  readonly run: (selection: Selection, env: Record<string, string>) => Promise<RunSummary>;
  readonly signal?: AbortSignal;
}

const recordSchema = capturedAssertionSchema.extend({
  file: z.string(),
  /** Which of several tests with one name, from 0; absent outside of expect(). */
  occurrence: z.number().int().optional(),
  attempt: z.number().int().optional(),
});
type CaptureRecord = z.infer<typeof recordSchema>;

/**
 * The failed assertions of each failing test, by test id and in order; empty where a test passed this time or nothing was
 * recorded. One run for each framework; never throws for a test's faults. Files of the sandbox are restored also on cancel.
 */
export async function captureValues(
  request: CaptureRequest,
): Promise<ReadonlyMap<string, readonly CapturedAssertion[]>> {
  const captured = new Map<string, readonly CapturedAssertion[]>();
  const failing = request.results.filter(
    (result) => result.outcome === 'failed' || result.outcome === 'errored',
  );
  for (const result of request.results) captured.set(result.id, []);
  const skill = failing.filter((result) => result.id.startsWith('skill'));
  const others = failing.filter((result) => !result.id.startsWith('skill'));
  for (const group of [others, skill]) {
    if (group.length === 0 || request.signal?.aborted) continue;
    const { records, summary } = await recordRun(request, group, group === skill);
    const again = new Map(summary.tests.map((test) => [test.id, test]));
    for (const result of group) {
      const rerun = again.get(result.id);
      if (rerun?.outcome === 'passed') continue;
      const own = recordsOf(result, rerun ?? result, records, summary, request.root);
      const reported = own.length === 0 ? reportedAssertion(result, request.root) : undefined;
      captured.set(result.id, reported === undefined ? own : [reported]);
    }
  }
  return captured;
}

async function recordRun(
  request: CaptureRequest,
  results: readonly TestResult[],
  skill: boolean,
): Promise<{ records: CaptureRecord[]; summary: RunSummary }> {
  const files = [...new Set(results.map((result) => path.join(request.root, result.file)))];
  const hooks = injectedFile('diagnosis', 'captureHooks.mjs');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-capture-'));
  const output = path.join(folder, 'values.ndjson');
  const instrumented = skill
    ? { restore: async () => undefined, mapStack: (stack: string) => stack }
    : await instrumentFiles(request.root, files, await readFile(hooks, 'utf8'));
  try {
    const summary = await request.run(
      { files },
      {
        TESTMEND_CAPTURE: output,
        // A skill's own try/catch swallows what fails: the hooks must be there before its modules load.
        ...(skill && {
          NODE_OPTIONS: [userEnvironment(process.env).NODE_OPTIONS, `--import=${pathToFileURL(hooks).href}`]
            .filter(Boolean)
            .join(' '),
        }),
      },
    );
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

/** Lines that do not parse are left out: a killed process may leave half of one. */
function parseRecords(text: string): CaptureRecord[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [recordSchema.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

/** The records of one test: by file and name, the last attempt, and only what the test really failed with. */
function recordsOf(
  result: TestResult,
  rerun: TestResult,
  records: readonly CaptureRecord[],
  summary: RunSummary,
  root: string,
): CapturedAssertion[] {
  const file = realPathOr(path.join(root, result.file));
  const isSkill = result.id.startsWith('skill');
  const name = fullName(result);
  const namesakes = summary.tests
    .filter((test) => test.file === result.file && fullName(test) === name)
    .map((test) => test.id)
    .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const own = records.filter((record) => {
    if (isSkill) return mentions(record.stack, file);
    if (record.file !== '' && realPathOr(record.file) !== file) return false;
    if (record.file === '' && !mentions(record.stack, file)) return false;
    if (record.testName !== name && !record.testName.endsWith(` > ${name}`)) return false;
    if (namesakes.length < 2) return true;
    return record.occurrence !== undefined && namesakes[record.occurrence] === result.id;
  });
  const last = Math.max(0, ...own.map((record) => record.attempt ?? 0));
  const messages = [rerun.failure, ...(rerun.moreFailures ?? [])].flatMap(
    (failure) => failure?.message ?? [],
  );
  const thrown = own
    .filter((record) => (record.attempt ?? last) === last)
    .filter((record) => messages.some((message) => sameMessage(message, record.message)));
  const seen = new Set<string>();
  return thrown.flatMap(({ file: _file, occurrence: _occurrence, attempt: _attempt, ...assertion }) => {
    const key = JSON.stringify({ ...assertion, stack: testFrames(assertion.stack, file) });
    if (seen.has(key)) return [];
    seen.add(key);
    return [assertion];
  });
}

function fullName(test: TestResult): string {
  return [...test.suites, test.title].join(' > ');
}

function mentions(stack: string, file: string): boolean {
  return stack.includes(file) || stack.includes(pathToFileURL(file).href);
}

function testFrames(stack: string, file: string): string {
  return stack
    .split('\n')
    .filter((line) => mentions(line, file))
    .join('\n');
}

/** A framework may put words around a message or cut it; colours differ. */
function sameMessage(reported: string, recorded: string): boolean {
  const a = plain(reported);
  const b = plain(recorded);
  return b !== '' && (a.includes(b) || b.includes(a));
}

function plain(text: string): string {
  return stripAnsi(text).trim();
}
