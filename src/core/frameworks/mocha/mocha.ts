// Mocha (8 and newer): where it is used, which files are its tests, how it is started.
import path from 'node:path';
import type { ScannedTest } from '../../model/testNode.ts';
import { scanTests } from '../../syntax/javascript/scanTests.ts';
import type { FolderFacts, FrameworkProject, TestFramework } from '../framework.ts';
import { coversDependants, npmInstallation } from '../installation.ts';
import { readNodeCoverage } from '../nodeCoverage.ts';
import { isStartedBy } from '../testScripts.ts';
import { mochaLaunches } from './mochaLaunch.ts';
import { configNames } from './mochaOptions.ts';
import { hasMochaKey, mochaPlans, mochaStart } from './mochaPlan.ts';
import { mochaVocabulary } from './vocabulary.ts';

const configFileNames = configNames(12);

export const mocha: TestFramework = {
  id: 'mocha',
  label: 'Mocha',
  vocabulary: mochaVocabulary,
  sharesProcess: true,
  marks: configFileNames,
  detect: async (facts) => detectMocha(facts),
  listTestFiles: async (project, signal, context = {}) => {
    const plans = await mochaPlans(project, context.tree, signal);
    for (const note of new Set(plans.flatMap(({ notes }) => notes))) context.note?.(note);
    return plans.flatMap(({ files }) => files.map((file) => ({ file })));
  },
  covers: async (project, tree) => {
    const files = (await mochaPlans(project, tree)).flatMap((plan) => plan.files);
    return coversDependants(project, files);
  },
  scan: async (file, text, { thorough = false } = {}) => {
    const scanned = thorough ? 'ambiguous' : scanTests(text, mochaVocabulary);
    if (scanned !== 'ambiguous') return { tests: belowTheirSuites(scanned), warnings: [] };
    const { parseTests } = await import('../../syntax/javascript/parseTests.ts');
    const { tests, warnings } = parseTests(text, file, mochaVocabulary);
    return { tests: belowTheirSuites(tests), warnings };
  },
  capture: {
    loadedBy: 'testFile',
    // Whichever of these the tests use: the user's own copies, which may not be there.
    activation: `
const mocha = globalThis[Symbol.for('testmend.mocha')];
const load = (name) => {
  try {
    return require(name);
  } catch {
    return undefined;
  }
};
hooks.setTest(() => mocha?.currentTest());
hooks.hookNodeAssert();
const chai = load('chai');
hooks.hookChai(chai, chai?.expect);
hooks.hookJestMatchers(load('expect')?.expect);
hooks.hookSupertest(load('supertest'));
if (mocha) mocha.onError = (error) => hooks.recordError(error);
`,
  },
  readCoverage: (request) => readNodeCoverage(request, (project) => mocha.listTestFiles(project)),
  launches: mochaLaunches,
};

/** In the interface qunit a suite has no callback: the tests after it are its own. */
function belowTheirSuites(tests: readonly ScannedTest[]): readonly ScannedTest[] {
  const result: ScannedTest[] = [];
  let open = false;
  for (const test of tests) {
    const above = result.at(-1);
    const isHeading = test.kind === 'suite' && test.children.length === 0 && test.mode === 'todo';
    if (open && above && test.kind !== 'suite') {
      const range = { start: above.range.start, end: test.range.end };
      result[result.length - 1] = { ...above, range, children: [...above.children, test] };
    } else {
      open = isHeading;
      result.push(isHeading ? { ...test, mode: 'run' } : test);
    }
  }
  return result;
}

function detectMocha(facts: FolderFacts): FrameworkProject | undefined {
  const sign = signOf(facts);
  if (!sign) return undefined;
  const configFile = configFileNames.find((name) => facts.names.has(name));
  return {
    framework: 'mocha',
    root: facts.folder,
    sign,
    ...(configFile === undefined ? {} : { configFile: path.join(facts.folder, configFile) }),
    ...npmInstallation(facts, { name: 'mocha', label: 'Mocha', oldest: '8' }),
  };
}

/** CONTRACTS T1, the strongest sign. */
function signOf({ folder, names, packageJson }: FolderFacts): FrameworkProject['sign'] {
  if (configFileNames.some((name) => names.has(name))) return 'config';
  if (packageJson && hasMochaKey(folder)) return 'config';
  if (isStartedBy(packageJson?.scripts ?? {}, mochaStart)) return 'script';
  const { dependencies = {}, devDependencies = {}, scripts = {} } = packageJson ?? {};
  if (!('mocha' in dependencies) && !('mocha' in devDependencies)) return undefined;
  // Something else runs the tests here, and takes mocha along.
  return /\b(?:vitest|jest|ava|cypress|playwright|wdio|electron-mocha|mochapack|wtr|vscode-test)\b/.test(
    scripts['test'] ?? '',
  )
    ? undefined
    : 'dependency';
}
