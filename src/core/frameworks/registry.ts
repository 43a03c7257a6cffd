// The frameworks that Testmend runs: adding one is a folder beside this file and a line in here.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import type { FrameworkId } from '../model/testNode.ts';
import type { TestFramework } from './framework.ts';
import { ava } from './ava/ava.ts';
import { cypress } from './cypress/cypress.ts';
import { goTest } from './goTest/goTest.ts';
import { jest } from './jest/jest.ts';
import { maestro } from './maestro/maestro.ts';
import { mocha } from './mocha/mocha.ts';
import { nodeTest } from './nodeTest/nodeTest.ts';
import { playwright } from './playwright/playwright.ts';
import { pytest } from './pytest/pytest.ts';
import { scenario } from './scenario/scenario.ts';
import { script } from './script/script.ts';
import { skill } from './skill/skill.ts';
import { vitest } from './vitest/vitest.ts';

export const frameworks: readonly TestFramework[] = [
  vitest,
  jest,
  mocha,
  nodeTest,
  ava,
  playwright,
  cypress,
  pytest,
  goTest,
  maestro,
  scenario,
  skill,
  script,
];

const byId = new Map(frameworks.map((one) => [one.id, withRanFiles(one)]));

/** Lists what a run had, too, whatever the patterns say. */
function withRanFiles(framework: TestFramework): TestFramework {
  return {
    ...framework,
    listTestFiles: async (project, signal, context) => {
      const listed = await framework.listTestFiles(project, signal, context);
      const { ranFiles = [], root } = project;
      if (ranFiles.length === 0) return listed;
      const known = new Set(listed.map(({ file }) => file));
      const ran = ranFiles
        .map((one) => ({ ...one, file: path.join(root, one.file), ran: true as const }))
        .filter(({ file }) => !known.has(file) && existsSync(file));
      return [...listed, ...ran];
    },
  };
}

/** The framework of a project; every project comes from one of them. */
export function frameworkOf({ framework }: { readonly framework: FrameworkId }): TestFramework {
  const found = byId.get(framework);
  if (!found) throw new Error(`no framework ${framework} is registered`);
  return found;
}

/** The frameworks with these ids; none named means all. Throws a `usage` HumanError for an id that this version does not run. */
export function selectFrameworks(ids: readonly string[] = []): readonly TestFramework[] {
  const known = frameworks.map(({ id }) => id).join(', ');
  for (const id of ids) {
    if (frameworks.some((framework) => framework.id === id)) continue;
    throw new HumanError('usage', `This version does not run the framework "${id}".`, {
      value: id,
      remedy: `It runs ${known}.`,
    });
  }
  return ids.length === 0 ? frameworks : frameworks.filter(({ id }) => ids.includes(id));
}
