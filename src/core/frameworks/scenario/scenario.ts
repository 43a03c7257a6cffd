// Browser and API scenarios (CONTRACTS S): each `*.scenario.yaml`, `.yml` or `.json` is one test, run by our own engine.
import path from 'node:path';
import { filesBelow, walkTree } from '../../workspace/walk.ts';
import { errorMessage, HumanError } from '../../base/humanError.ts';
import {
  findBrowser,
  findPlaywright,
  loadPlaywright,
  playwrightRemedy,
} from '../../scenario/browser/findBrowser.ts';
import type { ScannedTest } from '../../model/testNode.ts';
import type {
  FolderFacts,
  FrameworkProject,
  ListContext,
  ListedFile,
  ScanResult,
  TestFramework,
} from '../framework.ts';
import { scenarioLaunches } from './scenarioLaunch.ts';

const scenarioFile = /\.scenario\.(?:ya?ml|json)$/;
/** What lies there is data of somebody's tests. */
const sampleFolder = /(?:^|\/)(?:fixtures|__fixtures__|testdata|__testdata__)\//;
const isScenario = (file: string): boolean => scenarioFile.test(file) && !sampleFolder.test(file);

export const scenario: TestFramework = {
  id: 'scenario',
  label: 'Scenarios',
  language: 'yaml',
  marks: ['scenario.config.yaml', 'scenario.config.yml', 'scenario.config.json'],
  drivesBrowser: true,
  detect: async (facts) => detectScenarios(facts),
  listTestFiles: listScenarios,
  scan: async (file, text) => scanScenario(file, text),
  launches: async (project, selection, workspace) =>
    scenarioLaunches(project, selection, workspace, async () =>
      (await listScenarios(project)).map(({ file }) => file),
    ),
};

/** One project at the root for all scenarios, and one for each folder with a configuration of its own. */
function detectScenarios({ folder, names, tree }: FolderFacts): FrameworkProject | undefined {
  const config = scenario.marks?.find((name) => names.has(name));
  const own = filesBelow(tree, folder) ?? [];
  if ((folder !== tree.root && config === undefined) || !own.some(isScenario)) return undefined;
  const project: FrameworkProject = {
    framework: 'scenario',
    root: folder,
    sign: 'config',
    ...(config !== undefined && { configFile: path.join(folder, config) }),
  };
  return { ...project, ...installed(folder, config) };
}

/** Which Playwright and which browser will be used, or what is missing. */
function installed(folder: string, config: string | undefined): Partial<FrameworkProject> {
  const playwright = findPlaywright(folder);
  const file = path.join(folder, config ?? '');
  if (playwright === undefined) {
    const message = 'The scenarios need playwright-core, which is not installed here.';
    return { problem: { message, file, remedy: playwrightRemedy } };
  }
  const { version, from, entry } = playwright;
  try {
    const wanted = process.env['TESTMEND_SCENARIO_BROWSER'];
    // Where a configuration names another one, its own run says whether that is there.
    const { executable, kind } = findBrowser(wanted === '' ? undefined : wanted, (one) =>
      downloadedBrowser(entry, one),
    );
    const browser = executable ?? `${kind} of Playwright`;
    return {
      version,
      entry,
      about: `Playwright ${version} of ${from === 'testmend' ? 'Testmend' : 'the workspace'}, ${browser}`,
    };
  } catch (error) {
    if (config !== undefined) return { version, entry };
    const remedy = error instanceof HumanError ? error.details.remedy : '';
    return { version, problem: { message: errorMessage(error), file, remedy } };
  }
}

/** Playwright itself knows where it keeps its browsers; it is loaded only where the machine has none. */
function downloadedBrowser(entry: string, kind: 'chromium' | 'firefox' | 'webkit'): string {
  return loadPlaywright(entry)[kind].executablePath();
}

async function listScenarios(
  { root, innerRoots = [] }: FrameworkProject,
  signal?: AbortSignal,
  { tree }: ListContext = {},
): Promise<readonly ListedFile[]> {
  const files = (tree && filesBelow(tree, root)) ?? (await walkTree(root, signal)).files;
  return files
    .filter(isScenario)
    .map((file) => ({ file: path.join(root, file) }))
    .filter(({ file }) => !innerRoots.some((inner) => file.startsWith(inner + path.sep)));
}

/** The scenario at its name. A broken one is there by its file's name, with what is wrong as warnings. */
async function scanScenario(file: string, text: string): Promise<ScanResult> {
  const [{ readScenario }, { problemText }, { scenarioTitle }] = await Promise.all([
    import('../../scenario/readScenario.ts'),
    import('../../scenario/problem.ts'),
    import('../../scenario/scenarioTitle.ts'),
  ]);
  const { value, problems, rangeOf, positionAt } = readScenario(text, path.basename(file));
  if (value === undefined) return { tests: [], warnings: problems.map(problemText) };
  const start = rangeOf(['name'], 'key').start;
  const test: ScannedTest = {
    kind: 'test',
    title: scenarioTitle(value),
    mode: value.skip === undefined || value.skip === false ? 'run' : 'skip',
    range: { start, end: positionAt(text.trimEnd().length) },
    children: [],
  };
  return { tests: [test], warnings: [] };
}
