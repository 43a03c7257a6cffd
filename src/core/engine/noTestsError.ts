// What a command says where it finds no project to test: what was looked for, what is there instead, and what to do about it.
import { readdir } from 'node:fs/promises';
import { HumanError } from '../base/humanError.ts';
import { toRelativePosix } from '../base/paths.ts';
import { listTestFiles } from '../frameworks/discover.ts';
import { frameworkOf, frameworks, selectFrameworks } from '../frameworks/registry.ts';
import type { Workspace } from '../model/settings.ts';
import { projectFiles } from './firstTestOffer.ts';

/** The `no-tests` error; `beside` are sentences that are known already. Throws the cancellation error. */
export async function noTestsError(
  workspace: Workspace,
  beside: readonly string[],
  signal: AbortSignal,
): Promise<HumanError> {
  const { root } = workspace;
  const chosen = workspace.frameworks.length > 0 ? selectFrameworks(workspace.frameworks) : [];
  const others = chosen.length === 0 ? [] : await otherProjects(workspace, signal);
  const asked = chosen.map(({ label }) => `${label} `).join('or ');
  return new HumanError('no-tests', `No ${asked}tests found in ${root}.`, {
    file: root,
    remedy: [
      others.length > 0 ? `Found instead: ${others.join(', ')}.` : await missingIn(root),
      ...(chosen.length > 0 ? [] : [`Testmend runs ${frameworks.map(describeFramework).join(', ')}.`]),
      ...beside,
    ].join(' '),
  });
}

/** Frameworks that were not asked for, each with its option and the folders that use it. */
async function otherProjects(workspace: Workspace, signal: AbortSignal): Promise<readonly string[]> {
  const { projects } = await listTestFiles({ ...workspace, frameworks: [] }, signal);
  return [...new Set(projects.map(({ framework }) => framework))].map((framework) => {
    const own = projects.filter((project) => project.framework === framework);
    const folders = own.map((project) => toRelativePosix(workspace.root, project.root));
    const where = folders.includes('') ? '' : ` in ${folders.slice(0, 3).join(', ')}`;
    return `${frameworkOf({ framework }).label} (--framework ${framework})${where}`;
  });
}

/** What the folder lacks. */
async function missingIn(root: string): Promise<string> {
  const entries = new Set(await readdir(root).catch(() => []));
  const found = projectFiles.filter((name) => entries.has(name));
  if (found.length === 0)
    return `It contains no ${projectFiles.slice(0, 2).join(', no ')} and no other project file.`;
  const names = found.length === 1 ? 'names' : 'name';
  return `Its ${found.join(' and ')} ${names} no test framework that Testmend runs, and Testmend found no test files.`;
}

const describeFramework = ({ id, label }: (typeof frameworks)[number]): string =>
  id === 'skill' ? `${label} (named tests/<skill>.tests.mjs)` : label;
