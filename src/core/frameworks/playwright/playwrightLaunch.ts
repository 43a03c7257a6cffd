// The processes that run a selection of a Playwright project: exact files, names as one pattern, the user's configuration kept.
import os from 'node:os';
import path from 'node:path';
import { HumanError } from '../../base/humanError.ts';
import { realPathOr } from '../../base/paths.ts';
import type { Workspace } from '../../model/settings.ts';
import { injectedFile } from '../../process/injectedFile.ts';
import { escapePattern } from '../filter.ts';
import type { FrameworkProject, Launch, Selection } from '../framework.ts';
import { batches, browserOptions, namePattern, selectedFiles } from '../launchParts.ts';
import { readPackageJson } from '../packageJson.ts';
import { configFileNames, type PlaywrightConfig } from './playwrightConfig.ts';
import { configOf, projectPatterns } from './playwrightFiles.ts';
import { playwrightScript } from './playwrightScript.ts';

const label = 'Playwright';

/**
 * `node playwrightHost.cjs <cli> test …` for the selection. Projects that the chosen ones depend on run first, as Playwright has it.
 * Throws a HumanError: `not-installed` when there is no @playwright/test, `bad-input` for filters that CONTRACTS Q4 refuses.
 */
export async function playwrightLaunches(
  project: FrameworkProject,
  selection: Selection,
  workspace: Workspace,
): Promise<readonly Launch[]> {
  const { entry, root, problem, version = '' } = project;
  // Playwright matches names behind those of project and file: nothing can be fixed to the beginning.
  const pattern = namePattern(selection, ' ', label, '(?:^|\\s)');
  if (entry === undefined) {
    throw new HumanError('not-installed', problem?.message ?? `${label} is not installed in ${root}.`, {
      file: problem?.file ?? path.join(root, 'package.json'),
      remedy: problem?.remedy ?? 'Install it, for example with `npm install`.',
    });
  }
  const files = selectedFiles(selection);
  if (files?.length === 0) return [];
  const script = playwrightScript(readPackageJson(root, workspace.root).packageJson);
  const config = await configOf(project);
  const host = injectedFile('frameworks/playwright', 'playwrightHost.cjs');
  const options = [
    ...configOption(project),
    ...script.kept.filter(
      (option) =>
        !(selection.debug && /^--(?:workers|timeout)\b/.test(option)) &&
        !(selection.browser?.name && /^--(?:browser|project)\b/.test(option)),
    ),
    ...browserOption(selection, config),
    ...(selection.debug ? debugOptions : workerOption(script.kept, config, workspace)),
    `--reporter=${host}`,
    // A limit to failures would keep tests from running.
    '--max-failures=0',
    '--pass-with-no-tests',
    ...snapshotOption(selection, version),
    ...(pattern === undefined ? [] : [`--grep=${pattern}`]),
  ];
  return batches(files ?? []).map((batch) => ({
    project,
    args: [...script.nodeFlags, host, entry, 'test', ...batch.map(filePattern), ...options],
    cwd: root,
    // No server with a report must hold the run.
    env: {
      ...script.env,
      PLAYWRIGHT_HTML_OPEN: 'never',
      TESTMEND_PLAYWRIGHT_PROJECTS: JSON.stringify(projectPatterns(project, config)),
    },
    files: batch,
    timeoutMs: workspace.limits.timeoutMs,
    exitTells: true,
  }));
}

/** Playwright takes regular expressions for whole paths. */
function filePattern(file: string): string {
  return `^${escapePattern(realPathOr(file))}$`;
}

/** With projects in the configuration, Playwright takes no browser but that of a project: the one of its name. */
function browserOption({ browser }: Selection, { projects }: PlaywrightConfig): readonly string[] {
  const name = browser?.name;
  if (name === undefined || projects === undefined || projects.length === 0) return browserOptions(browser);
  const names = projects.flatMap(({ name: own }) => (own === undefined ? [] : [own]));
  if (names.includes(name)) return [...(browser?.headed ? ['--headed'] : []), `--project=${name}`];
  throw new HumanError('usage', `The Playwright configuration has no project ${name}.`, {
    value: name,
    remedy: `Its projects choose the browsers: add one of that name, or leave out browser. There are: ${names.join(', ')}.`,
  });
}

/** One worker, and tests that may stand at a breakpoint: 0 is no time limit. */
const debugOptions = ['--workers=1', '--timeout=0'];

/** A configuration that Playwright would not find by itself. */
function configOption({ root, configFile }: FrameworkProject): readonly string[] {
  if (configFile === undefined) return [];
  const found = configFileNames.map((name) => path.join(root, name));
  return found.includes(configFile) ? [] : [`--config=${configFile}`];
}

/** As many workers as Playwright would take, half of the processors, within the limit; what the user says is kept. */
function workerOption(
  kept: readonly string[],
  config: PlaywrightConfig,
  { limits }: Workspace,
): readonly string[] {
  if (config.workers || kept.some((option) => option.startsWith('--workers'))) return [];
  const own = Math.max(1, Math.floor(os.availableParallelism() / 2));
  return limits.maxParallel < own ? [`--workers=${limits.maxParallel}`] : [];
}

/** By itself Playwright stores new snapshots. Before 1.50 the option took no value, and nothing kept it from storing them. */
function snapshotOption({ updateSnapshots }: Selection, version: string): readonly string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major === 1 && minor < 50;
  if (isOld) return updateSnapshots ? ['--update-snapshots'] : [];
  if (updateSnapshots === undefined) return ['--update-snapshots=missing'];
  return [`--update-snapshots=${updateSnapshots ? 'changed' : 'none'}`];
}
