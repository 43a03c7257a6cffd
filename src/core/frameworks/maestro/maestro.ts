// Maestro (mobile and web flows): each flow is one test. Built against its documented interface and a stand-in for its program.
import os from 'node:os';
import path from 'node:path';
import { HumanError } from '../../base/humanError.ts';
import { isInside } from '../../base/paths.ts';
import type { Workspace } from '../../model/settings.ts';
import { injectedFile } from '../../process/injectedFile.ts';
import { programOnPath } from '../../process/programOnPath.ts';
import { filesBelow, walkTree } from '../../workspace/walk.ts';
import { textOfFile } from '../configFiles.ts';
import { checkFilter, matchesFilter } from '../filter.ts';
import type {
  FolderFacts,
  FrameworkProject,
  Launch,
  ListContext,
  Selection,
  TestFramework,
} from '../framework.ts';
import { selectedFiles } from '../launchParts.ts';
import { flowsBelow, flowTitle } from './maestroFlows.ts';

const workspaceNames = ['.maestro', 'maestro'];

export const maestro: TestFramework = {
  id: 'maestro',
  label: 'Maestro',
  language: 'yaml',
  detect: async (facts) => detectMaestro(facts),
  listTestFiles: async (project, signal, context = {}) =>
    (await listFlows(project, context, signal)).map((file) => ({ file })),
  fileTitle: (file) => flowTitle(textOf(file), file),
  scan: async () => ({ tests: [], warnings: [] }),
  launches: maestroLaunches,
};

function detectMaestro({ folder, names, tree }: FolderFacts): FrameworkProject | undefined {
  const own = workspaceNames.find((name) => names.has(name) && hasFlow(path.join(folder, name)));
  if (own === undefined) return undefined;
  const program = programOnPath(process.platform === 'win32' ? ['maestro.exe'] : ['maestro'], [
    path.join(os.homedir(), '.maestro', 'bin'),
  ]);
  const project: FrameworkProject = { framework: 'maestro', root: folder, sign: 'config' };
  if (program !== undefined) return { ...project, entry: program };
  const message = `The flows in ${path.posix.join(path.basename(folder), own)} need Maestro, which is not on PATH.`;
  return {
    ...project,
    problem: { message, file: path.join(folder, own), remedy: 'Install Maestro (https://docs.maestro.dev).' },
  };

  function hasFlow(below: string): boolean {
    const files = filesBelow(tree, below) ?? [];
    return flowsBelow(below, files, (file) => textOf(path.join(below, file))).flows.length > 0;
  }
}

async function listFlows(
  { root }: FrameworkProject,
  { tree, note }: ListContext,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const files = (tree && filesBelow(tree, root)) ?? (await walkTree(root, signal)).files;
  return workspaceNames.flatMap((name) => {
    const below = path.join(root, name);
    const own = files
      .filter((file) => file.startsWith(`${name}/`))
      .map((file) => file.slice(name.length + 1));
    const { flows, notes } = flowsBelow(name, own, (file) => textOf(path.join(below, file)));
    for (const text of notes) note?.(text);
    return flows.map((file) => path.join(below, file));
  });
}

/** One process for all flows: they share a device. Throws a HumanError as every framework does. */
async function maestroLaunches(
  project: FrameworkProject,
  selection: Selection,
  workspace: Workspace,
): Promise<readonly Launch[]> {
  const { entry, root, problem } = project;
  const filters = [selection.filter, selection.nativeFilter].flatMap((filter) =>
    filter === undefined ? [] : [checkFilter(filter)],
  );
  if (entry === undefined) {
    throw new HumanError('not-installed', problem?.message ?? 'Maestro is not installed.', {
      file: problem?.file ?? root,
      remedy: problem?.remedy ?? 'Install Maestro (https://docs.maestro.dev).',
    });
  }
  const chosen = selectedFiles(selection) ?? (await listFlows(project, {}));
  const files = chosen.filter((file) =>
    filters.every((filter) => matchesFilter([flowTitle(textOf(file), file)], filter)),
  );
  if (files.length === 0) return [];
  for (const file of files)
    if (!isInside(root, file)) throw new Error(`the flow is outside of its project: ${file}`);
  return [
    {
      project,
      args: [injectedFile('frameworks/maestro', 'maestroHost.mjs'), '--program', entry, '--', ...files],
      cwd: root,
      env: {},
      files,
      timeoutMs: workspace.limits.timeoutMs,
      lane: 'maestro',
    },
  ];
}

const textOf = (file: string): string => textOfFile(file) ?? '';
