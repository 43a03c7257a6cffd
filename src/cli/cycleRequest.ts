// What the options of `testmend fix` ask the cycle for.
import path from 'node:path';
import type { CycleRequest } from '../core/cycle/cycleRequest.ts';
import { testFileRule } from '../core/cycle/testFileRule.ts';
import type { LayerChoice } from '../core/run/layers.ts';
import type { CommandContext } from './command.ts';
import { outsideLayer, testsOfLayer } from '../core/engine/testsOfLayer.ts';
import type { Options } from './options.ts';
import { providersFor } from './providersFor.ts';
import { selectFiles } from '../core/engine/selectFiles.ts';
import type { OpenedWorkspace } from '../core/engine/openWorkspace.ts';

/**
 * Throws a `usage` HumanError for files that are no test files and for what `providersFor` refuses, `no-tests` for a layer that has none,
 * or none of the files.
 */
export async function cycleRequestFrom(
  { options, files, signal }: CommandContext,
  { workspace, projects, frameworks, testFiles, listing }: OpenedWorkspace,
  rest: Pick<CycleRequest, 'bugs' | 'accept' | 'onResults' | 'resume'>,
): Promise<CycleRequest> {
  // A cycle that is taken up goes on as it was asked for; what this command says is heard first.
  const asked = rest.resume?.asked;
  const preset = options.choice('preset', ['tester', 'qa']) ?? asked?.preset ?? 'tester';
  const layerName = options.choice('layer', ['L1', 'L2', 'L3']) ?? asked?.layer;
  const layer = layerName && (await testsOfLayer(layerName, listing));
  const formerFiles = asked?.files?.map((file) => path.join(workspace.root, file));
  const selected = inLayer(formerFiles ?? (await selectFiles(files, workspace.root, testFiles)), layer);
  const providers = providersFor(options, workspace.cacheFolder);
  const [seconds, processes] = [options.number('max-time'), options.number('max-processes')];
  return {
    workspace,
    projects,
    frameworks,
    isTestFile: await testFileRule({ root: workspace.root, testFiles, signal }),
    preset,
    assume: options.choice('assume', ['ask', 'source-is-right']) ?? asked?.assume ?? 'ask',
    strategy:
      options.choice('strategy', ['auto', 'conservative', 'aggressive', 'surgical']) ??
      asked?.strategy ??
      'auto',
    // CONTRACTS T3 and F2.
    maxIterations: options.number('max-iterations') ?? asked?.maxIterations ?? (preset === 'qa' ? 5 : 10),
    targetPassRate: options.number('target') ?? asked?.targetPassRate ?? 95,
    ...(selected.length > 0 ? { files: selected } : {}),
    ...(layer && { layer }),
    // A session counts it by itself, as the workspace is on disk: nothing is counted twice.
    ...(tellsCoverage(options, { preset, resume: rest.resume }) && {
      coverage: options.flag('session') ? 'by-caller' : 'counted',
    }),
    providers,
    budget: {
      ...(seconds === undefined ? {} : { timeMs: seconds * 1000 }),
      ...(processes === undefined ? {} : { processes }),
    },
    ...rest,
    signal,
  };
}

/** Was coverage asked for? F3: what the qa preset reports tells its coverage. */
function tellsCoverage(
  options: Options,
  { preset, resume }: Pick<CycleRequest, 'preset'> & { readonly resume: CycleRequest['resume'] | undefined },
): boolean {
  return options.flag('coverage') || preset === 'qa' || resume?.asked.coverage === true;
}

/** Those of the files that lie in the layer; all without one. */
function inLayer(files: readonly string[], layer: LayerChoice | undefined): readonly string[] {
  if (layer === undefined || files.length === 0) return files;
  const own = files.filter((file) => layer.files.has(file));
  if (own.length === 0) throw outsideLayer(layer);
  return own;
}
