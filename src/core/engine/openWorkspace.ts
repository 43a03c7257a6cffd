// A workspace with its projects and test files, as commands work on it.
import { HumanError } from '../base/humanError.ts';
import { listTestFiles, type TestListing } from '../frameworks/discover.ts';
import type { TestFramework } from '../frameworks/framework.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import type { FrameworkProject } from '../model/frameworkProject.ts';
import type { Workspace } from '../model/settings.ts';
import type { FrameworkId } from '../model/testNode.ts';
import { mayFallBack } from '../run/fallback.ts';
import { firstTestOffer } from './firstTestOffer.ts';

export interface OpenedWorkspace {
  readonly workspace: Workspace;
  readonly listing: TestListing;
  readonly projects: readonly FrameworkProject[];
  /** Absolute test files of all projects. */
  readonly testFiles: readonly string[];
  /** For the user's information: what was left out, what is wrong in parts of the workspace. */
  readonly notes: readonly string[];
  readonly frameworks: (id: FrameworkId) => TestFramework;
}

/**
 * Lists the test files of the workspace. Throws a HumanError: `no-tests` when there is no framework, and the problem of the project
 * when nothing of it can run.
 */
export async function openWorkspace(workspace: Workspace, signal: AbortSignal): Promise<OpenedWorkspace> {
  const listing = await listTestFiles(workspace, signal);
  const { projects, problems, notes, files } = listing;
  const [problem] = problems;
  const cannotRun = (project: FrameworkProject): boolean =>
    project.problem !== undefined && !mayFallBack(project, workspace.root);
  if (problem && projects.every(cannotRun)) {
    const { message, ...details } = problem;
    throw new HumanError(projects.length > 0 ? 'not-installed' : 'broken-project', message, details);
  }
  const offer = files.length === 0 ? await firstTestOffer(workspace, signal) : [];
  if (projects.length === 0) {
    const { noTestsError } = await import('./noTestsError.ts');
    throw await noTestsError(workspace, [...notes, ...offer], signal);
  }
  return {
    workspace,
    listing,
    projects,
    testFiles: [...new Set(files.map(({ absolute }) => absolute))],
    notes: [...notes, ...problems.map(({ message, remedy }) => `${message} ${remedy}`), ...offer],
    frameworks: (framework) => frameworkOf({ framework }),
  };
}
