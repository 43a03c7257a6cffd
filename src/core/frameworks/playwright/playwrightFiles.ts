// Lists the test files of a Playwright project with the patterns that Playwright itself would use, once for each of its own projects.
import path from 'node:path';
import picomatch from 'picomatch';
import { isInside, toPosix, toRelativePosix } from '../../base/paths.ts';
import type { FrameworkProject } from '../../model/frameworkProject.ts';
import type { ListContext, ListedFile } from '../framework.ts';
import { readPackageJson } from '../packageJson.ts';
import { projectFolders } from '../projectFolders.ts';
import { readPlaywrightConfig, type FilePattern, type PlaywrightConfig } from './playwrightConfig.ts';
import { playwrightScript } from './playwrightScript.ts';

const defaultMatch: readonly FilePattern[] = ['**/*.@(spec|test).?(c|m)[jt]s?(x)'];
const defaultConfig: PlaywrightConfig = { computed: [] };

/** The configuration of the project; the defaults where there is none. */
export async function configOf({ configFile }: FrameworkProject): Promise<PlaywrightConfig> {
  return configFile === undefined ? defaultConfig : readPlaywrightConfig(configFile);
}

/** Every test file; names of projects that are computed are known after a run. Throws the cancellation error. */
export async function listPlaywrightFiles(
  project: FrameworkProject,
  { tree, note }: ListContext,
  signal?: AbortSignal,
): Promise<readonly ListedFile[]> {
  const config = await configOf(project);
  const { configFile, root, innerRoots = [] } = project;
  const folder = configFile === undefined ? root : path.dirname(configFile);
  if (configFile !== undefined && config.computed.length > 0) {
    const name = toRelativePosix(tree?.root ?? root, configFile);
    note?.(`${name} computes ${config.computed.join(', ')}: tests are listed by the defaults until a run.`);
  }
  const filesIn = projectFolders(tree, signal);
  const chosen = playwrightScript(readPackageJson(root, root).packageJson).projects;
  const listed: ListedFile[] = [];
  for (const one of config.projects ?? [{}]) {
    if (chosen.length > 0 && one.name !== undefined && !chosen.includes(one.name)) continue;
    const home = path.resolve(folder, one.testDir ?? config.testDir ?? '.');
    const isTest = matcher(one.testMatch ?? config.testMatch ?? defaultMatch);
    const isIgnored = matcher(one.testIgnore ?? config.testIgnore ?? []);
    for (const name of await filesIn(home)) {
      const file = path.join(home, name);
      if (!/\.[cm]?[jt]sx?$/.test(name) || !isTest(file) || isIgnored(file)) continue;
      if (innerRoots.some((inner) => isInside(inner, file))) continue;
      listed.push({ file, ...(one.name ? { project: one.name } : {}) });
    }
  }
  return listed;
}

/** For a process that has no glob library: each project with its patterns as `[source, flags]` of regular expressions. */
export function projectPatterns(
  { root, configFile }: FrameworkProject,
  config: PlaywrightConfig,
): readonly unknown[] {
  const folder = configFile === undefined ? root : path.dirname(configFile);
  const compiled = (patterns: readonly FilePattern[]): readonly (readonly string[])[] =>
    patterns.map((pattern) => {
      const { source, flags } =
        pattern instanceof RegExp ? pattern : picomatch.makeRe(anywhere(pattern), options);
      return [source, flags];
    });
  return (config.projects ?? [{}]).map((one) => ({
    name: one.name ?? '',
    folder: path.resolve(folder, one.testDir ?? config.testDir ?? '.') + path.sep,
    match: compiled(one.testMatch ?? config.testMatch ?? defaultMatch),
    ignore: compiled(one.testIgnore ?? config.testIgnore ?? []),
  }));
}

const options = { nocase: true, dot: true };
const anywhere = (glob: string): string => (glob.startsWith('**/') ? glob : `**/${glob}`);

/** As Playwright matches: regular expressions and globs against the whole path, globs in any case. */
function matcher(patterns: readonly FilePattern[]): (file: string) => boolean {
  const globs = patterns.filter((pattern) => typeof pattern === 'string').map(anywhere);
  const expressions = patterns.filter((pattern) => pattern instanceof RegExp);
  const isGlobbed = globs.length > 0 ? picomatch(globs, options) : () => false;
  return (file) =>
    isGlobbed(toPosix(file)) ||
    expressions.some((expression) => {
      expression.lastIndex = 0;
      return expression.test(file);
    });
}
