// A fix cycle as hosts ask for it, made into what the cycle is asked; what is left out has the defaults of CONTRACTS.
import path from 'node:path';
import type { CycleRequest } from '../cycle/cycleRequest.ts';
import { runFixCycle } from '../cycle/fixCycle.ts';
import { testFileRule } from '../cycle/testFileRule.ts';
import { errorMessage } from '../base/humanError.ts';
import type { CycleEvent, CycleReport } from '../model/cycle.ts';
import type { Layer } from '../model/settings.ts';
import type { TestResult } from '../model/testResult.ts';
import type { LayerChoice } from '../run/layers.ts';
import { keepCycle, type EndedCycle } from './cycleStore.ts';
import { newId } from './entryStore.ts';
import type { Fixer } from './fixers.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';
import { selectFiles } from './selectFiles.ts';
import { outsideLayer, testsOfLayer } from './testsOfLayer.ts';

export { coverageOf, withoutCoverage } from '../cycle/coverageAtEnd.ts';
export type { CycleRequest, Decision } from '../cycle/cycleRequest.ts';

export interface AskedCycle {
  /** Test files and folders, as typed; none for all. */
  readonly files?: readonly string[];
  readonly layer?: Layer | undefined;
  readonly preset?: CycleRequest['preset'] | undefined;
  readonly assume?: CycleRequest['assume'] | undefined;
  readonly strategy?: CycleRequest['strategy'] | undefined;
  readonly maxIterations?: number | undefined;
  readonly targetPassRate?: number | undefined;
  /** Counts what the mended suite runs of the sources; `by-caller`: who asks does so, where it is to be counted at all. */
  readonly coverage?: boolean;
  readonly coverageBy?: 'cycle' | 'caller';
  readonly maxSeconds?: number | undefined;
  readonly maxProcesses?: number | undefined;
  /** Called once the files are known to be tests; the built-in ones when absent. */
  readonly fixers?: () => readonly Fixer[];
}

/** What the host says beside: what is known already, and who answers for changed expectations. */
type CycleHost = Pick<CycleRequest, 'bugs' | 'accept' | 'onResults' | 'resume'>;

/**
 * A cycle that is taken up goes on as it was asked for, but for what is asked now. Throws a `usage` HumanError for files that are no test
 * files and for what `fixers` refuses, `no-tests` for a layer that has none, or none of the files.
 */
export async function cycleRequestFrom(
  asked: AskedCycle,
  opened: OpenedWorkspace,
  host: CycleHost,
  signal: AbortSignal,
): Promise<CycleRequest> {
  const { workspace, projects, frameworks, testFiles, listing } = opened;
  const former = host.resume?.asked;
  const preset = asked.preset ?? former?.preset ?? 'tester';
  const layerName = asked.layer ?? former?.layer;
  const layer = layerName && (await testsOfLayer(layerName, listing));
  const formerFiles = former?.files?.map((file) => path.join(workspace.root, file));
  const typed = asked.files ?? [];
  const selected = inLayer(formerFiles ?? (await selectFiles(typed, workspace.root, testFiles)), layer);
  const providers = asked.fixers?.();
  const { maxSeconds, maxProcesses } = asked;
  // F3: what the qa preset reports tells its coverage.
  const isCounted = asked.coverage === true || preset === 'qa' || former?.coverage === true;
  return {
    workspace,
    projects,
    frameworks,
    isTestFile: await testFileRule({ root: workspace.root, testFiles, signal }),
    preset,
    assume: asked.assume ?? former?.assume ?? 'ask',
    strategy: asked.strategy ?? former?.strategy ?? 'auto',
    // CONTRACTS T3 and F2.
    maxIterations: asked.maxIterations ?? former?.maxIterations ?? (preset === 'qa' ? 5 : 10),
    targetPassRate: asked.targetPassRate ?? former?.targetPassRate ?? 95,
    ...(selected.length > 0 ? { files: selected } : {}),
    ...(layer && { layer }),
    ...(isCounted && { coverage: asked.coverageBy === 'caller' ? 'by-caller' : 'counted' }),
    ...(providers && { providers }),
    budget: {
      ...(maxSeconds === undefined ? {} : { timeMs: maxSeconds * 1000 }),
      ...(maxProcesses === undefined ? {} : { processes: maxProcesses }),
    },
    weigh: async (...change) => {
      const { weighPatch } = await import('./weighPatch.ts');
      return weighPatch(opened, strengthSeconds)(...change);
    },
    ...host,
    signal,
  };
}

/** For the tests of each side of an edit. */
const strengthSeconds = 4;

/**
 * Goes on only while somebody listens: an answer to a changed expectation comes after all that was told before. What it found is kept
 * before its end is told, so that a process that is killed then has lost nothing.
 */
export async function* runCycle(request: CycleRequest): AsyncGenerator<CycleEvent, CycleReport> {
  const { workspace, layer, sandbox, cycleId = newId('cycle') } = request;
  let before: readonly TestResult[] = [];
  let textInSandbox: EndedCycle['textInSandbox'] = () => Promise.resolve(undefined);
  const cycle = runFixCycle({
    ...request,
    onResults: (tests, readText) => {
      before = tests;
      textInSandbox = readText ?? textInSandbox;
      request.onResults?.(tests, readText);
    },
  });
  let report: CycleReport | undefined;
  for await (const event of cycle) {
    if (event.type !== 'cycleEnded') {
      yield event;
      continue;
    }
    report = { ...event.report, cycleId };
    const ended = { root: workspace.root, cycleId, report, before, suite: layer?.files, textInSandbox };
    try {
      await (sandbox?.withOriginals(() => keepCycle(ended)) ?? keepCycle(ended));
    } catch (error) {
      const note = `These fixes cannot be applied by their ids later: ${errorMessage(error)}`;
      report = { ...event.report, notes: [...report.notes, note] };
    }
    yield { ...event, report };
  }
  if (report === undefined) throw new Error('a cycle without a report');
  return report;
}

/** Those of the files that lie in the layer; all without one. */
function inLayer(files: readonly string[], layer: LayerChoice | undefined): readonly string[] {
  if (layer === undefined || files.length === 0) return files;
  const own = files.filter((file) => layer.files.has(file));
  if (own.length === 0) throw outsideLayer(layer);
  return own;
}
