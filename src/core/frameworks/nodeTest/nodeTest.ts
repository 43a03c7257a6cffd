// node:test, the runner that is part of Node (20 and newer): where it is used, which files are its tests, how they are started.
import { isInside } from '../../base/paths.ts';
import { filesBelow } from '../../workspace/walk.ts';
import type { FolderFacts, FrameworkProject, TestFramework } from '../framework.ts';
import { nodeTestCommands } from './nodeTestCommand.ts';
import { readNodeCoverage } from '../nodeCoverage.ts';
import { nodeTestLaunches } from './nodeTestLaunch.ts';
import { hasNodeTests, nodeTestPlans } from './nodeTestPlan.ts';
import { scanNodeTests } from './nodeTestScan.ts';
import { nodeTestVocabulary } from './vocabulary.ts';

export const nodeTest: TestFramework = {
  id: 'nodeTest',
  label: 'node:test',
  vocabulary: nodeTestVocabulary,
  detect: async (facts) => detectNodeTest(facts),
  listTestFiles: async (project, signal, context = {}) => {
    const plans = await nodeTestPlans(project, context.tree, signal);
    for (const note of new Set(plans.flatMap(({ notes }) => notes))) context.note?.(note);
    return plans.flatMap(({ files }) => files.map((file) => ({ file })));
  },
  covers: async (project, tree) => {
    const files = (await nodeTestPlans(project, tree)).flatMap((plan) => plan.files);
    // A package that merely has such tests may be run from above, one that starts them itself is not.
    return (inner) => inner.sign === 'dependency' && files.some((file) => isInside(inner.root, file));
  },
  scan: scanNodeTests,
  capture: {
    loadedBy: 'testFile',
    activation: `
const session = globalThis[Symbol.for('testmend.nodeTest')];
hooks.setTest(() => session?.currentTest());
hooks.hookNodeAssert();
`,
  },
  readCoverage: (request) => readNodeCoverage(request, (project) => nodeTest.listTestFiles(project)),
  launches: nodeTestLaunches,
};

async function detectNodeTest({
  folder,
  packageJson,
  tree,
  found,
}: FolderFacts): Promise<FrameworkProject | undefined> {
  const project = { framework: 'nodeTest', root: folder } as const;
  if (nodeTestCommands(packageJson)) return { ...project, sign: 'script' };
  // Where another framework runs the tests, a file that names node:test is an exception that nobody starts.
  if (!packageJson || found.some((id) => id !== 'skill')) return undefined;
  return hasNodeTests(folder, filesBelow(tree, folder) ?? [])
    ? { ...project, sign: 'dependency' }
    : undefined;
}
