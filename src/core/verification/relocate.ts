// Projects and selections of the workspace, as they are in a sandbox.
import path from 'node:path';
import type { FrameworkProject, Selection, TestFramework } from '../frameworks/framework.ts';
import type { FrameworkId } from '../model/testNode.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** The same projects in the sandbox, with what their frameworks change in a copy. */
export function projectsInSandbox(
  projects: readonly FrameworkProject[],
  frameworks: (id: FrameworkId) => TestFramework,
  sandbox: Sandbox,
): readonly FrameworkProject[] {
  return projects.map((project) => ({
    ...relocateProject(project, sandbox),
    ...(sandbox.inPlace
      ? {}
      : frameworks(project.framework).inCopy?.(project, sandbox.originalRoot, (file) =>
          sandbox.toSandbox(file),
        )),
  }));
}

/** The same project in the copy. An entry in node_modules stays: it is the same file on both sides. */
function relocateProject(project: FrameworkProject, sandbox: Sandbox): FrameworkProject {
  const { entry, configFile, innerRoots, problem } = project;
  const inModules = entry?.split(path.sep).includes('node_modules') ?? true;
  return {
    ...project,
    root: sandbox.toSandbox(project.root),
    ...(entry !== undefined && !inModules && { entry: sandbox.toSandbox(entry) }),
    ...(configFile !== undefined && { configFile: sandbox.toSandbox(configFile) }),
    ...(innerRoots && { innerRoots: innerRoots.map((inner) => sandbox.toSandbox(inner)) }),
    ...(problem?.file !== undefined && { problem: { ...problem, file: sandbox.toSandbox(problem.file) } }),
  };
}

/** The selection with its files in the copy. */
export function relocateSelection(selection: Selection, sandbox: Sandbox): Selection {
  const { files, tests, ...filters } = selection;
  return {
    ...filters,
    ...(files === undefined ? {} : { files: files.map((file) => sandbox.toSandbox(file)) }),
    ...(tests === undefined
      ? {}
      : { tests: tests.map((test) => ({ ...test, file: sandbox.toSandbox(test.file) })) }),
  };
}
