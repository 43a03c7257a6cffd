// Reads the files of the scenario framework: scenarios, components and the configuration, each checked at its lines.
import { readDocument, type ReadDocument } from './readDocument.ts';
import type { ScenarioProblem } from './problem.ts';
import {
  completeComponent,
  completeScenario,
  componentSchema,
  scenarioConfigSchema,
  scenarioSchema,
  type Component,
  type Scenario,
  type ScenarioConfig,
} from './scenarioSchema.ts';

/** A scenario with an id for every step, or its problems; two steps with one id are one. Throws nothing. */
export function readScenario(text: string, file: string): ReadDocument<Scenario> {
  const { value, ...read } = readDocument(scenarioSchema, text, file);
  if (value === undefined) return read;
  const scenario = completeScenario(value);
  const problems = [...doubleIds(scenario, read, file), ...doubleVariables(scenario, read, file)];
  return problems.length > 0 ? { ...read, problems } : { ...read, value: scenario };
}

export function readComponent(text: string, file: string): ReadDocument<Component> {
  const { value, ...read } = readDocument(componentSchema, text, file);
  return value === undefined ? read : { ...read, value: completeComponent(value) };
}

/** An empty file is a configuration with nothing but defaults. */
export function readScenarioConfig(text: string, file: string): ReadDocument<ScenarioConfig> {
  return readDocument(scenarioConfigSchema, text.replace(/^(?:\s*(?:#[^\n]*)?\n?)*$/, '{}'), file);
}

type Places = Pick<ReadDocument<unknown>, 'rangeOf'>;

function doubleIds(scenario: Scenario, { rangeOf }: Places, file: string): readonly ScenarioProblem[] {
  const seen = new Set<string>();
  const problems: ScenarioProblem[] = [];
  for (const part of ['setup', 'steps', 'teardown'] as const)
    for (const [at, { id }] of scenario[part].entries()) {
      if (seen.has(id))
        problems.push({
          message: `Two steps have the id "${id}".`,
          file,
          range: rangeOf([part, at, 'id']),
          remedy: 'Give each step an id of its own.',
          path: [part, at, 'id'],
        });
      seen.add(id);
    }
  return problems;
}

function doubleVariables(scenario: Scenario, { rangeOf }: Places, file: string): readonly ScenarioProblem[] {
  const names = scenario.variables.map(({ name }) => name);
  return names.flatMap((name, at) =>
    names.indexOf(name) === at
      ? []
      : [
          {
            message: `The variable "${name}" is declared twice.`,
            file,
            range: rangeOf(['variables', at, 'name']),
            remedy: 'Keep one of them.',
            path: ['variables', at, 'name'],
          },
        ],
  );
}
