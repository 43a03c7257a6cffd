// Lists the test files of a jest project with the patterns that jest itself would use.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import { isInside, toPosix } from '../../base/paths.ts';
import type { FrameworkProject } from '../../model/frameworkProject.ts';
import type { ListContext, ListedFile } from '../framework.ts';
import { projectFolders } from '../projectFolders.ts';
import { anyOf, replacedRoot, testNameMatcher } from './jestPatterns.ts';
import { resolveJest, type JestProject } from './jestProjects.ts';

const defaultExtensions = ['js', 'mjs', 'cjs', 'jsx', 'ts', 'tsx', 'json', 'node'];
const newerExtensions = [...defaultExtensions, 'mts', 'cts'];

/** Every test file of the project, once for each of its jest projects. Throws the cancellation error. */
export async function listJestFiles(
  project: FrameworkProject,
  context: ListContext,
  signal?: AbortSignal,
): Promise<readonly ListedFile[]> {
  const resolved = await resolveJest(project, context.tree, signal);
  for (const note of resolved.notes) context.note?.(note);
  const filesOf = projectFolders(context.tree, signal);
  const isInner = (file: string): boolean =>
    project.innerRoots?.some((folder) => isInside(folder, file)) ?? false;
  const isNewer = Number.parseInt(project.version ?? '', 10) >= 30;
  const listed: ListedFile[] = [];
  for (const one of resolved.projects) {
    const name = one.name === '' ? {} : { project: one.name };
    for (const file of await testFilesOf(one, isNewer, filesOf))
      if (!isInner(file)) listed.push({ file, ...name });
  }
  return listed;
}

async function testFilesOf(
  { rootDir, settings }: JestProject,
  isNewer: boolean,
  filesOf: (folder: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const { roots = ['<rootDir>'] } = settings;
  const extensions = settings.moduleFileExtensions ?? (isNewer ? newerExtensions : defaultExtensions);
  const isTest = testNameMatcher(rootDir, settings, isNewer);
  const isLeftOut = anyOf(
    [
      ...(settings.testPathIgnorePatterns ?? ['/node_modules/']),
      ...(settings.modulePathIgnorePatterns ?? []),
    ].map((pattern) => pattern.replaceAll('<rootDir>', toPosix(rootDir))),
  );
  const endings = new Set(['.snap', ...extensions.map((extension) => `.${extension}`)]);
  const found = new Set<string>();
  for (const root of roots) {
    const folder = path.resolve(
      rootDir,
      replacedRoot(root, rootDir, (text) => text),
    );
    for (const file of await filesOf(folder)) {
      if (!endings.has(path.posix.extname(file))) continue;
      const absolute = path.join(folder, file);
      const posix = toPosix(absolute);
      if (isTest(posix) && !isLeftOut(posix) && isPlainFile(absolute)) found.add(absolute);
    }
  }
  return [...found];
}

/** Jest does not follow links. A file that is only in the tree that was given is asked about before it is written. */
function isPlainFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
}
