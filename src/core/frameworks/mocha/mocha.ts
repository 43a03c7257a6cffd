// Mocha (9 and newer): where it is used, which files are its tests, how it is started.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInside, realPathOr, toRelativePosix } from '../../base/paths.ts';
import { mochaDialect } from '../../syntax/javascript/dialects.ts';
import type { ScannedTest } from '../../model/testNode.ts';
import { scanTests } from '../../syntax/javascript/scanTests.ts';
import type { FolderFacts, FrameworkProject, TestFramework } from '../framework.ts';
import { readNodeCoverage } from '../nodeCoverage.ts';
import { findInstalled, installCommand } from '../packageJson.ts';
import { isStartedBy } from '../testScripts.ts';
import { mochaLaunches } from './mochaLaunch.ts';
import { configNames } from './mochaOptions.ts';
import { hasMochaKey, mochaPlans, mochaStart } from './mochaPlan.ts';

const configFileNames = configNames(12);

export const mocha: TestFramework = {
  id: 'mocha',
  label: 'Mocha',
  marks: configFileNames,
  detect: async (facts) => detectMocha(facts),
  listTestFiles: async (project, signal, context = {}) => {
    const plans = await mochaPlans(project, context.tree, signal);
    for (const note of new Set(plans.flatMap(({ notes }) => notes))) context.note?.(note);
    return plans.flatMap(({ files }) => files.map((file) => ({ file })));
  },
  covers: async (project, tree) => {
    const files = (await mochaPlans(project, tree)).flatMap((plan) => plan.files);
    return (inner) => {
      const sameInstallation =
        inner.entry === undefined || realPathOr(inner.entry) === realPathOr(project.entry ?? '');
      // A package that merely depends on mocha may be run from above, one that configures or starts it is not.
      return (
        sameInstallation && inner.sign === 'dependency' && files.some((file) => isInside(inner.root, file))
      );
    };
  },
  scan: async (file, text, { thorough = false } = {}) => {
    const scanned = thorough ? 'ambiguous' : scanTests(text, mochaDialect);
    if (scanned !== 'ambiguous') return { tests: belowTheirSuites(scanned), warnings: [] };
    const { parseTests } = await import('../../syntax/javascript/parseTests.ts');
    const { tests, warnings } = parseTests(text, file, mochaDialect);
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
    ...installation(facts),
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

function installation({ folder, packageJson, tree }: FolderFacts): Partial<FrameworkProject> {
  const installed = findInstalled(folder, 'mocha');
  const file = packageJson ? path.join(folder, 'package.json') : undefined;
  const place = file === undefined ? {} : { file };
  if (!installed?.bin || !existsSync(installed.bin)) {
    const { dependencies = {}, devDependencies = {} } = packageJson ?? {};
    const named = file !== undefined && ('mocha' in dependencies || 'mocha' in devDependencies);
    const where = toRelativePosix(tree.root, named ? file : folder) || 'this folder';
    const message = `Mocha is ${named ? 'named' : 'used'} in ${where} but not installed.`;
    const install = named ? installCommand(folder) : 'npm install -D mocha';
    return { problem: { message, ...place, remedy: `Run \`${install}\`.` } };
  }
  const { version = '', bin } = installed;
  if (Number.parseInt(version, 10) < 9) {
    const message = `Mocha ${version} is too old: version 9 or newer is needed.`;
    return { version, problem: { message, ...place, remedy: 'Run `npm install -D mocha@latest`.' } };
  }
  return { ...(version === '' ? {} : { version }), entry: bin };
}
