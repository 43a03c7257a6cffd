// Brings together what decides which files mocha loads: its command line, its configuration files, its defaults.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { toRelativePosix } from '../../base/paths.ts';
import { readArguments } from './mochaArguments.ts';
import { readMochaConfig } from './mochaConfig.ts';

/** The options that matter before a run; lists are joined from all places, as mocha does it. */
export interface MochaOptions {
  readonly spec: readonly string[];
  readonly ignore: readonly string[];
  readonly extension: readonly string[];
  readonly file: readonly string[];
  readonly recursive: boolean;
  readonly ui: string;
  /** Sentences on what could not be read. */
  readonly notes: readonly string[];
}

/** Throws nothing: what cannot be read is told in `notes`. `folder` is where mocha is started. */
export async function resolveOptions(
  folder: string,
  args: readonly string[],
  major: number,
): Promise<MochaOptions> {
  const notes: string[] = [];
  const command = readArguments(args);
  const places = [command];
  const config = configFileOf(folder, command.values.get('config'), major);
  if (config !== undefined) places.push(await readMochaConfig(config, relativeTo(folder), notes));
  const packageFile = packageFileOf(folder, command.values.get('package'));
  if (packageFile !== undefined) places.push(await readMochaConfig(packageFile, relativeTo(folder), notes));

  const list = (name: string): readonly string[] => [
    ...new Set(places.flatMap((place) => place.lists.get(name) ?? [])),
  ];
  const value = (name: string): string | boolean | undefined =>
    places.find((place) => place.values.has(name))?.values.get(name);
  const orElse = (values: readonly string[], standard: readonly string[]): readonly string[] =>
    values.length > 0 ? values : standard;
  const ui = value('ui');
  return {
    spec: orElse(list('spec'), ['test']),
    ignore: list('ignore'),
    extension: orElse(list('extension'), ['js', 'cjs', 'mjs']),
    file: list('file'),
    recursive: value('recursive') === true || value('recursive') === 'true',
    ui: typeof ui === 'string' ? ui : 'bdd',
    notes,
  };
}

const relativeTo =
  (folder: string) =>
  (file: string): string =>
    toRelativePosix(folder, file);

/** In the order in which mocha looks for them. */
const names = [
  '.mocharc.cjs',
  '.mocharc.js',
  '.mocharc.mjs',
  '.mocharc.yaml',
  '.mocharc.yml',
  '.mocharc.jsonc',
  '.mocharc.json',
];

/** Names of the configuration files that a version of mocha knows. */
export function configNames(major: number): readonly string[] {
  return major >= 12 ? names : names.filter((name) => name !== '.mocharc.mjs');
}

/** The configuration file: the one that is named, else the nearest in the folder and above; undefined when there is none. */
function configFileOf(
  folder: string,
  named: string | boolean | undefined,
  major: number,
): string | undefined {
  if (named === false) return undefined;
  if (typeof named === 'string') return path.resolve(folder, named);
  if (major >= 12)
    return configNames(major)
      .map((name) => findUp(folder, [name]))
      .find((file) => file !== undefined);
  return findUp(folder, configNames(major));
}

function packageFileOf(folder: string, named: string | boolean | undefined): string | undefined {
  if (named === false) return undefined;
  return typeof named === 'string' ? path.resolve(folder, named) : findUp(folder, ['package.json']);
}

function findUp(folder: string, wanted: readonly string[]): string | undefined {
  for (let here = folder; ; here = path.dirname(here)) {
    const found = wanted.map((name) => path.join(here, name)).find((file) => existsSync(file));
    if (found !== undefined) return found;
    if (path.dirname(here) === here) return undefined;
  }
}
