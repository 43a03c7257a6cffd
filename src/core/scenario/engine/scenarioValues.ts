// The values that a scenario starts with, and which of them are secrets.
import { isSecretName } from '../../base/redactSecrets.ts';
import type { ChosenEnvironment } from '../project/loadProject.ts';
import type { Scenario } from '../scenarioSchema.ts';
import { textOf, type Values } from './variables.ts';

export interface StartValues {
  readonly values: Values;
  /** Texts that nobody may read. */
  readonly secrets: readonly string[];
}

/** A shorter value would blot out half of a report. */
const shortestSecret = 3;

/**
 * Strongest first: the process environment where `fromEnv` names it, the environment of the configuration, the default value. A variable is a
 * secret where it says so, or where its name does. Throws a sentence for a value that is not of the declared type.
 */
export function startValues(
  { variables }: Pick<Scenario, 'variables'>,
  environment: ChosenEnvironment,
  env: NodeJS.ProcessEnv,
): StartValues {
  const values: Record<string, unknown> = { ...environment.variables };
  const secretNames = new Set(Object.keys(values).filter(isSecretName));
  for (const { name, type, defaultValue, fromEnv, secret } of variables) {
    const given = (fromEnv === undefined ? undefined : env[fromEnv]) ?? values[name] ?? defaultValue;
    if (given !== undefined) values[name] = typed(name, type, given);
    else delete values[name];
    if (secret || isSecretName(name)) secretNames.add(name);
  }
  if (environment.baseUrl !== undefined && !('baseUrl' in values)) values['baseUrl'] = environment.baseUrl;
  const secrets = [...secretNames].flatMap((name) => textsIn(values[name]));
  return {
    values,
    secrets: secrets.filter((one) => one.length >= shortestSecret).sort((a, b) => b.length - a.length),
  };
}

/** Blots the secrets out of a text, also where they stand encoded in an address. */
export function hiding(secrets: readonly string[]): (text: string) => string {
  const forms = [
    ...new Set(secrets.flatMap((one) => [one, encodeURIComponent(one), JSON.stringify(one).slice(1, -1)])),
  ];
  return (text) => forms.reduce((hidden, one) => hidden.replaceAll(one, '[redacted]'), text);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  return value === undefined || value === null || typeof value === 'boolean' ? [] : [textOf(value)];
}

function typed(name: string, type: Scenario['variables'][number]['type'], given: unknown): unknown {
  const wrong = (): Error =>
    new Error(`The variable "${name}" is no ${type}: ${textOf(given).slice(0, 60)}.`);
  switch (type) {
    case 'string':
      return textOf(given);
    case 'number': {
      const value = Number(given);
      if (typeof given === 'boolean' || given === '' || Number.isNaN(value)) throw wrong();
      return value;
    }
    case 'boolean':
      if (given === true || given === 'true') return true;
      if (given === false || given === 'false') return false;
      throw wrong();
    case 'json':
      if (typeof given !== 'string') return given;
      try {
        return JSON.parse(given) as unknown;
      } catch {
        throw wrong();
      }
  }
}
