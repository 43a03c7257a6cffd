// Whatever else `npm test` runs (CONTRACTS T1, "unknown"): one test for the script, or what it tells of its own in TAP or JUnit.
import path from 'node:path';
import { isInside } from '../../base/paths.ts';
import type { FolderFacts, FrameworkProject, TestFramework } from '../framework.ts';
import { exampleFolder } from '../setAside.ts';
import { npmTest, scriptLaunches } from './scriptLaunch.ts';
import { findManager } from './packageManager.ts';
import { runsElsewhere } from './testScript.ts';
import { toRelativePosix } from '../../base/paths.ts';

export const script: TestFramework = {
  id: 'script',
  label: 'npm test',
  detect: async (facts) => detectScript(facts),
  listTestFiles: async ({ root }) => [{ file: path.join(root, 'package.json') }],
  // What the script of a package runs is not run once more by the packages below it.
  covers: async (project) => (inner) => isInside(project.root, inner.root),
  fileTitle: () => npmTest,
  scan: async () => ({ tests: [], warnings: [] }),
  launches: async (project, selection, workspace) => scriptLaunches(project, selection, workspace),
};

function detectScript({ folder, found, packageJson, tree }: FolderFacts): FrameworkProject | undefined {
  const scripts = packageJson?.scripts ?? {};
  if (found.length > 0 || runsElsewhere(scripts)) return undefined;
  if (exampleFolder.test(toRelativePosix(tree.root, folder))) return undefined;
  return { framework: 'script', root: folder, ...installation(folder, tree.root) };
}

function installation(folder: string, root: string): Partial<FrameworkProject> {
  const { name, program, file } = findManager(folder, root);
  if (program !== undefined) return { entry: program };
  const message = `${name} runs the tests of this package, but there is none on PATH.`;
  return { problem: { message, file, remedy: `Install ${name}, or add it to PATH.` } };
}
