// Public entry `testmend/skills`: finds the skill tests of a workspace and runs them (CONTRACTS K2, K5, K6).
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { errorMessage } from '../../base/humanError.ts';
import { inParallel } from '../../base/inParallel.ts';
import type { ReporterMessage } from '../../model/reporterMessage.ts';
import { injectedFile } from '../../process/injectedFile.ts';
import { OutputBuffer } from '../../process/outputBuffer.ts';
import { runProcess, type ProcessResult } from '../../process/runProcess.ts';
import { SealedLines } from '../../process/sealedLines.ts';
import { userNode } from '../../process/userNode.ts';
import { readSkillCatalogue } from './catalogue.ts';
import { namedSkills } from './namedSkills.ts';
import { checkedResult, testFunction } from './skillHost.mjs';
import { skillTitle } from './skillLaunch.ts';
import type { SkillRecord } from './skillRecord.ts';

export type { SkillRecord } from './skillRecord.ts';

export interface SkillTestResult {
  /** At least one check ran and none failed. */
  readonly success: boolean;
  readonly passed: number;
  readonly failed: number;
  /** stdout and stderr as they came, at most 1 MiB; empty for a run in this process. */
  readonly output: string;
  /** `name: message` each; also why there is no result at all. */
  readonly errors: readonly string[];
  /** ms */
  readonly duration: number;
}

interface SkillSuiteResult {
  readonly success: boolean;
  /** Checks, not files. */
  readonly totalTests: number;
  readonly totalPassed: number;
  readonly totalFailed: number;
  readonly results: readonly (SkillRecord & SkillTestResult)[];
  /** `short name: error` each. */
  readonly errors: readonly string[];
  /** ms */
  readonly duration: number;
}

interface SkillRunOptions {
  /** For one file, ms. */
  readonly timeout?: number;
  /** Passes on what the tests print. */
  readonly verbose?: boolean;
}

/** Every skill test below `root` (the current folder), sorted by short name; skills without tests only when asked for. */
export async function discoverSkillTests({
  root = process.cwd(),
  withoutTests = false,
}: { readonly root?: string; readonly withoutTests?: boolean } = {}): Promise<readonly SkillRecord[]> {
  const records = await readSkillCatalogue(path.resolve(root));
  return withoutTests ? records : records.filter(({ testFile }) => testFile !== undefined);
}

/** The skill of this short name or name, with or without tests; undefined when there is none. */
export async function discoverSkillTest(
  name: string,
  { root = process.cwd() }: { readonly root?: string } = {},
): Promise<SkillRecord | undefined> {
  const records = await readSkillCatalogue(path.resolve(root));
  return namedSkills(records, name)[0];
}

/** Runs a file in a process of its own (K4); never rejects for the file's faults. Throws a HumanError when there is no node. */
export async function runTestFile(
  file: string,
  { timeout = 30_000, verbose = false }: SkillRunOptions = {},
): Promise<SkillTestResult> {
  const testFile = path.resolve(file);
  const secret = randomBytes(16).toString('hex');
  const lines = new SealedLines(secret);
  let isForged = false;
  const output = new OutputBuffer({ left: Number.POSITIVE_INFINITY });
  const messages: ReporterMessage[] = [];
  const ended = await runProcess({
    command: await userNode({ root: path.dirname(testFile) }),
    args: [injectedFile('frameworks/skill', 'skillHost.mjs'), testFile, skillTitle(testFile)],
    cwd: path.dirname(testFile),
    secret,
    timeoutMs: timeout,
    onOutput: (stream, text) => {
      output.append(text);
      if (verbose) process[stream].write(text);
    },
    onMessageLine: (line) => {
      const message = lines.read(line);
      isForged ||= message === 'forged';
      if (typeof message === 'object') messages.push(message);
    },
  });
  const rest = { output: output.text(), duration: ended.durationMs };
  const end = messages.find((message) => message.type === 'testEnded');
  if (isForged) return { ...failed(`${testFile} wrote its own lines among the results.`), ...rest };
  if (!messages.some(({ type }) => type === 'runFinished'))
    return { ...failed(howEnded(ended, testFile, timeout)), ...rest };
  if (end?.type !== 'testEnded') {
    const failure = messages.flatMap((message) => (message.type === 'fileFailed' ? message.failure : []))[0];
    const name = failure?.name === undefined || failure.name === 'Error' ? '' : `${failure.name}: `;
    return { ...failed(`${name}${failure?.message ?? 'no result'}`), ...rest };
  }
  const errors = (end.failures ?? []).map(({ message }) => message);
  if (end.outcome === 'passed' && ended.exitCode !== 0)
    return { ...failed(`No check failed, but the process of ${testFile} ${howExited(ended)}.`), ...rest };
  return { success: end.outcome === 'passed', ...(end.counts ?? { passed: 0, failed: 0 }), errors, ...rest };
}

/** Runs a file in this process, freshly imported each time (K6): no time limit, and a crash of the file is a crash of the caller. */
export async function runTestFileInProcess(file: string): Promise<SkillTestResult> {
  const started = performance.now();
  const rest = (): Pick<SkillTestResult, 'output' | 'duration'> => ({
    output: '',
    duration: performance.now() - started,
  });
  try {
    const testFile = path.resolve(file);
    const url = pathToFileURL(testFile);
    url.searchParams.set('testmend', randomBytes(8).toString('hex'));
    const module: unknown = await import(url.href);
    const result = checkedResult(await testFunction(module, testFile)(), testFile);
    return { success: result.errors.length === 0, ...result, ...rest() };
  } catch (error) {
    return { ...failed(errorMessage(error)), ...rest() };
  }
}

/** Runs the tests one after the other, or several at once; records without tests are left out. Zero checks are no success. */
export async function runTestSuite(
  tests: readonly SkillRecord[],
  { parallel = false, ...options }: SkillRunOptions & { readonly parallel?: boolean } = {},
): Promise<SkillSuiteResult> {
  const started = performance.now();
  const runs = tests.flatMap((record) => {
    const { testFile } = record;
    return testFile === undefined
      ? []
      : [async () => ({ ...record, ...(await runTestFile(testFile, options)) })];
  });
  const results = await inParallel(runs, parallel ? availableParallelism() : 1, (run) => run());
  const totalPassed = results.reduce((sum, { passed }) => sum + passed, 0);
  const totalFailed = results.reduce((sum, { failed }) => sum + failed, 0);
  return {
    success: results.length > 0 && results.every(({ success }) => success),
    totalTests: totalPassed + totalFailed,
    totalPassed,
    totalFailed,
    results,
    errors: results.flatMap(({ shortName, errors }) => errors.map((error) => `${shortName}: ${error}`)),
    duration: performance.now() - started,
  };
}

const failed = (error: string): Pick<SkillTestResult, 'success' | 'passed' | 'failed' | 'errors'> => ({
  success: false,
  passed: 0,
  failed: 0,
  errors: [error],
});

function howEnded(
  { ended, exitCode, signalCode, error }: ProcessResult,
  file: string,
  timeout: number,
): string {
  if (ended === 'timeout') return `${file} did not end within ${timeout / 1000} s.`;
  if (ended === 'not-started') return `${file} could not be started: ${error ?? 'unknown error'}`;
  return `${file} gave no result: its process ${howExited({ exitCode, signalCode })}.`;
}

const howExited = ({ exitCode, signalCode }: Pick<ProcessResult, 'exitCode' | 'signalCode'>): string =>
  signalCode ? `was killed by ${signalCode}` : `exited with code ${exitCode}`;

export default {
  discoverSkillTests,
  discoverSkillTest,
  runTestFile,
  runTestFileInProcess,
  runTestSuite,
};
