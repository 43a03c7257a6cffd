// Reads what decides which files Playwright takes for tests from a configuration file, without running it.
import { relativeResolver, textOfFile } from '../configFiles.ts';
import { evaluateDefaultExport, type StaticHost } from '../../syntax/javascript/evaluateModule.ts';
import {
  mergeStatic,
  notStatic,
  StaticFunction,
  StaticObject,
  type StaticValue,
} from '../../syntax/javascript/staticValue.ts';
import { PartlyKnown } from '../partlyKnown.ts';

/** A glob or a regular expression, both for whole paths. */
export type FilePattern = string | RegExp;

/** What a configuration or one of its projects sets, as written; absent means not set. */
interface PlaywrightSettings {
  readonly name?: string;
  readonly testDir?: string;
  readonly testMatch?: readonly FilePattern[];
  readonly testIgnore?: readonly FilePattern[];
}

export interface PlaywrightConfig extends PlaywrightSettings {
  /** Absent when there are none, or when they are computed. */
  readonly projects?: readonly PlaywrightSettings[];
  /** It says how many workers there are. */
  readonly workers?: true;
  /** Names of settings that are computed and so cannot be read. */
  readonly computed: readonly string[];
}

const extensions = ['.ts', '.js', '.mts', '.mjs', '.cts', '.cjs'];

/** In the order in which Playwright looks for them. */
export const configFileNames = extensions.map((extension) => `playwright.config${extension}`);

/** Settings of a configuration file; what cannot be read is named in `computed`. */
export async function readPlaywrightConfig(file: string): Promise<PlaywrightConfig> {
  const isObject = (value: StaticValue): value is StaticObject => value instanceof StaticObject;
  const computed = new Set<string>();

  /** `defineConfig(base, own)` merges like a spread, and what it does to `use` decides nothing here. */
  const define = new StaticFunction(([first, ...more]) => more.reduce(mergeStatic, first));
  /** `devices['Desktop Chrome']` and its kin set nothing that is read here. */
  const devices = new StaticObject(new Map(), false);
  const host: StaticHost = {
    readText: textOfFile,
    resolve: relativeResolver(extensions),
    packageExport: (specifier, name): StaticValue => {
      if (!/^@?playwright\//.test(specifier)) return notStatic;
      return name === 'defineConfig' ? define : name === 'devices' ? devices : notStatic;
    },
  };

  const isPattern = (item: StaticValue): item is FilePattern =>
    typeof item === 'string' || item instanceof RegExp;
  const settings = (object: StaticObject): PlaywrightSettings => {
    const known = new PartlyKnown(object, computed);
    return {
      ...known.text('name'),
      ...known.text('testDir'),
      ...known.items('testMatch', isPattern),
      ...known.items('testIgnore', isPattern),
    };
  };

  const config = await evaluateDefaultExport(file, host);
  if (!isObject(config)) return { computed: ['the whole configuration'] };
  const { projects = [] } = new PartlyKnown(config, computed).items('projects', isObject);
  return {
    ...settings(config),
    ...(projects.length > 0 && { projects: projects.map(settings) }),
    ...(config.get('workers') !== undefined && { workers: true }),
    computed: [...computed],
  };
}
