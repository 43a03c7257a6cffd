// Lists the test files of a vitest project with the patterns that vitest itself would use.
import path from 'node:path';
import picomatch from 'picomatch';
import { isInside, toPosix } from '../../base/paths.ts';
import type { FrameworkProject } from '../../model/frameworkProject.ts';
import { textOfFile } from '../configFiles.ts';
import type { ListContext, ListedFile } from '../framework.ts';
import { projectFolders } from '../projectFolders.ts';
import { defaultPatterns } from './vitestConfig.ts';
import { majorOf, resolveVitest, type VitestProject } from './vitestProjects.ts';

/** Every test file of the project, once for each of its vitest projects. Throws the cancellation error. */
export async function listVitestFiles(
  project: FrameworkProject,
  context: ListContext,
  signal?: AbortSignal,
): Promise<readonly ListedFile[]> {
  const resolved = await resolveVitest(project, context.tree, signal);
  for (const note of resolved.notes) context.note?.(note);
  const filesOf = projectFolders(context.tree, signal);
  const listed: ListedFile[] = [];
  const isInner = ({ file }: ListedFile): boolean =>
    project.innerRoots?.some((folder) => isInside(folder, file)) ?? false;
  for (const one of resolved.projects) {
    const name = one.name === '' ? {} : { project: one.name };
    const files = await testFilesOf(one, majorOf(project), filesOf);
    for (const file of files) if (!isInner(file)) listed.push({ ...file, ...name });
  }
  return listed;
}

/** What the patterns of the project take; sources of `includeSource` only when they hold tests. */
async function testFilesOf(
  project: VitestProject,
  major: number,
  filesOf: (folder: string) => Promise<readonly string[]>,
): Promise<readonly ListedFile[]> {
  const defaults = defaultPatterns(major);
  const { include = defaults.include, exclude = defaults.exclude, includeSource = [] } = project.settings;
  const wanted = include.filter((glob) => !isNegated(glob));
  const unwanted = [...exclude, ...include.filter(isNegated).map((glob) => glob.slice(1))];
  const isExcluded = matcher(unwanted, project.dir);
  const result = new Map<string, ListedFile>();
  for (const [folder, globs] of byFolder(wanted, project.dir)) {
    const isTest = matcher(globs, folder);
    for (const file of await filesOf(folder)) {
      if (!isTest(file) || isExcluded(file)) continue;
      const absolute = path.join(folder, file);
      result.set(absolute, { file: absolute });
    }
  }
  if (includeSource.length > 0) {
    const mayHoldTests = matcher(includeSource, project.dir);
    for (const file of await filesOf(project.dir)) {
      const absolute = path.join(project.dir, file);
      if (result.has(absolute) || !mayHoldTests(file) || isExcluded(file) || !holdsTests(absolute)) continue;
      result.set(absolute, { file: absolute, inSource: true });
    }
  }
  return [...result.values()];
}

/** Patterns such as `../shared/**` belong to the folder they climb to. */
function byFolder(globs: readonly string[], folder: string): ReadonlyMap<string, readonly string[]> {
  const result = new Map<string, string[]>([[folder, []]]);
  for (const glob of globs) {
    const climb = /^(?:\.\.\/)+/.exec(glob)?.[0] ?? '';
    const home = path.resolve(folder, climb);
    result.set(home, [...(result.get(home) ?? []), glob.slice(climb.length)]);
  }
  return result;
}

const isNegated = (glob: string): boolean => glob.startsWith('!') && !glob.startsWith('!(');

/** Patterns may be absolute or begin with `./`. */
function matcher(globs: readonly string[], folder: string): (file: string) => boolean {
  const prefix = toPosix(folder) + '/';
  const relative = globs.map((glob) =>
    glob.startsWith(prefix) ? glob.slice(prefix.length) : glob.replace(/^(?:\.\/)+/, ''),
  );
  return relative.length > 0 ? picomatch(relative, { dot: true }) : () => false;
}

const holdsTests = (file: string): boolean => textOfFile(file)?.includes('import.meta.vitest') === true;
