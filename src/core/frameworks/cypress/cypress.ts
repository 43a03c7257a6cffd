// Cypress (12 and newer), end to end and component specs. Built against its documented interface and a stand-in for its program.
import { existsSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { isInside, toRelativePosix } from '../../base/paths.ts';
import { scanTests } from '../../syntax/javascript/scanTests.ts';
import { filesBelow, walkTree } from '../../workspace/walk.ts';
import type { FolderFacts, FrameworkProject, ListContext, ListedFile, TestFramework } from '../framework.ts';
import { findInstalled, installCommand } from '../packageJson.ts';
import { configFileNames, readSpecPatterns } from './cypressConfig.ts';
import { cypressLaunches } from './cypressLaunch.ts';
import { cypressVocabulary } from './vocabulary.ts';

export const cypress: TestFramework = {
  id: 'cypress',
  label: 'Cypress',
  vocabulary: cypressVocabulary,
  marks: configFileNames,
  detect: async (facts) => detectCypress(facts),
  listTestFiles: (project, signal, context = {}) => listSpecs(project, context, signal),
  scan: async (file, text, { thorough = false } = {}) => {
    const scanned = thorough ? 'ambiguous' : scanTests(text, cypressVocabulary);
    if (scanned !== 'ambiguous') return { tests: scanned, warnings: [] };
    const { parseTests } = await import('../../syntax/javascript/parseTests.ts');
    return parseTests(text, file, cypressVocabulary);
  },
  plainNativeFilter: true,
  drivesBrowser: true,
  launches: async (project, selection, workspace) =>
    cypressLaunches(project, selection, workspace, await listSpecs(project, {})),
};

/** By its configuration alone: Cypress starts without none, and is often a dependency beside another framework. */
function detectCypress({ folder, names, packageJson, tree }: FolderFacts): FrameworkProject | undefined {
  const name = configFileNames.find((one) => names.has(one));
  if (name === undefined) return undefined;
  const configFile = path.join(folder, name);
  const project: FrameworkProject = { framework: 'cypress', root: folder, sign: 'config', configFile };
  const { dependencies = {}, devDependencies = {} } = packageJson ?? {};
  const isNamed = 'cypress' in dependencies || 'cypress' in devDependencies;
  const file = isNamed ? path.join(folder, 'package.json') : configFile;
  const { version = '', bin } = findInstalled(folder, 'cypress') ?? {};
  if (bin === undefined || !existsSync(bin)) {
    const message = `Cypress is ${isNamed ? 'named' : 'used'} in ${toRelativePosix(tree.root, file)} but not installed.`;
    const install = isNamed ? installCommand(folder) : 'npm install -D cypress';
    return { ...project, problem: { message, file, remedy: `Run \`${install}\`.` } };
  }
  if (Number.parseInt(version, 10) < 12) {
    const message = `Cypress ${version} is too old: version 12 or newer is needed.`;
    return {
      ...project,
      version,
      problem: { message, file, remedy: 'Run `npm install -D cypress@latest`.' },
    };
  }
  return { ...project, version, entry: bin };
}

async function listSpecs(
  { root, configFile, innerRoots = [] }: FrameworkProject,
  { tree, note = () => undefined }: ListContext,
  signal?: AbortSignal,
): Promise<readonly ListedFile[]> {
  if (configFile === undefined) return [];
  const patterns = await readSpecPatterns(configFile, note);
  const files = (tree && filesBelow(tree, root)) ?? (await walkTree(root, signal)).files;
  const plain = (globs: readonly string[]): string[] => globs.map((glob) => glob.replace(/^(?:\.?\/)+/, ''));
  const listed = patterns.flatMap(({ type, include, exclude }) => {
    const isSpec = picomatch(plain(include), { ignore: plain(exclude), dot: true });
    const specs = files.filter((file) => isSpec(file)).map((file) => path.join(root, file));
    return specs.map((file) => (type === 'component' ? { file, project: type } : { file }));
  });
  return listed.filter(({ file }) => !innerRoots.some((folder) => isInside(folder, file)));
}
