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
  const tests = await Promise.all(
    selection.tests.map(async ({ file, names }) => {
      const found = await discover(file).catch(() => undefined);
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
  const found = nodes.filter((node) => node.title === name);
  if (found.some((node) => node.kind === 'template' && !hasPlaceholder(node.title))) return depth;
  return Math.max(-1, ...found.map((node) => firstComputed(node.children, names, depth + 1)));
}

/**
 * Was the reported test asked for? By the names it has in the run, or by those that discovery gave it. `matched` learns by which
 * of the wanted.
 */
export function isSelected(
  selection: Selection,
  launch: Launch,
  file: string,
  test: IdentifiedTest,
  matched: Set<WantedTest>,
): boolean {
  const names = [...test.ref.suites, test.ref.title];
  if (selection.filter !== undefined && !matchesFilter(names, selection.filter)) return false;
  if (launch.accepts && !launch.accepts(names)) return false;
  if (selection.tests === undefined) return true;
  const wanted = selection.tests.filter(
    (one) =>
      path.normalize(one.file) === file &&
      [names, test.staticNames ?? []].some((own) => startsWith(own, one.names)),
  );
  for (const one of wanted) matched.add(one);
  return wanted.length > 0 || (selection.files?.some((one) => path.normalize(one) === file) ?? false);
}

function startsWith(names: readonly string[], prefix: readonly string[]): boolean {
  return prefix.length <= names.length && prefix.every((name, index) => names[index] === name);
}
