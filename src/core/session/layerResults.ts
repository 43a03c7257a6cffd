// The results of a cycle for a session (CONTRACTS F8): the numbers of the last run of its tests, as the workspace is on disk.
import path from 'node:path';
import { percentOf } from '../model/coverage.ts';
import type { CycleReport } from '../model/cycle.ts';
import type { Layer } from '../model/settings.ts';
import { wirePassRate } from '../model/summarize.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { replaceFile } from './sessionFiles.ts';

/** F8, with what is to be said of the numbers. */
export interface LayerResults {
  /** `all` where no layer was asked for. */
  readonly layer: Layer | 'all';
  /** Several are joined by commas; `unknown` where there is none. */
  readonly framework: string;
  readonly iterations: number;
  /** Percent, floored to one decimal; 0 when no test ran. */
  readonly pass_rate: number;
  /** Of lines, percent, floored to one decimal; 0 with a note when unavailable. */
  readonly coverage: number;
  readonly tests_passed: number;
  readonly tests_failed: number;
  /** At least one test ran, to the end, and none failed. */
  readonly all_passed: boolean;
  readonly max_iterations_reached: boolean;
  readonly notes: readonly string[];
}

export interface Measured {
  readonly layer: LayerResults['layer'];
  readonly frameworks: readonly string[];
  /** Absent where the cycle did not come to its end. */
  readonly report?: CycleReport;
  /** What each test did when it last ran on disk; counts where there is no last run. */
  readonly known?: readonly TestResult[];
  /** The last run, with coverage; absent where there was no time or nothing to run. */
  readonly run?: RunSummary;
  readonly notes?: readonly string[];
}

const noCoverage = 'Coverage is unavailable: 0 stands for it.';

/** Was the coverage counted, or does its 0 only stand for that? */
export const isCovered = ({ notes }: LayerResults): boolean => !notes.includes(noCoverage);

/** Zero tests are never all passed, and what was cut off says so. */
export function layerResults({
  layer,
  frameworks,
  report,
  known = [],
  run,
  notes = [],
}: Measured): LayerResults {
  // Never those of the cycle: they are of the sandbox, with what nobody has accepted.
  const counted = run?.tests ?? known;
  const passed = counted.filter(({ outcome }) => outcome === 'passed').length;
  const failed = counted.filter(({ outcome }) => outcome === 'failed' || outcome === 'errored').length;
  const isWhole = run?.ended === 'complete';
  const said = [...notes, ...(report?.notes ?? []), ...(run?.notes ?? [])];
  if (passed + failed === 0) said.push('No test ran: this report is empty, and nothing passed.');
  else if (run === undefined)
    said.push('Partial results: there was no time for the last run; these are the numbers from before it.');
  else if (!isWhole) said.push('Partial results: the time limit ended the last run.');
  const coverage = run?.coverage === undefined ? null : percentOf(run.coverage.totals.lines);
  if (coverage === null) said.push(noCoverage);
  return {
    layer,
    framework: frameworks.length > 0 ? frameworks.join(', ') : 'unknown',
    iterations: report?.iterations.length ?? 0,
    pass_rate: wirePassRate({ passed, failed, errored: 0 }) ?? 0,
    coverage: coverage ?? 0,
    tests_passed: passed,
    tests_failed: failed,
    all_passed: isWhole && passed > 0 && failed === 0,
    max_iterations_reached: report?.ended === 'max-iterations',
    notes: [...new Set(said)],
  };
}

/** So many lines of the report on the last run are kept. */
const lastLines = 30;

/**
 * Writes `results/run-L1.json`, `run-L1.md` and `output-L1.txt`: of `output` the last 30 lines. Gives the folder.
 */
export async function writeResults(
  session: string,
  results: LayerResults,
  texts: { readonly markdown: string; readonly output: string },
): Promise<string> {
  const folder = path.join(session, 'results');
  const { layer } = results;
  const lines = texts.output.trimEnd().split('\n').slice(-lastLines);
  await replaceFile(path.join(folder, `output-${layer}.txt`), `${lines.join('\n')}\n`);
  await replaceFile(path.join(folder, `run-${layer}.md`), texts.markdown);
  await replaceFile(path.join(folder, `run-${layer}.json`), `${JSON.stringify(results, null, 2)}\n`);
  return folder;
}
