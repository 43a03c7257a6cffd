// The process that runs the script `test` of a package, and what is made of what it prints.
import path from 'node:path';
import { HumanError } from '../../base/humanError.ts';
import type { Workspace } from '../../model/settings.ts';
import { checkFilter, matchesFilter } from '../filter.ts';
import type { FrameworkProject, Launch, Selection } from '../framework.ts';
import { ScriptInterpreter } from './scriptInterpreter.ts';
import { lineOfTestScript } from './testScript.ts';

/** Title of the one test that a script is. */
export const npmTest = 'npm test';

/**
 * `npm test`, or what the package manager of the workspace calls it. Filters that leave the script out start nothing; tests that it
 * tells of itself are known after a run only. Throws a HumanError: `not-installed` without a package manager, `bad-input` for a
 * filter that CONTRACTS Q4 refuses.
 */
export function scriptLaunches(
  project: FrameworkProject,
  { filter, nativeFilter }: Selection,
  workspace: Workspace,
): readonly Launch[] {
  const { entry, root, problem } = project;
  const file = path.join(root, 'package.json');
  for (const one of [filter, nativeFilter]) if (one !== undefined) checkFilter(one);
  if (nativeFilter !== undefined && !matchesFilter([npmTest], nativeFilter)) return [];
  if (entry === undefined) {
    throw new HumanError('not-installed', problem?.message ?? `There is no package manager for ${root}.`, {
      file: problem?.file ?? file,
      remedy: problem?.remedy ?? 'Install Node.js with npm.',
    });
  }
  const isScript = /\.c?js$/.test(entry);
  const words = /[\\/](?:yarn|bun)[^\\/]*$/.test(entry) ? ['run', 'test'] : ['test'];
  return [
    {
      project,
      ...(isScript ? {} : { program: entry }),
      args: [...(isScript ? [entry] : []), ...words],
      cwd: root,
      env: {},
      files: [file],
      timeoutMs: workspace.limits.timeoutMs,
      interpret: () => new ScriptInterpreter({ file, title: npmTest, line: lineOfTestScript(file) }),
    },
  ];
}
