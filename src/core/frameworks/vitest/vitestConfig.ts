// Reads what decides which files vitest takes for tests from a configuration file, without running it.
import { relativeResolver, textOfFile } from '../configFiles.ts';
import { evaluateDefaultExport, type StaticHost } from '../../syntax/javascript/evaluateModule.ts';
import {
  isList,
  mergeStatic,
  notStatic,
  StaticFunction,
  StaticObject,
  type StaticValue,
} from '../../syntax/javascript/staticValue.ts';
import { PartlyKnown } from '../partlyKnown.ts';

/** The settings of one configuration, as written; absent means not set. */
export interface VitestSettings {
  readonly name?: string;
  readonly root?: string;
  readonly dir?: string;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  readonly includeSource?: readonly string[];
  readonly projects?: readonly ProjectEntry[];
  /** Names of browser instances, where browser mode is on; each becomes a project of its own. */
  readonly browsers?: readonly BrowserInstance[];
  /** Names of settings that are computed and so cannot be read. */
  readonly computed: readonly string[];
}

interface BrowserInstance {
  readonly name?: string;
  readonly browser: string;
}

/** A glob, folder or file; or a project written in place. */
export type ProjectEntry = string | InlineProject;

export interface InlineProject {
  readonly settings: VitestSettings;
  /** Whether the configuration that lists it is inherited, or which other is; absent means vitest's default. */
  readonly extends?: boolean | string;
}

const extensions = ['.ts', '.mts', '.cts', '.js', '.mjs', '.cjs'];
const withExtensions = (names: readonly string[], endings = extensions): readonly string[] =>
  names.flatMap((name) => endings.map((extension) => name + extension));

/** In the order in which vitest looks for them. */
export const configFileNames = withExtensions(['vitest.config', 'vite.config']);
/** Vitest 1 to 3. */
export const workspaceFileNames = withExtensions(
  ['vitest.workspace', 'vitest.projects'],
  [...extensions, '.json'],
);

const everyFolder = ['**/node_modules/**', '**/.git/**'];
const untilVersion3 = [
  '**/node_modules/**',
  '**/dist/**',
  '**/cypress/**',
  '**/.{idea,git,cache,output,temp}/**',
  '**/{karma,rollup,webpack,vite,vitest,jest,ava,babel,nyc,cypress,tsup,build,eslint,prettier}.config.*',
];

/** The patterns of a vitest version when nothing is configured (read in the packages of 1.6, 2.1, 3.2, 4.1 and 5.1). */
export function defaultPatterns(major: number): { include: readonly string[]; exclude: readonly string[] } {
  return { include: ['**/*.{test,spec}.?(c|m)[jt]s?(x)'], exclude: major <= 3 ? untilVersion3 : everyFolder };
}

/** Settings of a configuration file; what cannot be read is named in `computed`. Loads the TypeScript parser only when needed. */
export async function readVitestConfig(file: string, major: number): Promise<VitestSettings> {
  const text = textOfFile(file);
  if (text === undefined) return { computed: ['config'] };
  if (isPlain(text)) return { computed: [] };
  const reader = createReader(major);
  return reader.settings(await reader.evaluate(file));
}

/** Entries of a `vitest.workspace` file; undefined when they are computed. */
export async function readVitestWorkspace(
  file: string,
  major: number,
): Promise<readonly ProjectEntry[] | undefined> {
  const reader = createReader(major);
  return reader.projects(await reader.evaluate(file));
}

/** Nothing in the text can decide about test files, so it need not be parsed. */
function isPlain(text: string): boolean {
  const decides =
    /\b(?:include|exclude|includeSource|dir|root|projects|workspace|name|browser|mergeConfig|extends)\b|\bfrom\s*['"]\.|\brequire\(\s*['"]\./;
  return !decides.test(text) && /\bexport\s+default\s+(?:defineConfig\s*\(\s*)?\{/.test(text);
}

interface ConfigReader {
  evaluate(file: string): Promise<StaticValue>;
  settings(config: StaticValue): VitestSettings;
  projects(value: StaticValue): readonly ProjectEntry[] | undefined;
}

function createReader(major: number): ConfigReader {
  const isObject = (value: StaticValue): value is StaticObject => value instanceof StaticObject;
  const called = (value: StaticValue): StaticValue =>
    value instanceof StaticFunction ? value.call([]) : value;

  const identity = new StaticFunction(([value]) => called(value));
  const merge = new StaticFunction((all) =>
    all
      .filter((one) => typeof one !== 'boolean')
      .map(called)
      .reduce(mergeStatic),
  );
  const patterns = defaultPatterns(major);
  const host: StaticHost = {
    readText: textOfFile,
    resolve: relativeResolver(extensions),
    packageExport: (_specifier, name): StaticValue => {
      if (/^define\w*(?:Config|Project|Workspace)$/.test(name)) return identity;
      if (name === 'mergeConfig') return merge;
      if (name === 'defaultInclude') return patterns.include;
      if (name === 'defaultExclude') return patterns.exclude;
      if (name !== 'configDefaults') return notStatic;
      return new StaticObject(new Map(Object.entries(patterns)), false);
    },
  };

  const settings = (config: StaticValue): VitestSettings => {
    const value = called(config);
    if (!isObject(value)) return { computed: ['config'] };
    const computed = new Set<string>();
    const outer = new PartlyKnown(value, computed);
    const test = outer.value('test');
    if (test !== undefined && !isObject(test)) computed.add('test');
    const own = new PartlyKnown(test, computed);
    const name = own.value('name');
    const listed = own.value('projects') ?? (major <= 3 ? own.value('workspace') : undefined);
    const browsers = browserInstances(own.value('browser'));
    return {
      ...own.text('name', isObject(name) ? name.get('label') : name),
      ...own.text('root', own.value('root') ?? outer.value('root')),
      ...own.text('dir'),
      ...own.texts('include'),
      ...own.texts('exclude'),
      ...own.texts('includeSource'),
      ...entriesOf(listed, own),
      ...(browsers ? { browsers } : {}),
      computed: [...computed],
    };
  };

  const entriesOf = (
    listed: StaticValue,
    known: PartlyKnown,
  ): { readonly projects?: readonly ProjectEntry[] } => {
    const all = called(listed);
    const isEntry = (entry: StaticValue): entry is string | StaticObject =>
      typeof entry === 'string' || isObject(entry);
    const found = known.items('projects', isEntry, isList(all) ? all.map(called) : all).projects;
    return found ? { projects: found.map(projectEntry) } : {};
  };

  const projectEntry = (entry: string | StaticObject): ProjectEntry => {
    if (typeof entry === 'string') return entry;
    const inherits = entry.get('extends');
    return {
      settings: settings(entry),
      ...(typeof inherits === 'string' || typeof inherits === 'boolean' ? { extends: inherits } : {}),
    };
  };

  const projects = (value: StaticValue): readonly ProjectEntry[] | undefined =>
    entriesOf(value, new PartlyKnown(undefined, new Set())).projects;

  const browserInstances = (browser: StaticValue): readonly BrowserInstance[] | undefined => {
    if (!isObject(browser) || browser.get('enabled') !== true) return undefined;
    const instances = browser.get('instances');
    if (!isList(instances)) return undefined;
    return instances.filter(isObject).flatMap((instance) => {
      const [kind, name] = [instance.get('browser'), instance.get('name')];
      if (typeof kind !== 'string') return [];
      return [typeof name === 'string' ? { browser: kind, name } : { browser: kind }];
    });
  };

  return {
    evaluate: (file) => evaluateDefaultExport(file, host),
    settings,
    projects,
  };
}
