// What of a selection concerns which project, and which of the reported tests were asked for.
import path from 'node:path';
import { isInside } from '../base/paths.ts';
import { hasPlaceholder, matchesFilter } from '../frameworks/filter.ts';
import type { FrameworkProject, Launch, Selection, TestFramework } from '../frameworks/framework.ts';
import type { FrameworkId, TestFile, TestNode } from '../model/testNode.ts';
import type { IdentifiedTest } from './identifyTests.ts';

export type WantedTest = NonNullable<Selection['tests']>[number];

type Frameworks = (id: FrameworkId) => TestFramework;

/**
 * The part of the selection for each project that has one; a file goes to the projects that list it. Projects that are left aside
 * are there only when one of their files is asked for.
 */
export async function divideSelection(
  selection: Selection,
  projects: readonly FrameworkProject[],
  frameworks: Frameworks,
): Promise<readonly (readonly [FrameworkProject, Selection])[]> {
  const { files, tests } = selection;
  if ((files === undefined && tests === undefined) || projects.length === 1) {
    const runnable = projects.filter(({ aside }) => aside !== true);
    return (runnable.length > 0 ? runnable : projects).map((project) => [project, selection]);
  }
  const lists = new Map<FrameworkProject, Promise<ReadonlySet<string>>>();
  const listOf = (project: FrameworkProject): Promise<ReadonlySet<string>> => {
    const known = lists.get(project);
    if (known) return known;
    const list = frameworks(project.framework)
      .listTestFiles(project)
      .then((listed) => new Set(listed.map(({ file }) => file)));
    lists.set(project, list);
    return list;
  };
  const owners = new Map<string, readonly FrameworkProject[]>();
  for (const file of new Set([...(files ?? []), ...(tests ?? []).map((test) => test.file)])) {
    owners.set(file, await ownersOf(file, projects, listOf));
  }
  return projects.flatMap((project) => {
    const isOwn = (file: string): boolean => owners.get(file)?.includes(project) ?? false;
    const ownFiles = (files ?? []).filter(isOwn);
    const ownTests = (tests ?? []).filter(({ file }) => isOwn(file));
    if (ownFiles.length + ownTests.length === 0) return [];
    const { files: _files, tests: _tests, ...rest } = selection;
    const part: Selection = {
      ...rest,
      ...(ownFiles.length > 0 && { files: ownFiles }),
      ...(ownTests.length > 0 && { tests: ownTests }),
    };
    return [[project, part]];
  });
}

/** So many characters of names go into one command line: Linux takes 128 KiB in an argument, Windows 32 KiB in all. */
const namesPerStart = process.platform === 'win32' ? 8_000 : 50_000;

/** Thousands of tests that are chosen one by one fit into no command line: parts that do, those of a file together where they fit. */
export function startableParts(selection: Selection): readonly Selection[] {
  const { tests, ...rest } = selection;
  // Beside whole files no names are given to the framework.
  if (tests === undefined || (selection.files ?? []).length > 0) return [selection];
  const byFile = new Map<string, WantedTest[]>();
  for (const test of tests) {
    const known = byFile.get(test.file);
    if (known) known.push(test);
    else byFile.set(test.file, [test]);
  }
  const parts: WantedTest[][] = [[]];
  let length = 0;
  for (const ofFile of byFile.values()) {
    const lengths = ofFile.map(({ names }) => names.join(' ').length + 10);
    const whole = lengths.reduce((sum, one) => sum + one, 0);
    if (length > 0 && length + whole > namesPerStart && whole <= namesPerStart) {
      parts.push([]);
      length = 0;
    }
    for (const [index, test] of ofFile.entries()) {
      const own = lengths[index] ?? 0;
      if (length > 0 && length + own > namesPerStart) {
        parts.push([]);
        length = 0;
      }
      parts.at(-1)?.push(test);
      length += own;
    }
  }
  return parts.length === 1 ? [selection] : parts.map((part) => ({ ...rest, tests: part }));
}

/** Those that list the file; when none does, the nearest one, which will say that it does not know the file. */
async function ownersOf(
  file: string,
  projects: readonly FrameworkProject[],
  listOf: (project: FrameworkProject) => Promise<ReadonlySet<string>>,
): Promise<readonly FrameworkProject[]> {
  const around = projects
    .filter(({ root }) => isInside(root, file))
    .sort((a, b) => b.root.length - a.root.length);
  if (around.length === 1) return around;
  const listing: FrameworkProject[] = [];
  for (const project of around) if ((await listOf(project)).has(file)) listing.push(project);
  return listing.length > 0 ? listing : (around.length > 0 ? around : projects).slice(0, 1);
}

/**
 * Names that only a run knows cannot be asked for: a test with a computed title is reached through the suites around it. The
 * results are narrowed afterwards.
 */
export async function reachableSelection(
  selection: Selection,
  discover: (file: string) => Promise<TestFile>,
): Promise<Selection> {
  if (selection.tests === undefined) return selection;
  const files = new Map<string, Promise<TestFile | undefined>>();
  const tests = await Promise.all(
    selection.tests.map(async ({ file, names }) => {
      const finding = files.get(file) ?? discover(file).catch(() => undefined);
      files.set(file, finding);
      const found = await finding;
      const computed = found ? firstComputed(found.tests, names) : -1;
      return { file, names: computed < 0 ? names : names.slice(0, computed) };
    }),
  );
  return { ...selection, tests };
}

/** Index of the first name that belongs to a template without a recognisable title; -1 when there is none. */
function firstComputed(nodes: readonly TestNode[], names: readonly string[], depth = 0): number {
  const name = names[depth];
  if (name === undefined) return -1;
  const found = byTitle(nodes).get(name) ?? [];
  if (found.some((node) => node.kind === 'template' && !hasPlaceholder(node.title))) return depth;
  return Math.max(-1, ...found.map((node) => firstComputed(node.children, names, depth + 1)));
}

const titlesOf = new WeakMap<readonly TestNode[], ReadonlyMap<string, readonly TestNode[]>>();

/** The siblings by their titles, sorted once for all the names that are looked up. */
function byTitle(nodes: readonly TestNode[]): ReadonlyMap<string, readonly TestNode[]> {
  const known = titlesOf.get(nodes);
  if (known) return known;
  const result = new Map<string, TestNode[]>();
  for (const node of nodes) {
    const same = result.get(node.title);
    if (same) same.push(node);
    else result.set(node.title, [node]);
  }
  titlesOf.set(nodes, result);
  return result;
}

/**
 * Tells of a reported test whether it was asked for: by the names it has in the run, or by those that discovery gave it. `matched`
 * learns by which of the wanted. One look for each of its names, however many tests are wanted.
 */
export function createSelector(
  selection: Selection,
  launch: Launch,
  matched: Set<WantedTest>,
): (file: string, test: IdentifiedTest) => boolean {
  const { filter, tests } = selection;
  const wholeFiles = new Set((selection.files ?? []).map((file) => path.normalize(file)));
  const wanted = new Map<string, WantedTest[]>();
  for (const one of tests ?? []) {
    const key = keyOf(path.normalize(one.file), one.names);
    const known = wanted.get(key);
    if (known) known.push(one);
    else wanted.set(key, [one]);
  }
  return (file, { ref, staticNames = [] }) => {
    const names = [...ref.suites, ref.title];
    if (filter !== undefined && !matchesFilter(names, filter)) return false;
    if (launch.accepts && !launch.accepts(names)) return false;
    if (tests === undefined) return true;
    let isWanted = wholeFiles.has(file);
    for (const own of [names, staticNames]) {
      for (let length = 0; length <= own.length; length++) {
        for (const one of wanted.get(keyOf(file, own.slice(0, length))) ?? []) {
          matched.add(one);
          isWanted = true;
        }
      }
    }
    return isWanted;
  };
}

const keyOf = (file: string, names: readonly string[]): string => [file, ...names].join('\u0000');
