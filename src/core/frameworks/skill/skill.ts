// Skill tests (CONTRACTS K): files `tests/<shortName>.tests.mjs`, each of them one test.
import path from 'node:path';
import { toRelativePosix } from '../../base/paths.ts';
import { fileTestId } from '../../model/testId.ts';
import { filesBelow, walkTree } from '../../workspace/walk.ts';
import type { FrameworkProject, ListContext, ListedFile, TestFramework } from '../framework.ts';
import { readNodeCoverage } from '../nodeCoverage.ts';
import { skillTestFiles } from './catalogue.ts';
import { skillLaunches, skillPart, skillTitle } from './skillLaunch.ts';

export const skill: TestFramework = {
  id: 'skill',
  label: 'Skill tests',
  detect: async ({ folder, tree }) => {
    if (folder !== tree.root || skillTestFiles(tree.files).length === 0) return undefined;
    return { framework: 'skill', root: folder };
  },
  listTestFiles: async (project, signal, context) => listSkillFiles(project, signal, context),
  fileTitle: skillTitle,
  scan: async () => ({ tests: [], warnings: [] }),
  // A skill's own try/catch swallows what fails: the hooks must be there before its modules load.
  capture: { loadedBy: 'process', activation: 'hooks.hookNodeAssert();' },
  readCoverage: (request) =>
    readNodeCoverage(request, listSkillFiles, (file) => ({
      id: fileTestId('skill', undefined, toRelativePosix(request.root, file)),
      part: skillPart(file),
    })),
  launches: (project, selection, workspace) =>
    skillLaunches(project, selection, workspace, async () =>
      (await listSkillFiles(project)).map(({ file }) => file),
    ),
};

async function listSkillFiles(
  { root }: FrameworkProject,
  signal?: AbortSignal,
  { tree }: ListContext = {},
): Promise<readonly ListedFile[]> {
  const files = (tree && filesBelow(tree, root)) ?? (await walkTree(root, signal)).files;
  return skillTestFiles(files).map((file) => ({ file: path.join(root, file) }));
}
