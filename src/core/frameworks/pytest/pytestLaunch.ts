// The processes that run a selection of a pytest project: the Python of the project with our plugin.
import path from 'node:path';
import { HumanError } from '../../base/humanError.ts';
import type { Workspace } from '../../model/settings.ts';
import { injectedFile } from '../../process/injectedFile.ts';
import { runProcess } from '../../process/runProcess.ts';
import { checkFilter } from '../filter.ts';
import type { FrameworkProject, Launch, Selection } from '../framework.ts';
import { batches, browserOptions } from '../launchParts.ts';
import { checkKeywordFilter } from './keywordFilter.ts';
import { coverageEnv, coverageOptions } from './pytestCoverage.ts';
import { pytestProblem, pythonOf } from './pytestProject.ts';
import { hasPackage } from './sitePackages.ts';

/**
 * `python -m pytest -p testmend_pytest …` in the folder of the project; several when one command line cannot hold what is selected.
 * Throws a HumanError: `not-installed` when there is no Python or no pytest for it, `bad-input` for filters that CONTRACTS Q4 refuses,
 * `usage` for a browser without pytest-playwright.
 */
export async function pytestLaunches(
  project: FrameworkProject,
  selection: Selection,
  workspace: Workspace,
): Promise<readonly Launch[]> {
  const { filter, nativeFilter } = selection;
  if (filter !== undefined) checkFilter(filter);
  const keywords = nativeFilter === undefined ? [] : ['-k', checkKeywordFilter(nativeFilter)];
  const program = await checkedPython(project, workspace);
  const targets = targetsOf(selection);
  if (selection.browser !== undefined) refuseWithoutPlugin(program);
  const options = [
    '-m',
    'pytest',
    '-p',
    'testmend_pytest',
    ...keywords,
    ...browserOptions(selection.browser),
  ];
  const env = environmentOf(project, selection);
  const launch = (args: readonly string[], files: readonly string[], part = 0): Launch => ({
    project,
    program,
    debugged: 'python',
    args: [...options, ...coverageOptions(project, selection, part), ...args],
    cwd: project.root,
    env: { ...env, ...coverageEnv(selection, part) },
    // What such a filter leaves of a file, if anything, only pytest knows.
    files: nativeFilter === undefined ? files : [],
    timeoutMs: workspace.limits.timeoutMs,
    exitTells: true,
    // No tests were collected, or a filter left none.
    exitWithoutTests: 5,
  });
  if (targets === undefined) {
    const ignored = (project.innerRoots ?? []).map((root) => `--ignore=${root}`);
    return [launch(ignored, [])];
  }
  return batches(targets).map((batch, part) =>
    launch(batch, [...new Set(batch.map((target) => target.split('::')[0] ?? target))], part),
  );
}

/** Files and node ids, or undefined for everything. A name that would be taken apart stands for all of its cases. */
function targetsOf({ files, tests }: Selection): readonly string[] | undefined {
  if (files === undefined && tests === undefined) return undefined;
  const whole = new Set((files ?? []).map((file) => path.normalize(file)));
  const single = (tests ?? [])
    .map(({ file, names }) => ({ file: path.normalize(file), names }))
    .filter(({ file }) => !whole.has(file))
    .map(({ file, names }) =>
      [file, ...names.map((name) => (name.includes('::') ? name.replace(/\[[\s\S]*$/, '') : name))].join(
        '::',
      ),
    );
  return [...new Set([...whole, ...single])];
}

function environmentOf(
  { copy, entry }: FrameworkProject,
  { filter, nativeFilter }: Selection,
): Readonly<Record<string, string>> {
  const reporters = path.dirname(injectedFile('frameworks/pytest', 'testmend_pytest.py'));
  const own = process.env['PYTHONPATH'] ?? '';
  const importPath = [...(copy?.importPaths ?? []), ...(own === '' ? [] : [own])];
  const order = {
    // What the tests see once our plugin is loaded.
    pythonPath: importPath.join(path.delimiter),
    ...(filter !== undefined && { filter: filter.toLowerCase() }),
    ...(nativeFilter !== undefined && { native: true }),
    ...(copy && { original: copy.original, besides: entry === undefined ? [] : [environmentFolder(entry)] }),
  };
  return {
    PYTHONPATH: [reporters, ...importPath].join(path.delimiter),
    TESTMEND_PYTEST: JSON.stringify(order),
    // Whatever a run in a copy loads: it writes nothing beside it, and an edit is never hidden by what was compiled before.
    ...(copy && { PYTHONDONTWRITEBYTECODE: '1' }),
  };
}

/** With the separator at its end. */
function environmentFolder(entry: string): string {
  return path.dirname(path.dirname(entry)) + path.sep;
}

/** pytest itself has no such options. */
function refuseWithoutPlugin(program: string): void {
  if (hasPackage(pythonOf(program), /^pytest[-_]playwright(?:[-_]asyncio)?-\d/)) return;
  throw new HumanError('usage', `No browser can be chosen: ${program} has no pytest-playwright.`, {
    value: program,
    remedy: 'Install pytest-playwright there, or leave out headed and browser.',
  });
}

/** The program, after a look whether it has pytest: from its folders where they tell, else by asking it. */
async function checkedPython(project: FrameworkProject, workspace: Workspace): Promise<string> {
  const { entry, problem, version, root } = project;
  const notInstalled = ({ message, remedy, file }: NonNullable<typeof problem>): never => {
    throw new HumanError('not-installed', message, { file: file ?? root, remedy });
  };
  if (problem) return notInstalled(problem);
  if (entry === undefined) return notInstalled(pytestProblem(root, workspace.root, undefined));
  if (version !== undefined) return entry;
  let told = '';
  const result = await runProcess({
    command: entry,
    args: ['-c', 'import pytest; print(pytest.__version__)'],
    cwd: root,
    timeoutMs: Math.min(workspace.limits.timeoutMs, 30_000),
    onOutput: (stream, text) => {
      if (stream === 'stdout') told += text;
    },
  });
  const found = result.exitCode === 0 ? /^\s*(\d[\w.]*)\s*$/.exec(told)?.[1] : undefined;
  const python = pythonOf(entry);
  if (found === undefined) return notInstalled(pytestProblem(root, workspace.root, python));
  if (Number.parseInt(found, 10) < 7) return notInstalled(pytestProblem(root, workspace.root, python, found));
  return entry;
}
