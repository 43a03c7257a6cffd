// The processes that run a selection of a vitest project: exact files, test names as one pattern, nothing of the user's options lost.
import path from 'node:path';
import { HumanError, errorMessage } from '../../base/humanError.ts';
import { realPathOr, toPosix, toRelativePosix } from '../../base/paths.ts';
import type { Workspace } from '../../model/settings.ts';
import { injectedFile } from '../../process/injectedFile.ts';
import type { FrameworkProject, Launch, Selection } from '../framework.ts';
import { anyCase, checkFilter, titlePattern } from '../filter.ts';

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
  const pattern = namePattern(selection);
  const native = selection.nativeFilter === undefined ? undefined : checkNativeFilter(selection.nativeFilter);
  if (entry === undefined) {
    throw new HumanError('not-installed', project.problem?.message ?? `Vitest is not installed in ${root}.`, {
      file: project.problem?.file ?? path.join(root, 'package.json'),
      remedy: project.problem?.remedy ?? 'Install it, for example with `npm install`.',
    });
  }
  const files = selectedFiles(selection);
  if (files?.length === 0) return [];
  const options = [
    'run',
    `--reporter=${injectedFile('frameworks/vitest', 'vitestReporter.mjs')}`,
    // The user's own configuration may ask for these; each of them would change what a run is or does.
    '--watch=false',
    '--ui=false',
    '--open=false',
    '--coverage.enabled=false',
    '--bail=0',
    ...(pattern === undefined ? [] : [`--testNamePattern=${pattern}`]),
    ...(files === undefined ? excluding(project) : []),
  ];
  return batches(files ?? []).map((batch) => ({
    project,
    args: [entry, ...options, ...batch],
    cwd: root,
    env: {},
    files: batch,
    timeoutMs: workspace.limits.timeoutMs,
    exitTells: true,
    ...(native === undefined
      ? {}
      : { accepts: (names) => native.test(names.join(' ')) || native.test(names.join(' > ')) }),
  }));
}

/** Absolute files to run, or undefined for all. */
function selectedFiles({ files, tests }: Selection): readonly string[] | undefined {
  if (files === undefined && tests === undefined) return undefined;
  const chosen = [...(files ?? []), ...(tests ?? []).map(({ file }) => file)];
  for (const file of chosen) {
    if (!path.isAbsolute(file)) throw new Error(`the file of a selection must be absolute: ${file}`);
  }
  return [...new Set(chosen.map((file) => path.normalize(file)))];
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

/**
 * One regular expression for vitest's `-t`, which has no flags. It is coarse: what it lets through too much is left out of the
 * results later.
 */
function namePattern({ files, tests, filter, nativeFilter }: Selection): string | undefined {
  const chosen: string[] = [];
  if (nativeFilter !== undefined) chosen.push(`(?:${checkNativeFilter(nativeFilter).source})`);
  if (filter !== undefined) {
    chosen.push(`(?:${checkFilter(filter).split(' ').map(anyCase).join(separator)})`);
  }
  // Whole files beside single tests: all their tests must run, so names cannot narrow the run.
  const named = (files ?? []).length === 0 && tests?.every(({ names }) => names.length > 0);
  if (tests !== undefined && named) {
    const names = new Set(tests.map((test) => test.names.map(titlePattern).join(separator)));
    chosen.push(`^\\s*(?:${[...names].join('|')})(?:$|${separator})`);
  }
  if (chosen.length <= 1) return chosen[0];
  return `^${chosen.map((pattern) => `(?=[\\s\\S]*?${pattern})`).join('')}`;
}

/** Throws a `bad-input` HumanError for what Q4 refuses and for what is no regular expression. */
function checkNativeFilter(filter: string): RegExp {
  try {
    return new RegExp(checkFilter(filter));
  } catch (error) {
    if (error instanceof HumanError) throw error;
    throw new HumanError('bad-input', `The filter is no regular expression: ${errorMessage(error)}`, {
      value: filter,
      remedy: 'Vitest takes a JavaScript regular expression; use the plain filter for a part of a title.',
    });
  }
}

/** Splits files so that each command line stays under what the system takes (Windows: 32,767 characters). */
function batches(files: readonly string[]): readonly (readonly string[])[] {
  const limit = process.platform === 'win32' ? 24_000 : 500_000;
  const result: string[][] = [[]];
  let length = 0;
  for (const file of files) {
    if (length + file.length > limit) {
      result.push([]);
      length = 0;
    }
    result.at(-1)?.push(file);
    length += file.length + 3;
  }
  return result;
}
