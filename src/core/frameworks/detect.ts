// Finds which frameworks a workspace uses and where (CONTRACTS T1), without running any of its code.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { isInside, toRelativePosix } from '../base/paths.ts';
import { walkTree, type FileTree } from '../workspace/walk.ts';
import type { FolderFacts, FrameworkProject, TestFramework } from './framework.ts';
import { readPackageJson, type ProjectProblem } from './packageJson.ts';
import { frameworkOf, selectFrameworks } from './registry.ts';
import { withoutScriptsRunAbove } from './script/runAbove.ts';
import { setAside } from './setAside.ts';

interface DetectOptions {
  /** Only these; absent or empty means all. */
  readonly frameworks?: readonly string[];
  /** A walk of the root, to share. */
  readonly tree?: FileTree;
  /** The user's choice of a Python. */
  readonly pythonPath?: string;
}

export interface Detection {
  readonly projects: readonly FrameworkProject[];
  /** For the user's information. */
  readonly notes: readonly string[];
  /** What keeps tests from being found or run, with the remedy; those of a project are among them. */
  readonly problems: readonly ProjectProblem[];
  readonly tree: FileTree;
}

/** Folders of sample projects: what is in them is data of somebody's tests. */
const sampleFolder = /(?:^|\/)(?:fixtures|__fixtures__|testdata|__testdata__)(?:\/|$)/;

/**
 * Every project of the workspace, each at its own root; one that a project above it runs is left to that one. Throws a
 * `usage` HumanError for an unknown framework, and the cancellation error.
 */
export async function detectProjects(
  root: string,
  options: DetectOptions = {},
  signal?: AbortSignal,
): Promise<Detection> {
  const chosen = selectFrameworks(options.frameworks);
  const tree = options.tree ?? (await walkTree(root, signal));
  const notes: string[] = [];
  const problems: ProjectProblem[] = [];
  const found: FrameworkProject[] = [];
  for (const folder of foldersToLookAt(tree, chosen)) {
    const { packageJson, problem } = readPackageJson(folder, root);
    if (problem && !isSample(folder, root)) problems.push(problem);
    const inFolder: FrameworkProject[] = [];
    const facts: FolderFacts = {
      folder,
      names: namesIn(folder),
      tree,
      found: [],
      ...(packageJson ? { packageJson } : {}),
      ...(options.pythonPath === undefined ? {} : { pythonPath: options.pythonPath }),
    };
    for (const framework of chosen) {
      const project = await framework.detect({ ...facts, found: inFolder.map(({ framework: id }) => id) });
      if (project) inFolder.push(project);
    }
    found.push(...inFolder);
  }
  const samples = found.filter((project) => isSample(project.root, root));
  if (samples.length > 0) notes.push(sampleNote(samples, root));
  const uncovered = await withoutCovered(
    withoutIdle(found.filter((project) => !samples.includes(project))),
    tree,
  );
  const own = await withoutScriptsRunAbove(uncovered, tree, frameworkOf, signal);
  const providing = await withoutMereProviders(withInnerRoots(own), tree, signal);
  const projects = setAside(providing, root);
  for (const { problem } of projects) if (problem) problems.push(problem);
  return { projects, notes, problems, tree };
}

/** The root, and every folder with a package.json or another file that a framework is known by; outer ones first. */
function foldersToLookAt({ root, files }: FileTree, chosen: readonly TestFramework[]): readonly string[] {
  const marks = new Set(['package.json', ...chosen.flatMap(({ marks = [] }) => marks)]);
  const folders = new Set(['']);
  for (const file of files) {
    const slash = file.lastIndexOf('/');
    if (marks.has(file.slice(slash + 1))) folders.add(file.slice(0, Math.max(slash, 0)));
  }
  return [...folders]
    .sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1))
    .map((folder) => path.join(root, folder));
}

function depth(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}

function namesIn(folder: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(folder));
  } catch {
    return new Set();
  }
}

function isSample(folder: string, root: string): boolean {
  return sampleFolder.test(toRelativePosix(root, folder));
}

function sampleNote(samples: readonly FrameworkProject[], root: string): string {
  const [first] = samples;
  const where = first === undefined ? '' : toRelativePosix(root, first.root);
  const count = samples.length === 1 ? 'a sample project' : `${samples.length} sample projects`;
  return `Left out ${count} in fixtures (${where}${samples.length > 1 ? ', …' : ''}).`;
}

async function withoutCovered(
  projects: readonly FrameworkProject[],
  tree: FileTree,
): Promise<readonly FrameworkProject[]> {
  const kept: { project: FrameworkProject; covers: (inner: FrameworkProject) => boolean }[] = [];
  for (const project of projects) {
    const above = kept.filter(
      (outer) => outer.project.framework === project.framework && isInside(outer.project.root, project.root),
    );
    if (above.some((outer) => outer.covers(project))) continue;
    const covers = (await frameworkOf(project).covers?.(project, tree)) ?? (() => false);
    kept.push({ project, covers });
  }
  return kept.map(({ project }) => project);
}

/** A framework that is merely installed where another one of its language is configured or started has no tests there. */
function withoutIdle(projects: readonly FrameworkProject[]): readonly FrameworkProject[] {
  return projects.filter(
    (project) =>
      project.sign !== 'dependency' ||
      !projects.some((other) => other.root === project.root && isUsedInstead(other, project)),
  );
}

/** Is `other` configured or started, for tests of the same language? */
const isUsedInstead = (other: FrameworkProject, project: FrameworkProject): boolean =>
  other !== project &&
  (other.sign === 'config' || other.sign === 'script') &&
  frameworkOf(other).language === frameworkOf(project).language;

/**
 * Tells each project which folders below are not its own: those of its framework's other projects, and, where it is merely
 * installed, those in which another one of its language is configured or started.
 */
function withInnerRoots(projects: readonly FrameworkProject[]): readonly FrameworkProject[] {
  return projects.map((project) => {
    const inner = projects
      .filter((other) => other.root !== project.root && isInside(project.root, other.root))
      .filter(
        (other) =>
          other.framework === project.framework ||
          (project.sign === 'dependency' && isUsedInstead(other, project)),
      );
    const innerRoots = [...new Set(inner.map(({ root }) => root))];
    return innerRoots.length > 0 ? { ...project, innerRoots } : project;
  });
}

/** A root that only provides the framework to the packages below is no project: it has no tests of its own. */
async function withoutMereProviders(
  projects: readonly FrameworkProject[],
  tree: FileTree,
  signal?: AbortSignal,
): Promise<readonly FrameworkProject[]> {
  const kept: FrameworkProject[] = [];
  for (const project of projects) {
    const mayProvide = project.sign === 'dependency' && project.innerRoots !== undefined;
    if (mayProvide && (await frameworkOf(project).listTestFiles(project, signal, { tree })).length === 0)
      continue;
    kept.push(project);
  }
  return kept;
}
