// The tests of what is laid out in the scratch just now: how they are found, which files are theirs, and how they are run.
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import { toRelativePosix } from '../base/paths.ts';
import { testFileRule } from '../cycle/testFileRule.ts';
import { listTestFiles, type TestListing } from '../frameworks/discover.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import { snapshotOwner } from '../frameworks/testFiles.ts';
import type { FrameworkProject } from '../model/frameworkProject.ts';
import type { Workspace } from '../model/settings.ts';
import { assignIds, fileTestId } from '../model/testId.ts';
import type { FrameworkId, TestNode } from '../model/testNode.ts';
import type { RunSummary } from '../model/testResult.ts';
import { runTests, type RunRequest } from '../run/runTests.ts';
import { storedSnapshots } from '../verification/originalRun.ts';
import { createImportGraph } from '../modules/importGraph.ts';

export interface TestBed {
  readonly workspace: Workspace;
  readonly projects: readonly FrameworkProject[];
  readonly frameworks: RunRequest['frameworks'];
  /** Absolute. */
  readonly testFiles: readonly string[];
  /** May a fix touch this file (relative to the root)? A source with tests inside counts as source. */
  isTestFile(file: string): boolean;
  /** Why nothing of it can run; undefined when it can. */
  readonly problem: string | undefined;
  /** Runs test files (relative to the root); undefined means all of them. */
  run(files: readonly string[] | undefined): Promise<RunSummary>;
  /** Test files (relative) in which changes of these test files, helpers and snapshots can show; undefined: in any. */
  reachedBy(files: readonly string[]): Promise<readonly string[] | undefined>;
  /** The tests in a text of a test file (relative), suites left out. */
  testsIn(file: string, text: string): Promise<readonly TestNode[]>;
}

/** Reads the workspace anew: two commits may have other frameworks, files and settings. */
export async function openTestBed(workspace: Workspace, signal: AbortSignal): Promise<TestBed> {
  const { root } = workspace;
  const listing = await listTestFiles(workspace, signal);
  const frameworks = (framework: FrameworkId) => frameworkOf({ framework });
  const own = listing.files.filter(({ inSource }) => inSource !== true);
  const sources = new Set(listing.files.flatMap(({ file, inSource }) => (inSource === true ? [file] : [])));
  const testFiles = [...new Set(own.map(({ absolute }) => absolute))];
  const isTest = await testFileRule({ root, testFiles, signal });
  const listed = new Set(testFiles.map((file) => toRelativePosix(root, file)));
  return {
    workspace,
    projects: listing.projects,
    frameworks,
    testFiles,
    isTestFile: (file) => isTest(file) && !sources.has(file),
    problem: problemOf(listing),
    async run(files) {
      const selection =
        files === undefined
          ? storedSnapshots
          : { ...storedSnapshots, files: files.map((file) => path.join(root, file)) };
      const summary = await runTests({
        workspace,
        projects: listing.projects,
        frameworks,
        selection,
        signal,
      });
      throwIfCancelled(signal);
      return summary;
    },
    async reachedBy(files) {
      const reached = new Set<string>();
      const helpers: string[] = [];
      for (const file of files) {
        const owner = snapshotOwner(file) ?? file;
        if (listed.has(owner)) reached.add(owner);
        else helpers.push(file);
      }
      for (const helper of helpers) {
        const tests = await createImportGraph({ root, signal }).testsReaching([helper], [...listed]);
        if (tests.length === 0) return undefined;
        for (const test of tests) reached.add(test);
      }
      return [...reached];
    },
    async testsIn(file, text) {
      const found = listing.files.find((one) => one.file === file);
      if (found === undefined) return [];
      const { tests } = await frameworks(found.framework).scan(path.join(root, file), text, {
        project: found.frameworkProject,
      });
      return leavesOf(assignIds(fileTestId(found.framework, found.project, file), tests));
    },
  };
}

function leavesOf(nodes: readonly TestNode[]): readonly TestNode[] {
  return nodes.flatMap((node) => [...(node.kind === 'suite' ? [] : [node]), ...leavesOf(node.children)]);
}

function problemOf({ projects, problems, files }: TestListing): string | undefined {
  const [problem] = problems;
  if (problem !== undefined && projects.every((project) => project.problem !== undefined))
    return problem.message;
  return projects.length === 0 || files.length === 0 ? 'No tests were found.' : undefined;
}
