// `go test`: where it is used, which files are its tests, how they are started.
import path from 'node:path';
import { isInside } from '../../base/paths.ts';
import { findGoTests } from '../../syntax/go/findTests.ts';
import { filesBelow, walkTree, type FileTree } from '../../workspace/walk.ts';
import { readGoCoverage } from '../goCoverage.ts';
import type { ScannedTest } from '../../model/testNode.ts';
import type { FrameworkProject, TestFramework } from '../framework.ts';
import { isBuilt } from './buildConstraints.ts';
import { goLaunches } from './goLaunch.ts';
import type { GoFiles } from './goPackages.ts';

/** What Go has downloaded: tests of others, which nobody asked for. */
const moduleCache = /[\\/]pkg[\\/]mod[\\/].*@v\d/;

export const goTest: TestFramework = {
  id: 'goTest',
  label: 'go test',
  language: 'go',
  marks: ['go.mod'],
  plainNativeFilter: true,
  capture: { loadedBy: 'ownText' },
  // Each module is started by itself, also one that a go.work names.
  detect: async ({ folder, names }) =>
    names.has('go.mod') && !moduleCache.test(folder)
      ? { framework: 'goTest', root: folder, sign: 'config', configFile: path.join(folder, 'go.mod') }
      : undefined,
  listTestFiles: async (project, signal, context = {}) => {
    const tree = context.tree ?? (await walkTree(project.root, signal));
    return goFiles(project, tree).tests.map((file) => ({ file }));
  },
  scan: async (file, text) => {
    const tests = findGoTests(text);
    return { tests: isBuilt(file, text) ? tests : tests.map(skipped), warnings: [] };
  },
  readCoverage: readGoCoverage,
  launches: (project, selection, workspace) =>
    goLaunches(project, selection, workspace, async () => goFiles(project, await walkTree(project.root))),
};

const skipped = (test: ScannedTest): ScannedTest => ({
  ...test,
  mode: 'skip',
  children: test.children.map(skipped),
});

/** Absolute; without what the go command itself passes over. */
function goFiles({ root, innerRoots = [] }: FrameworkProject, tree: FileTree): GoFiles {
  const files = (filesBelow(tree, root) ?? [])
    .filter((file) => file.endsWith('.go') && !/(?:^|\/)(?:[._]|(?:vendor|testdata)\/)/.test(file))
    .map((file) => path.join(root, file))
    .filter((file) => !moduleCache.test(file.slice(root.length)))
    .filter((file) => !innerRoots.some((inner) => isInside(inner, file)));
  const isTest = (file: string): boolean => file.endsWith('_test.go');
  return { tests: files.filter(isTest), sources: files.filter((file) => !isTest(file)) };
}
