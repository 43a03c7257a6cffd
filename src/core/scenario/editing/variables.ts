// The variables that a file can use between double braces: where each of them is declared, and what it holds.
import { isSecretName } from '../../base/redactSecrets.ts';
import type { DataPath } from './documentTree.ts';
import { listAt, memberOf, textAt } from './documentTree.ts';
import type { ScenarioFileKind } from '../../model/scenarioFile.ts';
import type { Surroundings } from './surroundings.ts';

interface FileVariable {
  /** As it stands between the braces, without its members. */
  readonly name: string;
  /** Where it comes from, for a person. */
  readonly origin: string;
  /** As it may be shown; absent where it is known only in a run, or secret. */
  readonly shown?: string;
  /** Of its declaration in this file. */
  readonly path?: DataPath;
  /** Names behind a dot that are known beforehand. */
  readonly members: readonly string[];
}

/** Each list of steps of the kind of file. */
export const partsOf = (kind: ScenarioFileKind): readonly ('setup' | 'steps' | 'teardown')[] =>
  kind === 'scenario' ? ['setup', 'steps', 'teardown'] : kind === 'component' ? ['steps'] : [];

/** Those of the file first, then those of the configuration; the first of a name is the one that counts. */
export function variablesOf(
  kind: ScenarioFileKind,
  data: unknown,
  surroundings: Surroundings,
): readonly FileVariable[] {
  const list = kind === 'component' ? 'parameters' : 'variables';
  const declared = listAt(data, [list]).flatMap((one, at): FileVariable[] => {
    const name = textAt(one, ['name']);
    if (name === undefined) return [];
    const fromEnv = textAt(one, ['fromEnv']);
    const isSecret = memberOf(one, 'secret') === true || isSecretName(name);
    const value = memberOf(one, 'defaultValue');
    return [
      {
        name,
        origin: `${list === 'parameters' ? 'Parameter of this component' : 'Variable of this scenario'}${fromEnv === undefined ? '' : `, from the environment variable ${fromEnv}`}${isSecret ? ', secret' : ''}`,
        ...(value !== undefined && !isSecret && { shown: shownValue(value) }),
        path: [list, at, 'name'],
        members: membersOf(value),
      },
    ];
  });
  const saved = partsOf(kind).flatMap((part) =>
    listAt(data, [part]).flatMap((step, at): FileVariable[] => {
      const field = (['saveResponseAs', 'saveResultAs'] as const).find(
        (one) => textAt(step, ['config', one]) !== undefined,
      );
      const name = field && textAt(step, ['config', field]);
      if (field === undefined || name === undefined) return [];
      return [
        {
          name,
          origin: `${field === 'saveResponseAs' ? 'Response' : 'Result'} of ${part}[${at}]`,
          path: [part, at, 'config', field],
          members: field === 'saveResponseAs' ? ['status', 'body', 'headers'] : [],
        },
      ];
    }),
  );
  const configured = surroundings.variables.map(({ name, value, environment }): FileVariable => ({
    name,
    origin:
      environment === undefined
        ? 'Variable of the configuration'
        : `Variable of the environment ${environment}`,
    ...(!isSecretName(name) && { shown: shownValue(value) }),
    members: membersOf(value),
  }));
  return [...declared, ...saved, ...configured];
}

function shownValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

const membersOf = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];

export interface Placeholder {
  readonly name: string;
  /** What comes before the first dot or bracket. */
  readonly root: string;
  /** Offsets of the name between its braces, in the text that was given. */
  readonly start: number;
  readonly end: number;
}

/** Every `{{name}}` of a text. */
export function placeholdersIn(text: string): readonly Placeholder[] {
  return Array.from(text.matchAll(/\{\{(\s*)([^{}]+?)\s*\}\}/g), ({ index, 1: space = '', 2: name = '' }) => {
    const start = index + 2 + space.length;
    return { name, root: name.split(/[.[]/)[0] ?? name, start, end: start + name.length };
  });
}
