// What the options of `testmend fix` ask the cycle for.
import type { CycleRequest } from '../core/cycle/cycleRequest.ts';
import { testFileRule } from '../core/cycle/testFileRule.ts';
import type { CommandContext } from './command.ts';
import { providersFor } from './providersFor.ts';
import { selectFiles } from './selectFiles.ts';
import type { OpenedWorkspace } from './workspaceOptions.ts';

/** Throws a `usage` HumanError for files that are no test files and for what `providersFor` refuses. */
export async function cycleRequestFrom(
  { options, files, signal }: CommandContext,
  { workspace, projects, frameworks, testFiles }: OpenedWorkspace,
  rest: Pick<CycleRequest, 'bugs' | 'accept'>,
): Promise<CycleRequest> {
  const preset = options.choice('preset', ['tester', 'qa']) ?? 'tester';
  const selected = await selectFiles(files, workspace.root, testFiles);
  const providers = providersFor(options, workspace.cacheFolder);
  const [seconds, processes] = [options.number('max-time'), options.number('max-processes')];
  return {
    workspace,
    projects,
    frameworks,
    isTestFile: await testFileRule({ root: workspace.root, testFiles, signal }),
    preset,
    assume: options.choice('assume', ['ask', 'source-is-right']) ?? 'ask',
    strategy: options.choice('strategy', ['auto', 'conservative', 'aggressive', 'surgical']) ?? 'auto',
    // CONTRACTS T3 and F2.
    maxIterations: options.number('max-iterations') ?? (preset === 'qa' ? 5 : 10),
    targetPassRate: options.number('target') ?? 95,
    ...(selected.length > 0 ? { files: selected } : {}),
    providers,
    budget: {
      ...(seconds === undefined ? {} : { timeMs: seconds * 1000 }),
      ...(processes === undefined ? {} : { processes }),
    },
    ...rest,
    signal,
  };
}
