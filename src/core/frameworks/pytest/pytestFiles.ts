// Which files of a folder pytest would collect, from their paths alone.
import path from 'node:path';
import { globPattern } from '../../syntax/python/findTests.ts';
import { filesBelow, walkTree, type FileTree } from '../../workspace/walk.ts';
import { textOfFile } from '../configFiles.ts';
import type { FrameworkProject } from '../framework.ts';
import { optionValues, type PytestConfig } from './pytestConfig.ts';

/** Absolute, in the order of their paths. `innerRoots`: folders that belong to other projects. */
export function pythonTestFiles(
  tree: FileTree,
  folder: string,
  config: PytestConfig,
  innerRoots: readonly string[] = [],
): readonly string[] {
  const files = (filesBelow(tree, folder) ?? []).filter((file) => file.endsWith('.py'));
  const isTest = matcher(config.fileNames);
  const isSkipped = matcher(config.skippedFolders);
  const starts = startsOf(files, config);
  const inner = innerRoots.map((root) => path.relative(folder, root).split(path.sep).join('/') + '/');
  const ignored = ignoredPaths(folder, files, config);
  return files
    .filter((file) => {
      if (!isTest(file) || inner.some((prefix) => file.startsWith(prefix))) return false;
      const start = starts.find((one) => one === '' || file === one || file.startsWith(one + '/'));
      if (start === undefined || ignored(file)) return false;
      if (file === start) return true;
      const parts = file.split('/');
      // Folders below the one that pytest starts in: what a test path names itself is entered in any case.
      for (let count = start === '' ? 1 : start.split('/').length + 1; count < parts.length; count++)
        if (isSkipped(parts.slice(0, count).join('/'))) return false;
      return true;
    })
    .map((file) => path.join(folder, file));
}

/** The same for a project, with a walk of its own when there is none to share. */
export async function listPythonTests(
  { root, innerRoots }: Pick<FrameworkProject, 'root' | 'innerRoots'>,
  config: PytestConfig,
  tree?: FileTree,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const usable = tree && filesBelow(tree, root) !== undefined ? tree : await walkTree(root, signal);
  return pythonTestFiles(usable, root, config, innerRoots);
}

/** pytest compares a pattern without a slash with the name, another with the end of the path. */
function matcher(patterns: readonly string[]): (file: string) => boolean {
  const compiled = patterns.map((pattern) => ({
    whole: pattern.includes('/'),
    regex: globPattern(pattern.includes('/') && !pattern.startsWith('/') ? `*/${pattern}` : pattern),
  }));
  return (file) => {
    const name = file.slice(file.lastIndexOf('/') + 1);
    return compiled.some(({ whole, regex }) => regex.test(whole ? `/${file}` : name));
  };
}

/** Where pytest starts to look: `testpaths` as far as they are there, else the folder itself. */
function startsOf(files: readonly string[], { testPaths }: PytestConfig): readonly string[] {
  const patterns = testPaths.map((one) => one.replace(/^\.\/|\/+$/g, '').replace(/^\.$/, ''));
  if (patterns.length === 0 || patterns.includes('')) return [''];
  const found = new Set<string>();
  for (const pattern of patterns) {
    if (!/[*?[]/.test(pattern)) {
      if (files.some((file) => file === pattern || file.startsWith(pattern + '/'))) found.add(pattern);
      continue;
    }
    // A star of testpaths stays within one part of the path.
    const parts = pattern.split('/').map(globPattern);
    for (const file of files) {
      const own = file.split('/').slice(0, parts.length);
      if (own.length === parts.length && own.every((part, index) => parts[index]?.test(part)))
        found.add(own.join('/'));
    }
  }
  return found.size > 0 ? [...found] : [''];
}

/** `--ignore`, `--ignore-glob`, and the `collect_ignore` lists that stand in conftest.py as plain texts. */
function ignoredPaths(
  folder: string,
  files: readonly string[],
  { options }: PytestConfig,
): (file: string) => boolean {
  const paths = [...optionValues(options, '--ignore')];
  const globs = optionValues(options, '--ignore-glob').map((glob) => path.posix.join('/', glob));
  for (const file of files) {
    if (!file.endsWith('conftest.py') || path.posix.basename(file) !== 'conftest.py') continue;
    const text = textOfFile(path.join(folder, file)) ?? '';
    const inFolder = (name: string): string => path.posix.join(path.posix.dirname(file), name);
    paths.push(...listIn(text, 'collect_ignore').map(inFolder));
    globs.push(...listIn(text, 'collect_ignore_glob').map((glob) => '/' + inFolder(glob)));
  }
  const exact = paths.map((one) => path.posix.normalize(one).replace(/\/+$/, ''));
  const patterns = globs.map(globPattern);
  if (exact.length + patterns.length === 0) return () => false;
  return (file) => {
    if (exact.some((one) => file === one || file.startsWith(one + '/'))) return true;
    const parts = file.split('/');
    return parts.some((_part, index) =>
      patterns.some((glob) => glob.test('/' + parts.slice(0, index + 1).join('/'))),
    );
  };
}

function listIn(text: string, name: string): readonly string[] {
  const list = new RegExp(`^${name}\\s*(?::[^=\\n]*)?=\\s*\\[([^\\]]*)\\]`, 'm').exec(text)?.[1];
  return list === undefined ? [] : [...list.matchAll(/(['"])([^'"\n]+)\1/g)].map((found) => found[2] ?? '');
}
