// Chooses the framework that is to run a first test: the one that runs the tests around the source, else what needs least.
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { isInside } from '../base/paths.ts';
import { detectProjects } from '../frameworks/detect.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import type { FrameworkProject } from '../model/frameworkProject.ts';
import type { Workspace } from '../model/settings.ts';
import type { FrameworkId } from '../model/testNode.ts';
import { toRelativePosix } from '../base/paths.ts';
import type { FileTree } from '../workspace/walk.ts';
import type { Language, SourceFile } from './subject.ts';

export interface Runner {
  readonly project: FrameworkProject;
  /** Test files that it has already, relative to the root; the nearest to the source first. */
  readonly tests: readonly string[];
  /** Nothing in the workspace says that it is used: it is merely what needs least. */
  readonly isNew: boolean;
}

const runners: Readonly<Record<Language, readonly FrameworkId[]>> = {
  script: ['vitest', 'jest', 'mocha', 'nodeTest', 'ava'],
  python: ['pytest'],
  go: ['goTest'],
};

/** Throws a HumanError where the workspace has no framework for the source, and the cancellation error. */
export async function chooseRunner(
  workspace: Workspace,
  source: SourceFile,
  tree: FileTree,
  signal?: AbortSignal,
): Promise<Runner> {
  const found = await runnersAround(workspace, source, tree, signal);
  const [best] = found;
  if (best !== undefined) return { ...best, isNew: false };
  const wanted = workspace.frameworks;
  const { language, file } = source;
  const fits = wanted.length === 0 || wanted.some((id) => runners[language].some((own) => own === id));
  if (fits && language === 'script' && (wanted.length === 0 || wanted.includes('nodeTest'))) {
    const root = packageFolder(source, tree);
    return { project: { framework: 'nodeTest', root, sign: 'dependency' }, tests: [], isNew: true };
  }
  if (fits && language === 'python') {
    // With a test in it every folder with Python is a project of pytest.
    const withTest = { ...tree, files: [...tree.files, 'tests/test_first.py'].sort() };
    const [first] = await runnersAround(workspace, source, withTest, signal);
    if (first !== undefined) return { project: first.project, tests: [], isNew: true };
  }
  const names = wanted.length === 0 ? 'No framework' : `None of ${wanted.join(', ')}`;
  throw new HumanError('bad-input', `${names} runs tests for ${file} in this workspace.`, {
    file,
    ...(wanted.length > 0 && { value: wanted.join(', ') }),
    ...(language === 'go'
      ? { remedy: 'Its folder does not belong to a module: run `go mod init` first.' }
      : {
          remedy: `Install one of ${runners[language].join(', ')}, or name no framework.`,
          choice: 'framework',
        }),
  });
}

/** The best first: the nearest root, then whoever has tests, then the order of the registry. */
async function runnersAround(
  { root, frameworks, pythonPath }: Workspace,
  { absolute, language }: SourceFile,
  tree: FileTree,
  signal?: AbortSignal,
): Promise<readonly Omit<Runner, 'isNew'>[]> {
  const chosen = { frameworks, tree, ...(pythonPath !== undefined && { pythonPath }) };
  const { projects } = await detectProjects(root, chosen, signal);
  const around = projects.filter(
    (project) =>
      runners[language].includes(project.framework) &&
      isInside(project.root, absolute) &&
      project.innerRoots?.some((inner) => isInside(inner, absolute)) !== true,
  );
  const found = await Promise.all(
    around.map(async (project) => {
      const listed = await frameworkOf(project).listTestFiles(project, signal, { tree });
      const own = listed.filter((one) => !one.inSource && isInside(root, one.file));
      const tests = [...new Set(own.map((one) => toRelativePosix(root, one.file)))];
      return { project, tests: nearestFirst(tests, toRelativePosix(root, absolute)) };
    }),
  );
  return found.sort(
    (a, b) =>
      b.project.root.length - a.project.root.length ||
      Number(b.tests.length > 0) - Number(a.tests.length > 0) ||
      runners[language].indexOf(a.project.framework) - runners[language].indexOf(b.project.framework),
  );
}

function packageFolder({ file }: SourceFile, { root, files }: FileTree): string {
  const known = new Set(files);
  for (let at = path.posix.dirname(file); at !== '.'; at = path.posix.dirname(at))
    if (known.has(`${at}/package.json`)) return path.join(root, at);
  return root;
}

function nearestFirst(tests: readonly string[], source: string): readonly string[] {
  return tests
    .map((file) => ({ file, shared: sharedFolders(file, source) }))
    .sort((a, b) => b.shared - a.shared || (a.file < b.file ? -1 : 1))
    .map(({ file }) => file);
}

/** How many folders two paths have in common. */
export function sharedFolders(a: string, b: string): number {
  const [left, right] = [a.split('/').slice(0, -1), b.split('/').slice(0, -1)];
  const differs = left.findIndex((folder, index) => folder !== right[index]);
  return differs < 0 ? left.length : differs;
}
