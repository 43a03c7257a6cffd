// Which test files runs are known to have had that no listing finds, because a configuration computes them.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { hashText } from '../base/hash.ts';
import { toRelativePosix } from '../base/paths.ts';
import type { FrameworkProject } from '../model/frameworkProject.ts';
import type { Workspace } from '../model/settings.ts';

type Corner = Pick<Workspace, 'root' | 'cacheFolder'>;

/** By framework and folder of the project: the configuration that it was run with, and its files. */
export type RanMemory = Readonly<
  Record<
    string,
    { readonly configuration: string; readonly files: NonNullable<FrameworkProject['ranFiles']> }
  >
>;

/** The projects, each with the files that it is known to run beside those of its patterns. */
export function withRanFiles(
  workspace: Corner,
  projects: readonly FrameworkProject[],
): readonly FrameworkProject[] {
  const memory = readRanMemory(workspace);
  return projects.map((project) => {
    const known = memory[ranKey(project, workspace.root)];
    if (known === undefined || known.configuration !== configurationOf(project)) return project;
    return { ...project, ranFiles: known.files };
  });
}

export const ranKey = ({ framework, root: folder }: FrameworkProject, root: string): string =>
  `${framework} ${toRelativePosix(root, folder)}`;

/** A mark of the texts that decide which files are tests, as far as they are known. */
export function configurationOf({ configFile, root }: FrameworkProject): string {
  const files = [configFile, path.join(root, 'package.json')].filter((file) => file !== undefined);
  return hashText(files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : '')).join('\0'));
}

export const ranMemoryFile = ({ root, cacheFolder }: Corner): string =>
  path.join(cacheFolder, `ran-1-${hashText(root).slice(0, 12)}.json`);

/** Only this version writes the file, whole or not at all; what cannot be read counts as nothing. */
export function readRanMemory(workspace: Corner): RanMemory {
  try {
    return JSON.parse(readFileSync(ranMemoryFile(workspace), 'utf8'));
  } catch {
    return {};
  }
}
