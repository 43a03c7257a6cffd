// The processes that run a selection of a vitest project: exact files, test names as one pattern, nothing of the user's options lost.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { HumanError } from '../../base/humanError.ts';
import { realPathOr, toPosix, toRelativePosix } from '../../base/paths.ts';
import type { Workspace } from '../../model/settings.ts';
import { injectedFile } from '../../process/injectedFile.ts';
import type { FrameworkProject, Launch, Selection } from '../framework.ts';
import { batches, checkNativeFilter, namePattern, selectedFiles } from '../launchParts.ts';
import { readPackageJson } from '../packageJson.ts';
import { configFileNames } from './vitestConfig.ts';
import { coverageOptions, isVersion0 } from './vitestCoverage.ts';
import { vitestScript } from './vitestScripts.ts';

/**
 * `node <entry> run …` for the selection. Names of files are passed as absolute paths, in several launches when one command
 * line cannot hold them. Throws a HumanError: `not-installed` when the project has no vitest, `bad-input` for filters that
 * CONTRACTS Q4 refuses.
 */
export async function vitestLaunches(
  project: FrameworkProject,
  selection: Selection,
  workspace: Workspace,
): Promise<readonly Launch[]> {
  const { entry, root } = project;
  const pattern = namePattern(selection, separator, label);
  const native =
    selection.nativeFilter === undefined ? undefined : checkNativeFilter(selection.nativeFilter, label);
  if (entry === undefined) {
    throw new HumanError('not-installed', project.problem?.message ?? `Vitest is not installed in ${root}.`, {
      file: project.problem?.file ?? path.join(root, 'package.json'),
      remedy: project.problem?.remedy ?? 'Install it, for example with `npm install`.',
    });
  }
  const files = selectedFiles(selection);
  if (files?.length === 0) return [];
  const script = vitestScript(readPackageJson(root, workspace.root).packageJson, root);
  const options = [
    'run',
    ...keptOptions(script.kept, selection),
    ...configOption(project),
    `--reporter=${importedByNode(injectedFile('frameworks/vitest', 'vitestReporter.mjs'))}`,
    // The user's own configuration may ask for these; each of them would change what a run is or does.
    '--watch=false',
    '--ui=false',
    '--open=false',
    // Known since 0.31; before it nothing could ask for it.
    ...(isOlderThanBail(project) ? [] : ['--bail=0']),
    ...(pattern === undefined ? [] : [`--testNamePattern=${pattern}`]),
    ...(files === undefined ? excluding(project) : []),
    ...(selection.debug ? debugOptions : []),
  ];
  const host = injectedFile('frameworks/vitest', 'vitestHost.mjs');
  // Flags of node load what they like.
  const canWait = script.nodeFlags.length === 0 && !selection.debug && selection.coverage === undefined;
  return batches(files ?? []).map((batch, index) => ({
    project,
    args: [...script.nodeFlags, entry, ...options, ...coverageOptions(project, selection, index), ...batch],
    ...(canWait && {
      spare: {
        args: [host, entry],
        task: { args: [...options, ...coverageOptions(project, selection, index), ...batch] },
        isLoaded: true,
      },
    }),
    cwd: root,
    env: { ...script.env, ...snapshotWay(selection) },
    files: batch,
    timeoutMs: workspace.limits.timeoutMs,
    exitTells: true,
    ...(native === undefined
      ? {}
      : { accepts: (names) => native.test(names.join(' ')) || native.test(names.join(' > ')) }),
  }));
}

/**
 * A module that every version leaves to node. By its path Vite would load the file, which lies outside of the project: Vite 6.4 reads
 * nothing there for vitest 3, and plugins of the project may not bear it.
 */
const importedByNode = (file: string): string =>
  `data:text/javascript,${encodeURIComponent(`export { default } from ${JSON.stringify(pathToFileURL(file).href)}`)}`;

const isOlderThanBail = (project: FrameworkProject): boolean =>
  isVersion0(project) && Number(project.version?.split('.')[1]) < 31;

/** One file after the other, in child processes, which a debugger attaches to and can end; 0 is no time limit. */
const debugOptions = ['--pool=forks', '--no-file-parallelism', '--testTimeout=0', '--hookTimeout=0'];

/** Vitest takes each of these options once. */
function keptOptions(kept: readonly string[], { debug }: Selection): readonly string[] {
  if (!debug) return kept;
  return kept.filter(
    (option) => !/^--(?:pool|(?:no-)?file-?parallelism|(?:test|hook)-?timeout)\b/i.test(option),
  );
}

/** A configuration that vitest would not find by itself, or not first. */
function configOption({ root, configFile }: FrameworkProject): readonly string[] {
  if (configFile === undefined) return [];
  const found = configFileNames.map((name) => path.join(root, name)).find((file) => existsSync(file));
  return found === configFile ? [] : [`--config=${configFile}`];
}

/**
 * The reporter sets it: `--update` has no value in common from version 1 to 5 (4.1 takes `--update=false` for an update, and
 * `none` fails files over snapshots that no test asks for).
 */
function snapshotWay({ updateSnapshots }: Selection): Launch['env'] {
  if (updateSnapshots === undefined) return {};
  return { TESTMEND_SNAPSHOTS: updateSnapshots ? 'update' : 'stored' };
}

/**
 * What a project below runs itself must not run twice: added to what the configuration excludes. Relative globs for vitest 1 and
 * 2, which know no others; absolute ones for a configuration that moves the root of the globs.
 */
function excluding({ root, innerRoots = [] }: FrameworkProject): readonly string[] {
  return innerRoots.flatMap((inner) =>
    [toRelativePosix(realPathOr(root), realPathOr(inner)), toPosix(realPathOr(inner))].map(
      (folder) => `--exclude=${folder.replaceAll(/[!()*+?@[\]{}\\]/g, '\\$&')}/**`,
    ),
  );
}

/** Between the names of suites and test in the text that `-t` is matched against: a space, since version 5 ` > `. */
const separator = '(?: > | )';
const label = 'Vitest';
