// Reads what surrounds a scenario file while it is edited: the configuration above it and the components it may use, also broken ones.
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import fastGlob from 'fast-glob';
import { isInside } from '../../base/paths.ts';
import { scenarioFileKind } from '../../model/scenarioFile.ts';
import { readComponent, readScenarioConfig } from '../readScenario.ts';
import { dataOf, listAt, memberOf, textAt, valueAtPath, type DataPath } from './documentTree.ts';
import type { KnownComponent, KnownVariable, Surroundings } from './surroundings.ts';

/** Text of a file that is open in the editor; undefined for all others. */
type OpenText = (file: string) => string | undefined;

/** More files than these are no components of one project. */
const mostComponents = 500;
const configNames = ['yaml', 'yml', 'json'].map((ending) => `scenario.config.${ending}`);

/** `file` and `root` are absolute. Nothing outside the root is read; what cannot be read is left out. Throws nothing. */
export async function loadSurroundings(
  file: string,
  root: string,
  openText: OpenText,
): Promise<Surroundings> {
  const read = async (one: string): Promise<string | undefined> =>
    openText(one) ?? (await readFile(one, 'utf8').catch(() => undefined));
  const config = await configAbove(path.dirname(file), root, read);
  const folders = [...new Set([path.dirname(file), config?.folder ?? root])];
  const globs = config?.components ?? [];
  const listed = await Promise.all([
    ...folders.flatMap((folder) => [folder, path.join(folder, 'components')]).map(componentsIn),
    globs.length === 0
      ? []
      : fastGlob([...globs], {
          cwd: config?.folder ?? root,
          absolute: true,
          onlyFiles: true,
          ignore: ['**/node_modules/**'],
        }).catch(() => []),
  ]);
  const files = [...new Set(listed.flat())].filter((one) => isInside(root, one)).slice(0, mostComponents);
  const components = await Promise.all(
    files.map(async (one) => {
      const text = await read(one);
      return text === undefined ? [] : componentOf(text, one);
    }),
  );
  const seen = new Set<string>();
  return {
    // The nearer one of two with the same name counts.
    components: components.flat().filter(({ name }) => !seen.has(name) && seen.add(name)),
    variables: config?.variables ?? [],
    environments: config?.environments ?? [],
  };
}

async function componentsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => scenarioFileKind(name) === 'component')
    .sort()
    .map((name) => path.join(folder, name));
}

/** From the document, so that a component with a mistake in a step is still known. */
function componentOf(text: string, file: string): readonly KnownComponent[] {
  const { document, rangeOf } = readComponent(text, file);
  const data = dataOf(document);
  const name = textAt(data, ['name']);
  if (name === undefined || name === '') return [];
  const parameters = listAt(data, ['parameters']).flatMap((one) => {
    const parameter = textAt(one, ['name']);
    return parameter === undefined
      ? []
      : [{ name: parameter, isRequired: memberOf(one, 'defaultValue') === undefined }];
  });
  const description = textAt(data, ['description']) ?? '';
  return [{ name, description, parameters, file, range: rangeOf(['name']) }];
}

interface Config {
  readonly folder: string;
  readonly components: readonly string[];
  readonly variables: readonly KnownVariable[];
  readonly environments: readonly string[];
}

/** The nearest one, in the folder or above it. */
async function configAbove(
  folder: string,
  root: string,
  read: (file: string) => Promise<string | undefined>,
): Promise<Config | undefined> {
  for (let at = folder; at === root || isInside(root, at); at = path.dirname(at)) {
    for (const name of configNames) {
      const text = await read(path.join(at, name));
      if (text !== undefined) return configOf(text, at, path.join(at, name));
    }
    if (at === root) break;
  }
  return undefined;
}

function configOf(text: string, folder: string, file: string): Config {
  const { document, rangeOf } = readScenarioConfig(text, file);
  const data = dataOf(document);
  const environments = namesIn(data, ['environments']);
  const variablesAt = (holder: DataPath, environment?: string): readonly KnownVariable[] => {
    const found = (path: DataPath, name: string): KnownVariable => ({
      name,
      value: valueAtPath(data, path),
      ...(environment !== undefined && { environment }),
      file,
      range: rangeOf(path, 'key'),
    });
    const list = [...holder, 'variables'];
    const baseUrl = [...holder, 'baseUrl'];
    return [
      ...namesIn(data, list).map((name) => found([...list, name], name)),
      ...(textAt(data, baseUrl) === undefined ? [] : [found(baseUrl, 'baseUrl')]),
    ];
  };
  return {
    folder,
    components: listAt(data, ['components']).filter((one) => typeof one === 'string'),
    variables: [
      ...variablesAt([]),
      ...environments.flatMap((name) => variablesAt(['environments', name], name)),
    ],
    environments,
  };
}

function namesIn(data: unknown, path: DataPath): readonly string[] {
  const value = valueAtPath(data, path);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
}
