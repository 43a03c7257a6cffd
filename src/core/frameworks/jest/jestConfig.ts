// Reads what decides which files jest takes for tests, and how it must be started, from a configuration, without running it.
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { evaluateDefaultExport, type StaticHost } from '../../syntax/javascript/evaluateModule.ts';
import {
  isList,
  notStatic,
  StaticFunction,
  StaticObject,
  type StaticValue,
} from '../../syntax/javascript/staticValue.ts';

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
  /** A glob, folder or file; or a project written in place. */
  readonly projects?: readonly (string | JestSettings)[];
  /** Names of settings that are computed and so cannot be read. */
  readonly computed: readonly string[];
}

/** In the order in which jest looks for them; version 30 knows `.cts` too. */
export const configFileNames = ['.js', '.ts', '.mjs', '.cjs', '.cts', '.json'].map(
  (extension) => `jest.config${extension}`,
);

const texts = ['displayName', 'rootDir', 'preset', 'testRunner'] as const;
const lists = [
  'roots',
  'testMatch',
  'testRegex',
  'testPathIgnorePatterns',
  'modulePathIgnorePatterns',
  'moduleFileExtensions',
  'extensionsToTreatAsEsm',
] as const;
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

  const transformsOnly = new StaticFunction(() => new StaticObject(new Map()));
  /** `nextJest({ dir })(config)`: what next adds to the settings that are read here. */
  const nextJest = new StaticFunction(
    () =>
      new StaticFunction(([config]) => {
        const value = called(config);
        if (!isObject(value)) return notStatic;
        const own = value.get('testPathIgnorePatterns');
        const ignored = ['/node_modules/', '/.next/', ...(isList(own) ? own : [])];
        return new StaticObject(
          new Map([...value.entries, ['testPathIgnorePatterns', ignored]]),
          value.complete,
        );
      }),
  );
  const host: StaticHost = {
    readText,
    resolve: resolveRelative,
    packageExport: (specifier, name): StaticValue => {
      if (/^next\/jest(?:\.js)?$/.test(specifier)) return nextJest;
      const isPreset = specifier === 'ts-jest' && /^create\w*Preset$/.test(name);
      return isPreset ? transformsOnly : notStatic;
    },
  };

  const settings = (config: StaticValue): JestSettings => {
    const value = called(config);
    if (!isObject(value)) return { computed: ['config'] };
    const computed: string[] = [];
    const found: Record<string, string | readonly string[]> = {};
    for (const key of texts) {
      const read = value.get(key);
      const text = key === 'displayName' && isObject(read) ? read.get('name') : read;
      if (typeof text === 'string') found[key] = text;
      else if (text !== undefined && text !== null) computed.push(key);
    }
    for (const key of lists) {
      const read = value.get(key);
      if (read === undefined || read === null) continue;
      const items = isList(read) ? read : [read];
      const known = items.filter((item): item is string => typeof item === 'string');
      if (known.length < items.length) computed.push(key);
      else found[key] = known;
    }
    const workers = value.get('maxWorkers');
    const transforms = value.get('transform') !== undefined || !value.complete;
    const listed = value.get('projects');
    const projects = isList(listed) ? entries(listed) : undefined;
    if (listed !== undefined && listed !== null && !projects) computed.push('projects');
    // Something unknown was spread into it: every setting may be there, and saying so once is enough.
    const unknown = !value.complete && computed.length > 0 ? ['config'] : computed;
    return {
      ...found,
      ...(workers === undefined || workers === null ? {} : { maxWorkers: true }),
      ...(transforms && { transforms }),
      ...(projects && { projects }),
      computed: unknown,
    };
  };

  const entries = (listed: readonly StaticValue[]): readonly (string | JestSettings)[] | undefined => {
    const known = listed.map(called).flatMap((entry): readonly (string | JestSettings)[] => {
      if (typeof entry === 'string') return [entry];
      return isObject(entry) ? [settings(entry)] : [];
    });
    return known.length === listed.length ? known : undefined;
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

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}

/** As Node and TypeScript resolve it: the file itself, with an extension, or an index file. */
function resolveRelative(from: string, specifier: string): string | undefined {
  const target = path.resolve(path.dirname(from), specifier);
  const endings = ['.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.json'];
  const written = target.replace(/\.([cm]?)js$/, '.$1ts');
  const candidates = [
    target,
    written,
    ...[target, path.join(target, 'index')].flatMap((base) => endings.map((ending) => base + ending)),
  ];
  return candidates.find(isFile);
}

function isFile(file: string): boolean {
  return existsSync(file) && statSync(file).isFile();
}
