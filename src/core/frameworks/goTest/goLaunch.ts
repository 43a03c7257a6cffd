// The processes that run a selection of a Go module: `go test -json`, one for all packages of which the same is wanted.
import path from 'node:path';
import { HumanError } from '../../base/humanError.ts';
import { toRelativePosix } from '../../base/paths.ts';
import type { Workspace } from '../../model/settings.ts';
import { programOnPath } from '../../process/programOnPath.ts';
import { checkFilter } from '../filter.ts';
import type { FrameworkProject, Launch, Selection } from '../framework.ts';
import { goCoverageOptions } from '../goCoverage.ts';
import { checkNativeFilter, selectedFiles } from '../launchParts.ts';
import {
  none,
  packagesOf,
  runPattern,
  untestedPackages,
  type GoFiles,
  type GoPackage,
} from './goPackages.ts';

/** The system takes no longer argument: then everything in the package runs, and the results are narrowed. */
const longestPattern = 100_000;
const mostPackages = 500;

/**
 * Throws a HumanError: `not-installed` when there is no go, `bad-input` for filters that CONTRACTS Q4 refuses. `listed` gives the files
 * of the module.
 */
export async function goLaunches(
  project: FrameworkProject,
  selection: Selection,
  workspace: Workspace,
  listed: () => Promise<GoFiles>,
): Promise<readonly Launch[]> {
  const { filter, nativeFilter } = selection;
  if (filter !== undefined) checkFilter(filter);
  if (nativeFilter !== undefined) checkNativeFilter(nativeFilter, 'go test');
  const program = programOnPath([process.platform === 'win32' ? 'go.exe' : 'go']);
  if (program === undefined) {
    throw new HumanError('not-installed', 'No go executable was found on PATH.', {
      file: path.join(project.root, 'go.mod'),
      remedy: 'Install Go (https://go.dev/dl) and make sure that `go` is on PATH.',
    });
  }
  const all = await listed();
  const chosen = selectedFiles(selection);
  const packages = packagesOf(project, chosen ? besides(chosen, all.tests) : all.tests, chosen);
  const isWhole = chosen === undefined && filter === undefined && nativeFilter === undefined;
  const untested = isWhole && packages.length > 0 && !selection.debug ? untestedPackages(project, all) : [];
  const groups = new Map<string | undefined, GoPackage[]>();
  for (const pack of [...packages, ...untested]) {
    const pattern = nativeFilter ?? runPattern(pack, selection);
    if (pattern === none && pack.leftOut.length === 0) continue;
    const key = pattern !== undefined && pattern.length > longestPattern ? undefined : pattern;
    groups.set(key, [...(groups.get(key) ?? []), pack]);
  }
  const { timeoutMs, maxParallel } = workspace.limits;
  // A debugger builds and starts one package.
  const most = selection.debug ? 1 : mostPackages;
  const parts = [...groups].flatMap(([pattern, group]) =>
    inParts(group, most).map((part) => ({ pattern, part })),
  );
  return parts.map(({ pattern, part }, index) => ({
    project,
    program,
    args: [
      'test',
      '-json',
      '-count=1',
      ...goCoverageOptions(selection, index),
      `-p=${maxParallel}`,
      // Before our own limit, which counts what it takes to build: then it tells where the test was.
      `-timeout=${Math.round(timeoutMs - Math.min(5000, timeoutMs / 3))}ms`,
      ...(pattern === undefined ? [] : [`-run=${pattern}`]),
      ...part.map(({ folder }) => `./${toRelativePosix(project.root, folder)}`),
    ],
    cwd: project.root,
    env: {},
    files: (chosen ?? []).filter((file) => part.some(({ folder }) => path.dirname(file) === folder)),
    timeoutMs,
    ...(selection.debug && debugging(part, pattern)),
    scanned: scannedIn(part),
    interpret: async () => {
      const { interpretGoTest } = await import('./goEvents.ts');
      return interpretGoTest(project.root, part, nativeFilter === undefined && pattern === undefined);
    },
  }));
}

/** What of the arguments the test binary takes itself; no limit, but as below `go test` an exit is no pass. */
function debugging([pack]: readonly GoPackage[], pattern: string | undefined): Pick<Launch, 'debugged'> {
  if (!pack) return {};
  const args = ['-test.paniconexit0', ...(pattern === undefined ? [] : [`-test.run=${pattern}`])];
  return { debugged: { folder: pack.folder, importPath: pack.path, args } };
}

/** With the other test files of their packages: they are built together, and events name the package only. */
function besides(chosen: readonly string[], all: readonly string[]): readonly string[] {
  const folders = new Set(chosen.map((file) => path.dirname(file)));
  return [...new Set([...chosen, ...all.filter((file) => folders.has(path.dirname(file)))])];
}

function scannedIn(packages: readonly GoPackage[]): NonNullable<Launch['scanned']> {
  const files = new Map(packages.flatMap((pack) => pack.files.map((one) => [one.file, one])));
  return (file) => files.get(file)?.tests;
}

function inParts(packages: readonly GoPackage[], most: number): readonly (readonly GoPackage[])[] {
  const parts: GoPackage[][] = [];
  for (let at = 0; at < packages.length; at += most) parts.push(packages.slice(at, at + most));
  return parts;
}
