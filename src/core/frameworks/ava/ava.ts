// AVA (4 and newer): where it is used, which files are its tests, how it is started.
import type { ScannedTest } from '../../model/testNode.ts';
import { scanTests } from '../../syntax/javascript/scanTests.ts';
import type { FolderFacts, FrameworkProject, ScanOptions, ScanResult, TestFramework } from '../framework.ts';
import { coversDependants, npmInstallation } from '../installation.ts';
import { readNodeCoverage } from '../nodeCoverage.ts';
import { isStartedBy } from '../testScripts.ts';
import { configFileNames, findAvaConfig, hasAvaKey } from './avaConfig.ts';
import { listAvaFiles } from './avaFiles.ts';
import { avaLaunches } from './avaLaunch.ts';
import { avaScript, avaStart } from './avaScript.ts';
import { avaVocabulary } from './vocabulary.ts';

export const ava: TestFramework = {
  id: 'ava',
  label: 'AVA',
  vocabulary: avaVocabulary,
  marks: configFileNames,
  detect: async (facts) => detectAva(facts),
  listTestFiles: async (project, signal, context = {}) =>
    (await listAvaFiles(project, context, signal)).map((file) => ({ file })),
  covers: async (project, tree) => {
    const files = await listAvaFiles(project, { tree });
    return coversDependants(project, files);
  },
  scan: scanAva,
  // avaWorker.cjs does the rest.
  capture: { loadedBy: 'worker', activation: 'module.exports = hooks;' },
  plainNativeFilter: true,
  readCoverage: (request) => readNodeCoverage(request, (project) => ava.listTestFiles(project)),
  launches: (project, selection, workspace) =>
    avaLaunches(project, selection, workspace, scanAva, () => listAvaFiles(project, {})),
};

/** AVA's function under another name: only a full parse follows it. */
const renamed =
  /\bimport\s+(?!test\b)[\w$]+\s*(?:,[^'"]*)?\bfrom\s*['"]ava['"]|(?:\b(?!test\b)[\w$]+|\})\s*=\s*(?:await\s+import|require)\(\s*['"]ava['"]/;

async function scanAva(
  file: string,
  text: string,
  { thorough = false }: ScanOptions = {},
): Promise<ScanResult> {
  const scanned = thorough || renamed.test(text) ? 'ambiguous' : scanTests(text, avaVocabulary);
  if (scanned !== 'ambiguous') return { tests: scanned.map(asAvaNamesIt), warnings: [] };
  const { parseTests } = await import('../../syntax/javascript/parseTests.ts');
  const { tests, warnings } = parseTests(text, file, avaVocabulary);
  return { tests: tests.map(asAvaNamesIt), warnings };
}

/** AVA writes titles without white space around and with single blanks; a macro may stand without a title and is no `todo`. */
function asAvaNamesIt(test: ScannedTest): ScannedTest {
  if (test.kind === 'template') return test.mode === 'todo' ? { ...test, mode: 'run' } : test;
  return { ...test, title: test.title.trim().replaceAll(/\s+/g, ' ') };
}

function detectAva(facts: FolderFacts): FrameworkProject | undefined {
  const sign = signOf(facts);
  if (!sign) return undefined;
  const configFile = avaScript(facts.folder).config ?? configOf(facts.folder);
  return {
    framework: 'ava',
    root: facts.folder,
    sign,
    ...(configFile === undefined ? {} : { configFile }),
    ...npmInstallation(facts, { name: 'ava', label: 'AVA', oldest: '4' }),
  };
}

function configOf(folder: string): string | undefined {
  return hasAvaKey(folder) ? undefined : findAvaConfig(folder);
}

/** CONTRACTS T1, the strongest sign. */
function signOf({ folder, names, packageJson }: FolderFacts): FrameworkProject['sign'] {
  // Without a package.json the configuration is that of the packages below.
  if (packageJson && configFileNames.some((name) => names.has(name))) return 'config';
  if (packageJson && hasAvaKey(folder)) return 'config';
  if (isStartedBy(packageJson?.scripts ?? {}, avaStart)) return 'script';
  const { dependencies = {}, devDependencies = {}, scripts = {} } = packageJson ?? {};
  if (!('ava' in dependencies) && !('ava' in devDependencies)) return undefined;
  // Something else runs the tests here.
  return /\b(?:vitest|jest|mocha|cypress|playwright|tap|node --test)\b/.test(scripts['test'] ?? '')
    ? undefined
    : 'dependency';
}
