// Leaves out the scripts of packages whose tests a project of a framework already lists: their `npm test` would run them twice.
import { isInside } from '../../base/paths.ts';
import type { FrameworkProject, TestFramework } from '../framework.ts';
import type { FileTree } from '../../workspace/walk.ts';

/** The projects without such scripts. Throws the cancellation error. */
export async function withoutScriptsRunAbove(
  projects: readonly FrameworkProject[],
  tree: FileTree,
  frameworkOf: (project: FrameworkProject) => TestFramework,
  signal?: AbortSignal,
): Promise<readonly FrameworkProject[]> {
  const lists = new Map<FrameworkProject, readonly string[]>();
  const kept: FrameworkProject[] = [];
  for (const project of projects) {
    if (project.framework === 'script' && (await isRunAbove(project))) continue;
    kept.push(project);
  }
  return kept;

  async function isRunAbove({ root }: FrameworkProject): Promise<boolean> {
    for (const other of projects) {
      if (other.framework === 'script' || other.root === root || !isInside(other.root, root)) continue;
      const files =
        lists.get(other) ??
        (await frameworkOf(other).listTestFiles(other, signal, { tree })).map(({ file }) => file);
      lists.set(other, files);
      if (files.some((file) => isInside(root, file))) return true;
    }
    return false;
  }
}
