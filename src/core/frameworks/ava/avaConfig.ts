// Reads what decides which files AVA takes for tests from its configuration, without running it.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isFile, relativeResolver, textOfFile } from '../configFiles.ts';
import { toRelativePosix } from '../../base/paths.ts';
import { evaluateDefaultExport, type StaticHost } from '../../syntax/javascript/evaluateModule.ts';
import {
  isList,
  notStatic,
  StaticFunction,
  StaticObject,
  type StaticValue,
} from '../../syntax/javascript/staticValue.ts';

/** In the order in which AVA looks for them. */
export const configFileNames = ['ava.config.js', 'ava.config.cjs', 'ava.config.mjs'];

export interface AvaSettings {
  readonly files?: readonly string[];
  readonly extensions?: readonly string[];
  /** `@ava/typescript` is in charge; the folders, relative to the project, that it takes compiled files from. */
  readonly compiledFolders?: readonly string[];
  /** The configuration says how many files may run at once. */
  readonly concurrency?: true;
  /** Names of settings that are computed and so cannot be read. */
  readonly computed: readonly string[];
}

/** Does the package.json of the folder configure AVA? */
export function hasAvaKey(folder: string): boolean {
  try {
    const data: unknown = JSON.parse(textOfFile(path.join(folder, 'package.json')) ?? '');
    return typeof data === 'object' && data !== null && 'ava' in data && typeof data.ava === 'object';
  } catch {
    return false;
  }
}

/** The configuration file of a project in `folder`: beside its package.json, else above it within the repository. */
export function findAvaConfig(folder: string): string | undefined {
  for (let here = folder; ; here = path.dirname(here)) {
    const found = configFileNames.map((name) => path.join(here, name)).find(isFile);
    if (found !== undefined) return found;
    if (existsSync(path.join(here, '.git')) || path.dirname(here) === here) return undefined;
  }
}

/** Settings of the project in `folder`: of `configFile`, else of its package.json. What cannot be read is named in a note. */
export async function readAvaSettings(
  folder: string,
  configFile: string | undefined,
  root: string,
  note: (text: string) => void,
): Promise<AvaSettings> {
  if (configFile === undefined && !hasAvaKey(folder)) return { computed: [] };
  const file = configFile ?? path.join(folder, 'package.json');
  const settings = await readSettings(file);
  if (settings.computed.length > 0) {
    const what = settings.computed.map((name) => `"${name}"`).join(', ');
    const name = toRelativePosix(root, file);
    note(`${what} in ${name} cannot be read without running it; showing AVA's defaults for it.`);
  }
  return settings;
}

async function readSettings(file: string): Promise<AvaSettings> {
  const host: StaticHost = {
    readText: textOfFile,
    resolve: relativeResolver(['.js', '.cjs', '.mjs', '.json']),
    packageExport: (): StaticValue => notStatic,
  };
  const exported = await evaluateDefaultExport(file, host);
  const called = exported instanceof StaticFunction ? exported.call([]) : exported;
  const isPackage = path.basename(file) === 'package.json';
  const config = isPackage && called instanceof StaticObject ? called.get('ava') : called;
  if (!(config instanceof StaticObject)) return { computed: ['config'] };
  const computed: string[] = [];
  const texts = (key: string, value: StaticValue): readonly string[] | undefined => {
    if (value === undefined) return undefined;
    const found =
      value instanceof StaticObject ? [...value.entries.keys()] : isList(value) ? value : [notStatic];
    const known = found.filter((item) => typeof item === 'string');
    if (known.length < found.length) computed.push(key);
    return known.length > 0 ? known : undefined;
  };
  const files = texts('files', config.get('files'));
  const extensions = texts('extensions', config.get('extensions'));
  const typescript = config.get('typescript');
  const rewritten = typescript instanceof StaticObject ? typescript.get('rewritePaths') : undefined;
  const folders =
    rewritten instanceof StaticObject
      ? [...rewritten.entries.values()].filter((value) => typeof value === 'string')
      : [];
  const isSet = (key: string): boolean => config.get(key) !== undefined;
  return {
    ...(files && { files }),
    ...(extensions && { extensions }),
    ...(isSet('typescript') && { compiledFolders: folders }),
    ...((isSet('concurrency') || isSet('serial')) && { concurrency: true }),
    computed,
  };
}
