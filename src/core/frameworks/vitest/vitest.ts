// Vitest (1 and newer): where it is used, which files are its tests, how it is started.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { realPathOr } from '../../base/paths.ts';
import { scanTests } from '../../syntax/javascript/scanTests.ts';
import type { FolderFacts, FrameworkProject, TestFramework } from '../framework.ts';
import { npmInstallation } from '../installation.ts';
import { configFileNames, workspaceFileNames } from './vitestConfig.ts';
import { readVitestCoverage } from './vitestCoverage.ts';
import { listVitestFiles } from './vitestFiles.ts';
import { vitestScript } from './vitestScripts.ts';
import { vitestLaunches } from './vitestLaunch.ts';
import { resolveVitest } from './vitestProjects.ts';
import { vitestVocabulary } from './vocabulary.ts';

export const vitest: TestFramework = {
  id: 'vitest',
  label: 'Vitest',
  vocabulary: vitestVocabulary,
  marks: [...configFileNames, ...workspaceFileNames],
  detect: async (facts) => detectVitest(facts),
  listTestFiles: async (project, signal, context = {}) => listVitestFiles(project, context, signal),
  covers: async (project, tree) => {
    const { listsProjects } = await resolveVitest(project, tree);
    return (inner) => {
      const sameInstallation =
        inner.entry === undefined || realPathOr(inner.entry) === realPathOr(project.entry ?? '');
      if (!sameInstallation) return false;
      if (listsProjects) return true;
      // A package that merely depends on vitest is run from above, one that configures or starts it is not.
      return inner.sign === 'dependency' && project.sign !== 'dependency';
    };
  },
  scan: async (file, text, { thorough = false } = {}) => {
    const scanned = thorough ? 'ambiguous' : scanTests(text, vitestVocabulary);
    if (scanned !== 'ambiguous') return { tests: scanned, warnings: [] };
    const { parseTests } = await import('../../syntax/javascript/parseTests.ts');
    return parseTests(text, file, vitestVocabulary);
  },
  capture: {
    loadedBy: 'testFile',
    // As an ES module, so that vitest gives it the instance of chai that the tests use.
    module: 'esm',
    activation: `
import { chai, expect } from 'vitest';
hooks.setTest(() => {
  const { currentTestName, testPath } = expect.getState();
  return { testName: currentTestName, file: testPath };
});
hooks.hookChai(chai, expect);
hooks.hookNodeAssert();
`,
  },
  readCoverage: readVitestCoverage,
  launches: vitestLaunches,
};

function detectVitest(facts: FolderFacts): FrameworkProject | undefined {
  const sign = signOf(facts);
  if (!sign) return undefined;
  const { folder, names, packageJson } = facts;
  const own = configFileNames.find((name) => names.has(name));
  const configFile =
    vitestScript(packageJson, folder).config ?? (own === undefined ? undefined : path.join(folder, own));
  return {
    framework: 'vitest',
    root: facts.folder,
    sign,
    ...(configFile === undefined ? {} : { configFile }),
    ...npmInstallation(facts, { name: 'vitest', label: 'Vitest', oldest: '0.28' }),
  };
}

/** CONTRACTS T1, the strongest sign. */
function signOf({ folder, names, packageJson }: FolderFacts): FrameworkProject['sign'] {
  const own = [...configFileNames.filter((name) => name.startsWith('vitest.')), ...workspaceFileNames];
  if (own.some((name) => names.has(name))) return 'config';
  const shared = configFileNames.find((name) => names.has(name));
  if (shared !== undefined && configuresTests(path.join(folder, shared))) return 'config';
  const scripts = Object.entries(packageJson?.scripts ?? {});
  if (scripts.some(([name, command]) => /^test\b/.test(name) && /\bvitest\b/.test(command))) return 'script';
  const { dependencies = {}, devDependencies = {} } = packageJson ?? {};
  return 'vitest' in dependencies || 'vitest' in devDependencies ? 'dependency' : undefined;
}

function configuresTests(viteConfig: string): boolean {
  try {
    return /\bvitest\b|\btest\s*:\s*\{/.test(readFileSync(viteConfig, 'utf8'));
  } catch {
    return false;
  }
}
