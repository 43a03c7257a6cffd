// Decides which projects that cannot run are mere notes while others run: examples that nobody installed, not packages of the workspace.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { isInside, toRelativePosix } from '../base/paths.ts';
import type { FrameworkProject } from './framework.ts';
import { readYaml } from './readYaml.ts';

/** Folders that are commonly there to be looked at, not to be worked on. */
export const exampleFolder =
  /(?:^|\/)(?:examples?|samples?|demos?|templates?|playgrounds?|benchmarks?|starters?|website)(?:\/|$)/;

/**
 * Marks the projects below the root that cannot run, are no package of the workspace, and lie in a folder for examples or below a
 * project that can run.
 */
export function setAside(projects: readonly FrameworkProject[], root: string): readonly FrameworkProject[] {
  const suspects = projects.filter((project) => project.problem && project.root !== root);
  if (suspects.length === 0) return projects;
  const isPackage = workspacePackages(root);
  return projects.map((project) => {
    if (!suspects.includes(project) || project.aside === true) return project;
    const folder = toRelativePosix(root, project.root);
    const isBelow = projects.some(
      (outer) => !outer.problem && outer.root !== project.root && isInside(outer.root, project.root),
    );
    const isAside = !isPackage(folder) && (isBelow || exampleFolder.test(folder));
    return isAside ? { ...project, aside: true } : project;
  });
}

/** Tells of a folder, relative to the root, whether npm, yarn, pnpm, bun or lerna take it for a package of the workspace. */
function workspacePackages(root: string): (folder: string) => boolean {
  const patterns = [
    ...patternsIn(path.join(root, 'package.json'), 'workspaces'),
    ...patternsIn(path.join(root, 'lerna.json'), 'packages'),
    ...pnpmPatterns(path.join(root, 'pnpm-workspace.yaml')),
  ].map((pattern) => pattern.replace(/^(!?)\.\//, '$1').replace(/\/+$/, ''));
  const ignore = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!'));
  return wanted.length === 0 ? () => false : picomatch(wanted, { ignore });
}

/** A list of patterns, or a record that holds it as `packages`. */
function patternsIn(file: string, key: string): readonly string[] {
  try {
    const data: unknown = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''));
    const value = isRecord(data) ? data[key] : undefined;
    return texts(isRecord(value) ? value['packages'] : value);
  } catch {
    return [];
  }
}

function pnpmPatterns(file: string): readonly string[] {
  try {
    return texts(readYaml(readFileSync(file, 'utf8')).values.get('packages'));
  } catch {
    return [];
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}
