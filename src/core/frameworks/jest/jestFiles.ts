// Lists the test files of a jest project with the patterns that jest itself would use.
import { lstatSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { isInside, toPosix } from '../../base/paths.ts';
import type { FrameworkProject } from '../../model/frameworkProject.ts';
import type { ListContext, ListedFile } from '../framework.ts';
import { projectFolders } from '../projectFolders.ts';
import { resolveJest, type JestProject } from './jestProjects.ts';

const defaultMatch = ['**/__tests__/**/*.[jt]s?(x)', '**/?(*.)+(spec|test).[jt]s?(x)'];
/** Since version 30 also `.mts`, `.cts` and their kin. */
const newerMatch = ['**/__tests__/**/*.?([mc])[jt]s?(x)', '**/?(*.)+(spec|test).?([mc])[jt]s?(x)'];
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
  const { testRegex = [], roots = ['<rootDir>'] } = settings;
  const extensions = settings.moduleFileExtensions ?? (isNewer ? newerExtensions : defaultExtensions);
  const matched =
    settings.testMatch ?? (testRegex.length > 0 ? undefined : isNewer ? newerMatch : defaultMatch);
  const isTest =
    matched === undefined
      ? anyOf(testRegex)
      : globsMatcher(matched.map((glob) => replacedRoot(glob, rootDir, globText)));
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

/** `<rootDir>` at its beginning, and only there; dots and doubled slashes after it are resolved. */
function replacedRoot(text: string, rootDir: string, escape: (folder: string) => string): string {
  const match = /^(!?)<rootDir>(.*)$/s.exec(text);
  if (!match) return text;
  // Jest takes `!<rootDir>` as it is written: nothing is called so.
  if (match[1] === '!') return text;
  return path.posix.normalize(`${escape(toPosix(rootDir))}/${match[2] ?? ''}`).replace(/(?<=.)\/$/, '');
}

function globText(folder: string): string {
  return folder.replaceAll(/[()*{}[\]!?\\]/g, '\\$&');
}

/** Patterns of one list are one alternative; what is no regular expression matches nothing, and jest will say so. */
function anyOf(patterns: readonly string[]): (file: string) => boolean {
  const expressions = patterns.flatMap((pattern) => {
    try {
      return [new RegExp(pattern)];
    } catch {
      return [];
    }
  });
  return (file) => expressions.some((expression) => expression.test(file));
}

/** As jest reads a list of globs: the last word on a file is that of a negated one that leaves it out, or of one that takes it. */
function globsMatcher(globs: readonly string[]): (file: string) => boolean {
  const matchers = globs.map((glob) => {
    const negated = glob.startsWith('!') && !glob.startsWith('!(');
    return { negated, matches: picomatch(glob, { dot: true }) };
  });
  const allNegated = matchers.every(({ negated }) => negated);
  return (file) => {
    let kept: boolean | undefined;
    for (const { negated, matches } of matchers) {
      const matched = matches(file);
      if (negated && !matched) kept = false;
      else if (!negated && matched) kept = true;
    }
    return allNegated ? kept !== false : kept === true;
  };
}

/** Jest does not follow links. */
function isPlainFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
