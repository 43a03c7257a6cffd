// Playwright Test (1.40 and newer): where it is used, which files are its tests, how it is started.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { scanTests } from '../../syntax/javascript/scanTests.ts';
import type { FolderFacts, FrameworkProject, TestFramework } from '../framework.ts';
import { coversDependants, npmInstallation } from '../installation.ts';
import { configFileNames } from './playwrightConfig.ts';
import { listPlaywrightFiles } from './playwrightFiles.ts';
import { playwrightLaunches } from './playwrightLaunch.ts';
import { playwrightScript, startsPlaywright } from './playwrightScript.ts';
import { playwrightVocabulary } from './vocabulary.ts';

const packageName = '@playwright/test';

export const playwright: TestFramework = {
  id: 'playwright',
  label: 'Playwright',
  drivesBrowser: true,
  vocabulary: playwrightVocabulary,
  marks: configFileNames,
  detect: async (facts) => detectPlaywright(facts),
  listTestFiles: async (project, signal, context = {}) => listPlaywrightFiles(project, context, signal),
  covers: async (project, tree) => {
    const files = await listPlaywrightFiles(project, { tree });
    return coversDependants(
      project,
      files.map(({ file }) => file),
    );
  },
  scan: async (file, text, { thorough = false } = {}) => {
    const scanned = thorough ? 'ambiguous' : scanTests(text, playwrightVocabulary);
    if (scanned !== 'ambiguous') return { tests: scanned, warnings: [] };
    const { parseTests } = await import('../../syntax/javascript/parseTests.ts');
    return parseTests(text, file, playwrightVocabulary);
  },
  launches: playwrightLaunches,
};

function detectPlaywright(facts: FolderFacts): FrameworkProject | undefined {
  const sign = signOf(facts);
  if (!sign) return undefined;
  const configFile = configFileOf(facts);
  return {
    framework: 'playwright',
    root: facts.folder,
    sign,
    ...(configFile === undefined ? {} : { configFile }),
    ...installation(facts),
  };
}

/** CONTRACTS T1, the strongest sign. */
function signOf({ names, packageJson }: FolderFacts): FrameworkProject['sign'] {
  if (configFileNames.some((name) => names.has(name))) return 'config';
  if (startsPlaywright(packageJson)) return 'script';
  const { dependencies = {}, devDependencies = {} } = packageJson ?? {};
  return packageName in dependencies || packageName in devDependencies ? 'dependency' : undefined;
}

/** The one that the script names, else the one that Playwright finds in the folder. */
function configFileOf({ folder, names, packageJson }: FolderFacts): string | undefined {
  const named = playwrightScript(packageJson).config;
  const file = named === undefined ? undefined : path.resolve(folder, named);
  if (file !== undefined && existsSync(file)) return file;
  const own = configFileNames.find((name) => names.has(name));
  return own === undefined ? undefined : path.join(folder, own);
}

/** The interfaces that we use came with 1.40. */
const installation = (facts: FolderFacts): Partial<FrameworkProject> =>
  npmInstallation(facts, { name: packageName, label: 'Playwright', oldest: '1.40' });
