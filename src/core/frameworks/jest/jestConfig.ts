// Reads what decides which files jest takes for tests, and how it must be started, from a configuration, without running it.
import path from 'node:path';
import { isFile, relativeResolver, textOfFile } from '../configFiles.ts';
import { evaluateDefaultExport, type StaticHost } from '../../syntax/javascript/evaluateModule.ts';
import {
  isList,
  notStatic,
  StaticFunction,
  StaticObject,
  type StaticValue,
} from '../../syntax/javascript/staticValue.ts';
import { PartlyKnown } from '../partlyKnown.ts';
import { tsJestOptionsOf, type TsJestOptions } from './tsJestOptions.ts';

/** The settings of one configuration, as written; absent means not set. */
export interface JestSettings {
  readonly displayName?: string;
  readonly rootDir?: string;
  readonly preset?: string;
  readonly testRunner?: string;
  readonly roots?: readonly string[];
  readonly testMatch?: readonly string[];
  readonly testRegex?: readonly string[];
  readonly testPathIgnorePatterns?: readonly string[];
  readonly modulePathIgnorePatterns?: readonly string[];
  readonly moduleFileExtensions?: readonly string[];
  readonly extensionsToTreatAsEsm?: readonly string[];
  readonly maxWorkers?: true;
  /** It names what compiles its files, which may look at other files for one. */
  readonly transforms?: true;
  /** How ts-jest compiles, where it does. */
  readonly tsJest?: TsJestOptions;
  /** A glob, folder or file; or a project written in place. */
  readonly projects?: readonly (string | JestSettings)[];
  /** Names of settings that are computed and so cannot be read. */
  readonly computed: readonly string[];
}

/** In the order in which jest looks for them; version 30 knows `.cts` too. */
export const configFileNames = ['.js', '.ts', '.mjs', '.cjs', '.cts', '.json'].map(
  (extension) => `jest.config${extension}`,
);

/** Settings of a configuration file or of the "jest" of a package.json; what cannot be read is named in `computed`. */
export async function readJestConfig(file: string): Promise<JestSettings> {
  const reader = createReader();
  return reader.settings(await reader.evaluate(file));
}

/** What a preset (a package, or a file beside `rootDir`) sets; undefined when it is not there. */
export async function readJestPreset(name: string, rootDir: string): Promise<JestSettings | undefined> {
  // Its presets are transforms only, computed in ways that cannot be read.
  if (/^ts-jest(?:\/|$)/.test(name)) return { computed: [] };
  const file = presetFile(name.replace('<rootDir>', rootDir), rootDir);
  return file === undefined ? undefined : readJestConfig(file);
}

function presetFile(name: string, rootDir: string): string | undefined {
  const endings = ['.json', '.js', '.cjs', '.mjs'];
  // A relative preset is the file itself, any other the folder of a package.
  if (name.startsWith('.')) {
    const target = path.resolve(rootDir, name);
    return [target, ...endings.map((ending) => target + ending)].find(isFile);
  }
  const presetIn = (home: string): string | undefined =>
    endings.map((ending) => path.join(home, `jest-preset${ending}`)).find(isFile);
  if (path.isAbsolute(name)) return presetIn(name);
  for (let folder = rootDir; ; folder = path.dirname(folder)) {
    const found = presetIn(path.join(folder, 'node_modules', name));
    if (found !== undefined || path.dirname(folder) === folder) return found;
  }
}

interface ConfigReader {
  evaluate(file: string): Promise<StaticValue>;
  settings(config: StaticValue): JestSettings;
}

function createReader(): ConfigReader {
  const isObject = (value: StaticValue): value is StaticObject => value instanceof StaticObject;
  const called = (value: StaticValue): StaticValue =>
    value instanceof StaticFunction ? value.call([]) : value;

  const transformsOnly = new StaticObject(new Map([['transform', notStatic]]));
  const tsJestPreset = (isEsm: boolean): StaticFunction =>
    new StaticFunction(([options]) => {
      const given = isObject(options) ? options.entries : [];
      const own = new StaticObject(
        new Map<string, StaticValue>([...given, ...(isEsm ? [['useESM', true] as const] : [])]),
      );
      const transform = new StaticObject(new Map([['', ['ts-jest', own]]]));
      return new StaticObject(new Map([['transform', transform]]));
    });
  /** `nextJest({ dir })(config)`: a function, and what next adds to the settings that are read here. */
  const nextJest = new StaticFunction(
    () => new StaticFunction(([config]) => new StaticFunction(() => withNext(called(config)))),
  );
  const withNext = (value: StaticValue): StaticValue => {
    if (!isObject(value)) return notStatic;
    const own = value.get('testPathIgnorePatterns');
    const ignored = ['/node_modules/', '/.next/', ...(isList(own) ? own : [])];
    return value.with(new StaticObject(new Map([['testPathIgnorePatterns', ignored]])));
  };
  const host: StaticHost = {
    readText: textOfFile,
    resolve: relativeResolver(['.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.json']),
    packageExport: (specifier, name): StaticValue => {
      if (/^next\/jest(?:\.js)?$/.test(specifier)) return nextJest;
      if (specifier === 'ts-jest' && /^create\w*Preset$/.test(name))
        return tsJestPreset(name.includes('Esm'));
      return specifier === 'ts-jest/presets' && name !== 'default' ? transformsOnly : notStatic;
    },
  };

  const settings = (config: StaticValue): JestSettings => {
    const value = called(config);
    if (!isObject(value)) return { computed: ['config'] };
    const computed = new Set<string>();
    const known = new PartlyKnown(value, computed);
    const displayName = known.value('displayName');
    const extensions = (key: 'moduleFileExtensions' | 'extensionsToTreatAsEsm'): Partial<JestSettings> => {
      const read = new Set<string>();
      const found = new PartlyKnown(value, read).texts(key);
      if (!read.has(key)) return found;
      // A part of them would leave out the files of all others.
      known.unread(key);
      return {};
    };
    const tsJest = tsJestOptionsOf(value);
    const workers = value.get('maxWorkers');
    const transforms = value.get('transform') !== undefined || !value.complete;
    const isProject = (entry: StaticValue): entry is string | StaticObject =>
      typeof entry === 'string' || isObject(entry);
    const listed = known.value('projects');
    const projects = known.items(
      'projects',
      isProject,
      isList(listed) ? listed.map(called) : listed,
    ).projects;
    return {
      ...known.text('displayName', isObject(displayName) ? displayName.get('name') : displayName),
      ...known.text('rootDir'),
      ...known.text('preset'),
      ...known.text('testRunner'),
      ...known.texts('roots'),
      ...known.texts('testMatch'),
      ...known.texts('testRegex'),
      ...known.texts('testPathIgnorePatterns'),
      ...known.texts('modulePathIgnorePatterns'),
      ...extensions('moduleFileExtensions'),
      ...extensions('extensionsToTreatAsEsm'),
      ...(workers === undefined || workers === null ? {} : { maxWorkers: true }),
      ...(transforms && { transforms }),
      ...(tsJest && { tsJest }),
      ...(projects && { projects: projects.map((one) => (typeof one === 'string' ? one : settings(one))) }),
      computed: [...computed],
    };
  };

  return {
    settings,
    evaluate: async (file) => {
      const value = await evaluateDefaultExport(file, host);
      if (path.basename(file) !== 'package.json' || !isObject(value)) return value;
      const own = value.get('jest');
      // Since version 29 it may be the path of a configuration file.
      return typeof own === 'string'
        ? evaluateDefaultExport(path.resolve(path.dirname(file), own), host)
        : (own ?? new StaticObject(new Map()));
    },
  };
}
