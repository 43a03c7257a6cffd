// The fix cycle that the options of `testmend fix` ask for.
import type { AskedCycle } from '../core/engine/cycleRequest.ts';
import type { Workspace } from '../core/model/settings.ts';
import type { CommandContext } from './command.ts';
import { providersFor } from './providersFor.ts';

export function askedCycle(
  { options, files }: Pick<CommandContext, 'options' | 'files'>,
  { cacheFolder }: Workspace,
): AskedCycle {
  return {
    files,
    layer: options.choice('layer', ['L1', 'L2', 'L3']),
    preset: options.choice('preset', ['tester', 'qa']),
    assume: options.choice('assume', ['ask', 'source-is-right']),
    strategy: options.choice('strategy', ['auto', 'conservative', 'aggressive', 'surgical']),
    maxIterations: options.number('max-iterations'),
    targetPassRate: options.number('target'),
    coverage: options.flag('coverage'),
    // A session counts it by itself, as the workspace is on disk: nothing is counted twice.
    coverageBy: options.flag('session') ? 'caller' : 'cycle',
    maxSeconds: options.number('max-time'),
    maxProcesses: options.number('max-processes'),
    fixers: () => providersFor(options, cacheFolder),
  };
}
