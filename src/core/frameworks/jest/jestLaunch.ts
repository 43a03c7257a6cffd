// The processes that run a selection of a jest project: exact files, test names as one pattern, the user's configuration kept.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { HumanError } from '../../base/humanError.ts';
import { realPathOr } from '../../base/paths.ts';
import type { Workspace } from '../../model/settings.ts';
import { injectedFile } from '../../process/injectedFile.ts';
import type { FrameworkProject, Launch, Selection } from '../framework.ts';
import { coverageFile } from '../istanbulCoverage.ts';
import { batches, checkNativeFilter, namePattern, selectedFiles } from '../launchParts.ts';
import { readPackageJson } from '../packageJson.ts';
import { configFileNames } from './jestConfig.ts';
import { resolveJest, type ResolvedJest } from './jestProjects.ts';
import { jestCommand, scriptOptions, startsJest } from './jestScripts.ts';

/**
 * `node <entry> …` for the selection. Names of files are passed as absolute paths, in several launches when one command line
 * cannot hold them. Throws a HumanError: `not-installed` when the project has no jest, `bad-input` for filters that CONTRACTS
 * Q4 refuses.
 */
export async function jestLaunches(
  project: FrameworkProject,
  selection: Selection,
  workspace: Workspace,
): Promise<readonly Launch[]> {
  const { entry, root, problem } = project;
  const label = 'Jest';
  const pattern = namePattern(selection, ' ', label);
  const native =
    selection.nativeFilter === undefined ? undefined : checkNativeFilter(selection.nativeFilter, label);
  if (entry === undefined) {
    throw new HumanError('not-installed', problem?.message ?? `Jest is not installed in ${root}.`, {
      file: problem?.file ?? path.join(root, 'package.json'),
      remedy: problem?.remedy ?? 'Install it, for example with `npm install`.',
    });
  }
  const files = selectedFiles(selection);
  if (files?.length === 0) return [];
  const resolved = await resolveJest(project);
  const { packageJson } = readPackageJson(root, workspace.root);
  const runner = watchedRunner(entry, resolved);
  const command = jestCommand(packageJson);
  const options = scriptOptions(packageJson);
  const modules = needsModules(project, resolved, packageJson) ? ['--experimental-vm-modules'] : [];
  const args = [
    ...new Set([...modules, ...(command?.nodeFlags ?? [])]),
    entry,
    `--reporters=${injectedFile('frameworks/jest', 'jestReporter.cjs')}`,
    // Our runner tells places itself, where they matter; jest would find out every one.
    runner === undefined
      ? '--testLocationInResults'
      : `--testRunner=${injectedFile('frameworks/jest', 'jestRunner.cjs')}`,
    `--filter=${injectedFile('frameworks/jest', 'jestFilter.cjs')}`,
    ...configOption(project),
    ...options.kept.filter((option) => !selection.debug || !option.startsWith('--testTimeout')),
    ...(selection.debug ? debugOptions : workerOption(resolved, options, workspace)),
    // The user's own configuration may ask for these; each of them would change what a run is or does.
    '--watch=false',
    '--watchAll=false',
    '--onlyChanged=false',
    '--notify=false',
    '--bail=0',
    // Console output is told with the test that printed it.
    '--verbose=false',
    '--detectOpenHandles=false',
    ...patienceOption(project),
    '--passWithNoTests',
    '--watchman=false',
    ...snapshotOptions(selection, options.ci),
    ...cacheOption(selection, resolved),
    ...(pattern === undefined ? [] : [`--testNamePattern=${pattern}`]),
  ];
  const insensitive = native && new RegExp(native.source, 'i');
  return batches(files ?? []).map((batch, index) => ({
    project,
    args: [
      ...args,
      ...coverageOptions(selection),
      ...(batch.length > 0 ? ['--runTestsByPath', ...batch] : []),
    ],
    cwd: root,
    env: {
      ...command?.env,
      ...(runner !== undefined && { TESTMEND_JEST_RUNNER: runner }),
      ...(selection.debug && { TESTMEND_JEST_PATIENCE: 'true' }),
      ...(selection.coverage && { TESTMEND_COVERAGE_FILE: coverageFile(selection.coverage.folder, index) }),
      TESTMEND_JEST_FILTER: filterText(project, files !== undefined),
    },
    files: batch,
    timeoutMs: workspace.limits.timeoutMs,
    exitTells: true,
    ...(insensitive && { accepts: (names) => insensitive.test(names.join(' ')) }),
  }));
}

/** In one process, without a time limit that counts: jest knows no "none". */
const debugOptions = ['--runInBand', `--testTimeout=${2 ** 31 - 1}`];

/**
 * A share of covered code that is too small is no failure of a test: thresholds are left out. Our reporter takes what jest counted:
 * a folder for its own reports would be part of the key under which jest keeps what it compiled.
 */
function coverageOptions({ coverage }: Selection): readonly string[] {
  if (coverage === undefined) return ['--coverage=false'];
  return ['--coverage', '--coverageReporters=none', '--coverageThreshold={}'];
}

/** By itself jest stores new snapshots, but in CI, and never writes over one. */
function snapshotOptions({ updateSnapshots }: Selection, ci: true | undefined): readonly string[] {
  if (updateSnapshots === undefined) return ci ? ['--ci'] : [];
  if (!updateSnapshots) return ['--ci'];
  const formatter = injectedFile('frameworks/jest', 'noPrettier.cjs');
  return ['--ci=false', '--updateSnapshot', `--prettierPath=${formatter}`];
}

/** What jest compiles by itself depends on no other file; a preset or a transform of the user's may look further (ts-jest does). */
function cacheOption({ compiled }: Selection, { projects, own }: ResolvedJest): readonly string[] {
  if (compiled === undefined) return [];
  const looksFurther = [own, ...projects.map(({ settings }) => settings)].some(
    ({ preset, transforms, computed }) => preset !== undefined || transforms || computed.includes('config'),
  );
  return [`--cacheDirectory=${path.join(compiled.folder, looksFurther ? compiled.state : 'jest')}`];
}

/** For the filter: the version, and the folders whose files are run by projects below unless they are asked for by name. */
function filterText({ innerRoots = [], version = '' }: FrameworkProject, byName: boolean): string {
  const folders = byName ? [] : innerRoots.map(realPathOr);
  return JSON.stringify({ folders, major: Number.parseInt(version, 10) });
}

/** A configuration that jest would not find by itself. */
function configOption({ root, configFile }: FrameworkProject): readonly string[] {
  if (configFile === undefined) return [];
  const found = [...configFileNames, 'package.json'].map((name) => path.join(root, name));
  return found.includes(configFile) ? [] : [`--config=${configFile}`];
}

/** Jest says one second after its end that something is still open; our reporter ends it then. Older ones know no other time. */
function patienceOption({ version = '' }: FrameworkProject): readonly string[] {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 29 || (major === 29 && minor >= 7) ? ['--openHandlesTimeout=1000'] : [];
}

/** Tests that must not run beside each other stay so; else as many workers as jest would take, within the limit. */
function workerOption(
  { own }: ResolvedJest,
  { runInBand, maxWorkers }: ReturnType<typeof scriptOptions>,
  { limits }: Workspace,
): readonly string[] {
  if (runInBand) return ['--runInBand'];
  if (maxWorkers !== undefined) return [`--maxWorkers=${maxWorkers}`];
  if (own.maxWorkers) return [];
  return [`--maxWorkers=${Math.min(limits.maxParallel, Math.max(os.availableParallelism() - 1, 1))}`];
}

/**
 * jest-circus/runner of this jest, when it is what runs the tests: ours then runs it and watches it. Undefined for another
 * runner, or when the configuration cannot be read: results are then told file by file.
 */
function watchedRunner(entry: string, { projects, own }: ResolvedJest): string | undefined {
  const all = [own, ...projects.map(({ settings }) => settings)];
  const isCircus = all.every(
    ({ testRunner, computed }) =>
      /^(?:jest-)?circus(?:\/runner)?$/.test(testRunner ?? 'circus') &&
      !computed.includes('testRunner') &&
      !computed.includes('config'),
  );
  if (!isCircus) return undefined;
  try {
    return ['jest-cli', 'jest-config', 'jest-circus/runner'].reduce(
      (from, name) => createRequire(from).resolve(name),
      realPathOr(entry),
    );
  } catch {
    return undefined;
  }
}

/**
 * Are test files loaded as ES modules? As the script that starts jest says; where none does, a package of type "module" that
 * nothing compiles, and whoever lists extensions to treat as ES modules.
 */
function needsModules(
  { root }: FrameworkProject,
  { projects }: ResolvedJest,
  packageJson: ReturnType<typeof readPackageJson>['packageJson'],
): boolean {
  if (scriptOptions(packageJson).modules) return true;
  if (projects.some(({ settings }) => (settings.extensionsToTreatAsEsm ?? []).length > 0)) return true;
  if (startsJest(packageJson) || packageJson?.type !== 'module') return false;
  return !['babel.config.js', 'babel.config.cjs', 'babel.config.json', '.babelrc', '.babelrc.json'].some(
    (name) => canRead(path.join(root, name)),
  );
}

function canRead(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}
