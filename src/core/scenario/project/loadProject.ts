// What surrounds a scenario: the configuration of its project, the environment it runs in, and the components it may use.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import fastGlob from 'fast-glob';
import { isInside } from '../../base/paths.ts';
import { nearestName } from '../nearestName.ts';
import type { ScenarioProblem } from '../problem.ts';
import type { ReadDocument } from '../readDocument.ts';
import { readComponent, readScenarioConfig } from '../readScenario.ts';
import {
  scenarioConfigSchema,
  type Component,
  type Scenario,
  type ScenarioConfig,
} from '../scenarioSchema.ts';

const configFileNames = ['scenario.config.yaml', 'scenario.config.yml', 'scenario.config.json'] as const;
const componentFile = /\.component\.(?:ya?ml|json)$/;

interface ScenarioProject {
  /** Absolute: of the configuration, else the root that was given. */
  readonly folder: string;
  /** Absolute. */
  readonly configFile?: string;
  readonly config: ScenarioConfig;
  readonly problems: readonly ScenarioProblem[];
}

export interface LoadedComponent {
  readonly component: Component;
  /** Absolute. */
  readonly file: string;
}

/** A scenario with all that it needs to run. */
export interface LoadedScenario {
  /** Absolute. */
  readonly file: string;
  readonly scenario: Scenario;
  readonly rangeOf: ReadDocument<Scenario>['rangeOf'];
  readonly project: ScenarioProject;
  readonly environment: ChosenEnvironment;
  readonly components: ReadonlyMap<string, LoadedComponent>;
}

/** The configuration in the folder of the scenario, or the next one above it, up to the root. A broken one is a problem. */
export function loadProject(folder: string, root: string): ScenarioProject {
  for (let at = folder; isInside(root, at) || at === root; at = path.dirname(at)) {
    const name = configFileNames.find((one) => existsSync(path.join(at, one)));
    if (name !== undefined) {
      const configFile = path.join(at, name);
      const { value, problems } = readScenarioConfig(readFileSync(configFile, 'utf8'), configFile);
      return { folder: at, configFile, config: value ?? scenarioConfigSchema.parse({}), problems };
    }
    if (at === root) break;
  }
  return { folder: root, config: scenarioConfigSchema.parse({}), problems: [] };
}

/** The components of the scenario's folder and of the configuration, by name; the nearer one wins. */
export function loadComponents(
  folder: string,
  project: ScenarioProject,
): {
  readonly components: ReadonlyMap<string, LoadedComponent>;
  readonly problems: readonly ScenarioProblem[];
} {
  const files = [
    ...fastGlob.sync([...project.config.components], {
      cwd: project.folder,
      absolute: true,
      onlyFiles: true,
    }),
    ...[
      project.folder,
      path.join(project.folder, 'components'),
      folder,
      path.join(folder, 'components'),
    ].flatMap(componentsIn),
  ];
  const components = new Map<string, LoadedComponent>();
  const problems: ScenarioProblem[] = [];
  for (const file of new Set(files)) {
    const read = readComponent(readFileSync(file, 'utf8'), file);
    problems.push(...read.problems);
    if (read.value) components.set(read.value.name, { component: read.value, file });
  }
  return { components, problems };
}

function componentsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => componentFile.test(name));
  return names.sort().map((name) => path.join(folder, name));
}

export interface ChosenEnvironment {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly allowedOrigins?: readonly string[];
}

/** The one that was asked for, else the scenario's, else the default. Gives a sentence where there is none of that name. */
export function chooseEnvironment(
  { config }: Pick<ScenarioProject, 'config'>,
  asked: string | undefined,
): ChosenEnvironment | { readonly problem: string } {
  const name = asked ?? config.defaultEnvironment;
  const { baseUrl, allowedOrigins, variables, environments } = config;
  if (name === undefined)
    return {
      variables,
      ...(baseUrl !== undefined && { baseUrl }),
      ...(allowedOrigins && { allowedOrigins }),
    };
  const found = environments[name];
  if (found === undefined) {
    const known = Object.keys(environments);
    const near = nearestName(name, known);
    const hint =
      near === undefined
        ? `Known: ${known.join(', ') || 'none; add it to scenario.config.yaml'}.`
        : `Did you mean "${near}"?`;
    return { problem: `There is no environment "${name}". ${hint}` };
  }
  const base = found.baseUrl ?? baseUrl;
  const origins = found.allowedOrigins ?? allowedOrigins;
  return {
    name,
    variables: { ...variables, ...found.variables },
    ...(base !== undefined && { baseUrl: base }),
    ...(origins && { allowedOrigins: origins }),
  };
}
