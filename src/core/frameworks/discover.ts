// Discovers the test files of a workspace and the tests in them, without running any of the user's code.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { errorMessage, throwIfCancelled } from '../base/humanError.ts';
import { isInside, realPathOr, toRelativePosix } from '../base/paths.ts';
import type { FrameworkProject } from '../model/frameworkProject.ts';
import type { Workspace } from '../model/settings.ts';
import { assignIds, fileTestId } from '../model/testId.ts';
import type { FrameworkId, TestFile } from '../model/testNode.ts';
import { mostIgnored, type FileTree, type LeftOutFolder } from '../workspace/walk.ts';
import { detectProjects } from './detect.ts';
import type { ScanOptions, ScanResult } from './framework.ts';
import type { ProjectProblem } from './packageJson.ts';
import { withRanFiles } from './ranFiles.ts';
import { frameworkOf } from './registry.ts';
import { openScanCache, type ScanCache } from './scanCache.ts';

export interface ListedTestFile {
  /** Relative to the workspace root, POSIX separators. */
  readonly file: string;
  readonly absolute: string;
  readonly framework: FrameworkId;
  /** Name of the framework's own project, where it has several. */
  readonly project?: string;
  readonly frameworkProject: FrameworkProject;
  /** A source file with tests inside. */
  readonly inSource?: true;
  /** Known from a run, not from a pattern. */
  readonly ran?: true;
}

export interface TestListing {
  /** Absolute. */
  readonly root: string;
  readonly projects: readonly FrameworkProject[];
  /** Sorted by path; a file of several projects is there once for each. */
  readonly files: readonly ListedTestFile[];
  readonly notes: readonly string[];
  readonly problems: readonly ProjectProblem[];
}

export interface Discovery {
  readonly listing: TestListing;
  /** In the order of the listing. */
  readonly files: readonly TestFile[];
  readonly durationMs: number;
  /** Size and time of the files tell whether the same would be found again: no file was just written, none is read with others. */
  readonly isSettled: boolean;
}

/** Others get their turn after this long, ms. */
const slice = 10;

/**
 * Every test file by its path alone, in time linear in the number of files. Throws a `usage` HumanError for an unknown
 * framework in `workspace.frameworks`, and the cancellation error.
 */
export async function listTestFiles(workspace: Workspace, signal?: AbortSignal): Promise<TestListing> {
  const { root, frameworks, pythonPath } = workspace;
  const chosen = { frameworks, ...(pythonPath === undefined ? {} : { pythonPath }) };
  const detection = await detectProjects(root, chosen, signal);
  const { leftOut } = detection.tree;
  const notes = [...detection.notes, ...leftOut.flatMap(leftOutNote), ...unreadNotes(detection.tree)];
  const found: ListedTestFile[] = [];
  const projects = withRanFiles(workspace, detection.projects);
  for (const project of projects) {
    const context = { tree: detection.tree, note: (text: string) => void notes.push(text) };
    const listed = await frameworkOf(project).listTestFiles(project, signal, context);
    const outside = listed.filter(({ file }) => !isInside(root, file)).length;
    if (outside > 0)
      notes.push(`Left out ${outside} test files outside of the folder ${path.basename(root)}.`);
    for (const { file, ...rest } of listed) {
      if (!isInside(root, file)) continue;
      found.push({
        file: toRelativePosix(root, file),
        absolute: file,
        framework: project.framework,
        frameworkProject: project,
        ...rest,
      });
    }
  }
  return {
    root,
    projects,
    files: withoutSecondNames(found, detection.tree).sort((a, b) => compare(a.file, b.file)),
    notes: [...new Set(notes)],
    problems: detection.problems,
  };
}

function unreadNotes({ root, unreadable }: FileTree): readonly string[] {
  const [first] = unreadable;
  if (first === undefined) return [];
  if (first === '') return [`The folder ${root} no longer exists, or it cannot be read.`];
  const more = unreadable.length > 1 ? ` and ${unreadable.length - 1} more` : '';
  return [`${first}${more} cannot be read: the tests in it are missing.`];
}

/** Said only where somebody may miss tests: most of what git ignores is nobody's. */
function leftOutNote({ folder, hasTests }: LeftOutFolder): readonly string[] {
  if (!hasTests) return [];
  return [`Left out ${folder}: git ignores it, and it has more than ${mostIgnored} entries.`];
}

/** A link to another test file of the same project is the same tests once more: they are found, run and counted once. */
function withoutSecondNames(found: readonly ListedTestFile[], { links }: FileTree): ListedTestFile[] {
  if (links.size === 0) return [...found];
  const keyOf = (project: string | undefined, file: string): string => `${file}\u0000${project ?? ''}`;
  const known = new Map(found.map((one) => [keyOf(one.project, one.absolute), one.frameworkProject]));
  return found.filter(
    ({ file, absolute, project, frameworkProject }) =>
      !links.has(file) || known.get(keyOf(project, realPathOr(absolute))) !== frameworkProject,
  );
}

/** The tests of one file; `text` is its unsaved text, which is parsed in full. Trouble is told as warnings. */
export async function discoverFile(listed: ListedTestFile, text?: string): Promise<TestFile> {
  if (text !== undefined) return toTestFile(listed, await scan(listed, text, { thorough: true }));
  return toTestFile(listed, await scanFile(listed));
}

/**
 * All tests, or those of `files` (relative to the root). What is found is remembered in `workspace.cacheFolder`.
 * Yields to others every few milliseconds. Throws what listTestFiles throws.
 */
export async function discoverTests(
  workspace: Workspace,
  options: { readonly files?: readonly string[] } = {},
  signal?: AbortSignal,
): Promise<Discovery> {
  const started = performance.now();
  const listing = await listTestFiles(workspace, signal);
  return {
    ...(await discoverListed(listing, workspace, options, signal)),
    durationMs: performance.now() - started,
  };
}

/** The same for a listing that was made already. */
export async function discoverListed(
  listing: TestListing,
  workspace: Workspace,
  options: { readonly files?: readonly string[] } = {},
  signal?: AbortSignal,
): Promise<Omit<Discovery, 'durationMs'>> {
  const wanted = options.files && new Set(options.files);
  const cache = openScanCache(workspace.cacheFolder, workspace.root);
  const files: TestFile[] = [];
  let pause = performance.now() + slice;
  for (const listed of listing.files) {
    if (wanted && !wanted.has(listed.file)) continue;
    if (performance.now() > pause) {
      await setImmediate();
      throwIfCancelled(signal);
      pause = performance.now() + slice;
    }
    files.push(toTestFile(listed, await scanFile(listed, cache)));
  }
  // A part of the files would make the cache forget the others.
  if (!wanted) await cache.save();
  const isSettled = cache.size === listing.files.filter((listed) => !frameworkOf(listed).fileTitle).length;
  return { listing, files, isSettled };
}

function toTestFile(listed: ListedTestFile, { tests, warnings }: ScanResult): TestFile {
  const { file, framework, project } = listed;
  const id = fileTestId(framework, project, file);
  const told = [...warnings];
  const nodes = assignIds(id, tests, told);
  return { file, framework, id, tests: nodes, warnings: told, ...(project === undefined ? {} : { project }) };
}

async function scanFile(listed: ListedTestFile, cache?: ScanCache): Promise<ScanResult> {
  const framework = frameworkOf(listed);
  if (framework.fileTitle) return { tests: [], warnings: [] };
  try {
    const key = `${framework.id}:${listed.file}`;
    const stats = cache && statSync(listed.absolute);
    const known = stats && cache.get(key, stats);
    if (known) return known;
    const result = await scan(listed, readFileSync(listed.absolute, 'utf8'));
    if (stats && !result.readsOthers) cache.set(key, stats, result);
    return result;
  } catch (error) {
    return { tests: [], warnings: [`${listed.file} cannot be read: ${errorMessage(error)}`] };
  }
}

function scan(listed: ListedTestFile, text: string, options?: ScanOptions): Promise<ScanResult> {
  return frameworkOf(listed).scan(listed.absolute, text, { ...options, project: listed.frameworkProject });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
