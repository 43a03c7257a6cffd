// Jest (26 and newer): where it is used, which files are its tests, how it is started.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInside, realPathOr, toRelativePosix } from '../../base/paths.ts';
import { scanTests } from '../../syntax/javascript/scanTests.ts';
import type { FolderFacts, FrameworkProject, TestFramework } from '../framework.ts';
import { npmInstallation } from '../installation.ts';
import { readIstanbulCoverage } from '../istanbulCoverage.ts';
import { configFileNames } from './jestConfig.ts';
import { listJestFiles } from './jestFiles.ts';
import { jestLaunches } from './jestLaunch.ts';
import { resolveJest } from './jestProjects.ts';
import { scriptOptions, startsJest, wrapperOf } from './jestScripts.ts';
import { jestVocabulary } from './vocabulary.ts';

export const jest: TestFramework = {
  id: 'jest',
  label: 'Jest',
  vocabulary: jestVocabulary,
  marks: configFileNames,
  detect: async (facts) => detectJest(facts),
  listTestFiles: async (project, signal, context = {}) => listJestFiles(project, context, signal),
  covers: async (project, tree) => {
    const { projects, listsProjects } = await resolveJest(project, tree);
    return (inner) => {
      const sameInstallation =
        inner.entry === undefined || realPathOr(inner.entry) === realPathOr(project.entry ?? '');
      if (!sameInstallation) return false;
      if (listsProjects) return projects.some(({ rootDir }) => isInside(inner.root, rootDir));
      // A package that merely depends on jest is run from above, one that configures or starts it is not.
      return inner.sign === 'dependency' && project.sign !== 'dependency';
    };
  },
  scan: async (file, text, { thorough = false } = {}) => {
    const scanned = thorough ? 'ambiguous' : scanTests(text, jestVocabulary);
    if (scanned !== 'ambiguous') return { tests: scanned, warnings: [] };
    const { parseTests } = await import('../../syntax/javascript/parseTests.ts');
    return parseTests(text, file, jestVocabulary);
  },
  capture: {
    loadedBy: 'testFile',
    activation: `
const jestExpect = globalThis.expect ?? require('@jest/globals').expect;
hooks.setTest(() => {
  const { currentTestName, testPath } = jestExpect.getState();
  return { testName: currentTestName, file: testPath };
});
hooks.hookJestMatchers(jestExpect);
hooks.hookNodeAssert();
`,
  },
  readCoverage: readIstanbulCoverage,
  launches: jestLaunches,
};

function detectJest(facts: FolderFacts): FrameworkProject | undefined {
  const sign = signOf(facts);
  if (!sign) return undefined;
  const configFile = configFileOf(facts);
  return {
    framework: 'jest',
    root: facts.folder,
    sign,
    ...(configFile === undefined ? {} : { configFile }),
    ...installation(facts),
  };
}

/** CONTRACTS T1, the strongest sign. */
function signOf({ names, packageJson }: FolderFacts): FrameworkProject['sign'] {
  if (packageJson?.jest === true || configFileNames.some((name) => names.has(name))) return 'config';
  if (startsJest(packageJson) || wrapperOf(packageJson)) return 'script';
  const { dependencies = {}, devDependencies = {} } = packageJson ?? {};
  return 'jest' in dependencies || 'jest' in devDependencies ? 'dependency' : undefined;
}

/** The one jest itself finds in the folder, else the one that the test script names. */
function configFileOf({ folder, names, packageJson }: FolderFacts): string | undefined {
  const own = configFileNames.find((name) => names.has(name));
  if (own !== undefined) return path.join(folder, own);
  if (packageJson?.jest === true) return path.join(folder, 'package.json');
  const named = scriptOptions(packageJson).config;
  const file = named === undefined ? undefined : path.resolve(folder, named);
  return file !== undefined && existsSync(file) ? file : undefined;
}

function installation(facts: FolderFacts): Partial<FrameworkProject> {
  const { folder, packageJson, tree } = facts;
  const file = packageJson ? path.join(folder, 'package.json') : undefined;
  const place = file === undefined ? {} : { file };
  const wrapper = configFileNames.some((name) => facts.names.has(name)) ? undefined : wrapperOf(packageJson);
  if (wrapper !== undefined) {
    const message = `${toRelativePosix(tree.root, file ?? folder)} starts its tests with ${wrapper}, which configures jest itself; jest alone would run them wrongly.`;
    return {
      ...(folder !== tree.root && { aside: true }),
      problem: {
        message,
        ...place,
        remedy: 'Write a jest.config.js that works on its own, or leave these tests out.',
      },
    };
  }
  return npmInstallation(facts, { name: 'jest', label: 'Jest', oldest: '26' });
}
