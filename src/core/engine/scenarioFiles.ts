// Scenarios from and to Playwright tests: reads the file, and gives texts with what is not in them.
import path from 'node:path';
import glob from 'fast-glob';
import { HumanError } from '../base/humanError.ts';
import { exportPlaywright } from '../scenario/playwright/exportPlaywright.ts';
import { importPlaywright } from '../scenario/playwright/importPlaywright.ts';
import { leftOutText, type LeftOut } from '../scenario/playwright/leftOut.ts';
import { problemText } from '../scenario/problem.ts';
import { loadProject } from '../scenario/project/loadProject.ts';
import { readScenario } from '../scenario/readScenario.ts';
import type { ScenarioConfig } from '../scenario/scenarioSchema.ts';
import { scenarioText } from '../scenario/writtenScenario.ts';
import { readText } from '../workspace/readText.ts';

export { leftOutText } from '../scenario/playwright/leftOut.ts';
export { alreadyThere, writeScenarioFile } from '../scenario/writeScenarioFile.ts';

export interface CarriedOver {
  readonly id: string;
  readonly name: string;
  /** What is to be written. */
  readonly text: string;
  readonly leftOut: readonly LeftOut[];
}

/** The files that are called so: `checkout` is `checkout.scenario.yaml`, wherever it lies. Relative to the root. */
export async function scenariosCalled(root: string, name: string): Promise<readonly string[]> {
  const files = `**/${glob.escapePath(name)}.scenario.{yaml,yml,json}`;
  return glob(files, {
    cwd: root,
    ignore: ['**/node_modules/**', '**/.testmend/**'],
    followSymbolicLinks: false,
  });
}

/** One scenario for each test of the file. Throws a `bad-input` HumanError. */
export async function importedScenarios(file: string): Promise<readonly CarriedOver[]> {
  const imported = importPlaywright(await textAt(file), path.basename(file));
  return imported.map(({ scenario, leftOut }) => {
    const listed =
      leftOut.length === 0 ? [] : ['Not carried over:', ...leftOut.map((one) => `  ${leftOutText(one)}`)];
    const comments = [`Imported from ${path.basename(file)}.`, ...listed];
    return { id: scenario.id, name: scenario.name, text: scenarioText(scenario, comments), leftOut };
  });
}

/** The scenario as a Playwright test, with the settings of its configuration. Throws a `bad-input` HumanError for one with a mistake. */
export async function exportedTest(file: string, root: string): Promise<CarriedOver> {
  const { value, problems, rangeOf } = readScenario(await textAt(file), file);
  if (value === undefined) throw broken(file, problems.map(problemText));
  const config = scenarioConfigFor(file, root);
  const { text, leftOut } = exportPlaywright(value, { file: path.basename(file), rangeOf, config });
  return { id: value.id, name: value.name, text, leftOut };
}

async function textAt(file: string): Promise<string> {
  const text = await readText(file);
  if (text !== undefined) return text.replace(/^\uFEFF/, '');
  throw new HumanError('usage', `There is no file ${file}.`, {
    file,
    value: file,
    remedy: 'Check its name.',
  });
}

/** Of the folder of the file or the next one above it, up to the root. Throws a `bad-input` HumanError for a broken one. */
export function scenarioConfigFor(file: string, root: string): ScenarioConfig | undefined {
  const { config, configFile, problems } = loadProject(path.dirname(path.resolve(file)), path.resolve(root));
  if (problems.length > 0) throw broken(configFile ?? file, problems.map(problemText));
  return configFile === undefined ? undefined : config;
}

const broken = (file: string, problems: readonly string[]): HumanError =>
  new HumanError('bad-input', problems[0] ?? `${file} cannot be read.`, {
    file,
    remedy:
      problems.length > 1
        ? `There are ${problems.length} mistakes in it; correct them first.`
        : 'Correct it first.',
  });
