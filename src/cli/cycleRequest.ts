// What the options of `testmend fix` ask the cycle for.
import { HumanError } from '../core/base/humanError.ts';
import type { CycleRequest } from '../core/cycle/cycleRequest.ts';
import { testFileRule } from '../core/cycle/testFileRule.ts';
import type { FixProvider } from '../core/fixes/fixProvider.ts';
import { fixProviders } from '../core/fixes/providers.ts';
import type { CommandContext } from './command.ts';
import { selectFiles } from './selectFiles.ts';
import type { OpenedWorkspace } from './workspaceOptions.ts';

/** Throws a `usage` HumanError for files that are no test files and for unknown providers. */
export async function cycleRequestFrom(
  { options, files, signal }: CommandContext,
  { workspace, projects, frameworks, testFiles }: OpenedWorkspace,
  rest: Pick<CycleRequest, 'bugs' | 'accept'>,
): Promise<CycleRequest> {
  const preset = options.choice('preset', ['tester', 'qa']) ?? 'tester';
  const selected = await selectFiles(files, workspace.root, testFiles);
  const providers = providersNamed(options.list('provider'));
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
    ...(providers.length > 0 ? { providers } : {}),
    ...rest,
    signal,
  };
}

function providersNamed(ids: readonly string[]): readonly FixProvider[] {
  return ids.map((id) => {
    const found = fixProviders.find((provider) => provider.id === id);
    if (found) return found;
    throw new HumanError('usage', `There is no fix provider "${id}".`, {
      value: id,
      remedy: `The providers are ${fixProviders.map((provider) => provider.id).join(', ')}.`,
    });
  });
}
