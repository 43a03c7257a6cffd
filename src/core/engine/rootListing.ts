// What one workspace folder has of projects and test files, listed when first asked and found again by id.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { toRelativePosix } from '../base/paths.ts';
import {
  discoverFile,
  listTestFiles,
  type ListedTestFile,
  type TestListing,
} from '../frameworks/discover.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import type { FrameworkProject, Selection } from '../model/frameworkProject.ts';
import type { Workspace } from '../model/settings.ts';
import { fileTestId } from '../model/testId.ts';
import type { FrameworkId, TestFile } from '../model/testNode.ts';
import type { ListedProject, Target } from './rootSchemas.ts';

export class RootListing {
  readonly #workspace: () => Workspace;
  #listing: Promise<TestListing> | undefined;
  #known: TestListing | undefined;
  #byId = new Map<string, ListedTestFile>();

  /** `workspace` is asked before each listing, since settings change. */
  constructor(workspace: () => Workspace) {
    this.#workspace = workspace;
  }

  /** The next question lists anew. */
  outdate(): void {
    this.#listing = undefined;
  }

  /** The listing as last made; made now when there is none. */
  async current(signal?: AbortSignal): Promise<TestListing> {
    if (this.#listing !== undefined) return this.#listing;
    const listing = listTestFiles(this.#workspace(), signal).then((found) => withKnown(found, this.#known));
    this.#listing = listing;
    try {
      const found = await listing;
      this.#known = found;
      this.#byId = new Map(found.files.map((file) => [listedId(file), file]));
      return found;
    } catch (error) {
      if (this.#listing === listing) this.#listing = undefined;
      throw error;
    }
  }

  /** Lists the test files anew, as the editor is told of them. */
  async listAnew(signal: AbortSignal): Promise<{ projects: ListedProject[]; notes: string[] }> {
    this.outdate();
    const listing = await this.current(signal);
    return { projects: describe(listing), notes: [...listing.notes, ...problemsOf(listing)] };
  }

  /** Tests of listed files; `textOf` gives the unsaved text of an absolute file. Files that are gone are left out. */
  async discover(
    ids: readonly string[],
    textOf: (file: string) => string | undefined,
    signal: AbortSignal,
  ): Promise<TestFile[]> {
    await this.current(signal);
    const found: TestFile[] = [];
    for (const id of ids) {
      const listed = this.#byId.get(id);
      if (listed === undefined || !existsSync(listed.absolute)) continue;
      found.push(await discoverFile(listed, textOf(listed.absolute)));
    }
    return found;
  }

  /** The tests of a file that a run needs; throws when it was never listed. */
  discoverForRun(file: string, framework: FrameworkId, project: string | undefined): Promise<TestFile> {
    const id = fileTestId(framework, project, toRelativePosix(this.#workspace().root, file));
    const listed = this.#byId.get(id);
    if (listed === undefined) throw new Error(`${file} is not a listed test file`);
    return discoverFile(listed);
  }

  /** Absolute files that the frameworks list. */
  async testFiles(signal?: AbortSignal): Promise<readonly string[]> {
    const { files } = await this.current(signal);
    return [...new Set(files.map(({ absolute }) => absolute))];
  }

  /** Projects that can run. */
  async projects(signal?: AbortSignal): Promise<readonly FrameworkProject[]> {
    const { projects } = await this.current(signal);
    return projects.filter((project) => project.problem === undefined);
  }

  /**
   * The projects of the targets, all without targets, and what is wrong with those that cannot run. Throws `broken-project`
   * when that is so for each of them.
   */
  async runnable(
    targets: readonly Target[] | undefined,
    signal: AbortSignal,
  ): Promise<{ projects: readonly FrameworkProject[]; notes: readonly string[] }> {
    const listing = await this.current(signal);
    const wanted = targets && new Set(targets.map(({ fileId }) => this.#byId.get(fileId)?.frameworkProject));
    const chosen = listing.projects.filter((project) => wanted?.has(project) !== false);
    const projects = chosen.filter((project) => project.problem === undefined);
    const problems = chosen.flatMap(({ problem }) => problem ?? []);
    const [first] = problems;
    if (projects.length === 0 && first !== undefined) throw problemError(first);
    return { projects, notes: problems.map(({ message, remedy }) => `${message} ${remedy}`) };
  }

  /** What the core is asked to run for the targets of the editor. */
  selectionOf(targets: readonly Target[] | undefined): Selection {
    if (targets === undefined) return {};
    const files = new Set<string>();
    const tests: { file: string; names: readonly string[] }[] = [];
    for (const { fileId, names } of targets) {
      const listed = this.#byId.get(fileId);
      if (listed === undefined) continue;
      if (names === undefined) files.add(listed.absolute);
      else tests.push({ file: listed.absolute, names });
    }
    return {
      // A folder of the tree comes as its files.
      ...(targets.length > 1 && { byRule: true }),
      files: [...files],
      ...(tests.length === 0 ? {} : { tests: tests.filter(({ file }) => !files.has(file)) }),
    };
  }
}

/** The id under which a listed file is known to the editor. */
export function listedId({ framework, project, file }: ListedTestFile): string {
  return fileTestId(framework, project, file);
}

/** A package.json that cannot be read for now, half saved for instance, keeps the projects that were known there. */
function withKnown(listing: TestListing, known: TestListing | undefined): TestListing {
  if (known === undefined) return listing;
  const projects: FrameworkProject[] = [];
  const files: ListedTestFile[] = [];
  for (const { file, message, remedy } of listing.problems) {
    if (file === undefined || path.basename(file) !== 'package.json') continue;
    for (const before of known.projects) {
      if (before.root !== path.dirname(file) || listing.projects.some(({ root }) => root === before.root))
        continue;
      const project = { ...before, problem: { file, message, remedy } };
      projects.push(project);
      for (const listed of known.files) {
        if (listed.frameworkProject === before && existsSync(listed.absolute))
          files.push({ ...listed, frameworkProject: project });
      }
    }
  }
  return projects.length === 0
    ? listing
    : { ...listing, projects: [...listing.projects, ...projects], files: [...listing.files, ...files] };
}

function describe(listing: TestListing): ListedProject[] {
  const filesOf = new Map<FrameworkProject, ListedTestFile[]>(
    listing.projects.map((project) => [project, []]),
  );
  for (const file of listing.files) filesOf.get(file.frameworkProject)?.push(file);
  return listing.projects.map((project) => ({
    root: listing.root,
    framework: project.framework,
    label: frameworkOf(project).label,
    folder: toRelativePosix(listing.root, project.root),
    version: project.version,
    problem: project.problem,
    files: (filesOf.get(project) ?? []).map((file) => ({
      id: listedId(file),
      file: file.file,
      project: file.project,
    })),
  }));
}

function problemsOf({ problems }: TestListing): string[] {
  return problems.map(({ message, remedy }) => `${message} ${remedy}`);
}

function problemError(problem: NonNullable<FrameworkProject['problem']>): HumanError {
  const { message, file, remedy } = problem;
  return new HumanError('broken-project', message, {
    remedy,
    ...(file === undefined ? {} : { file: path.resolve(file) }),
  });
}
