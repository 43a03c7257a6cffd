// Lists the test files of an AVA project by AVA's own rules, without AVA.
import path from 'node:path';
import picomatch from 'picomatch';
import { isInside } from '../../base/paths.ts';
import type { FrameworkProject } from '../../model/frameworkProject.ts';
import { filesBelow, walkTree } from '../../workspace/walk.ts';
import type { ListContext } from '../framework.ts';
import { readAvaSettings, type AvaSettings } from './avaConfig.ts';
import { avaScript } from './avaScript.ts';

/** Never entered, whatever is configured. */
const ignoredFolders = [
  '.git',
  '.log',
  '.nyc_output',
  '.sass-cache',
  '.yarn',
  'bower_components',
  'coverage',
];

/** Absolute. Throws the cancellation error. */
export async function listAvaFiles(
  project: FrameworkProject,
  { tree, note = () => undefined }: ListContext,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const { root, configFile, innerRoots = [] } = project;
  const settings = await readAvaSettings(root, configFile, tree?.root ?? root, note);
  const { patterns } = avaScript(root);
  const files = (tree && filesBelow(tree, root)) ?? (await walkTree(root, signal)).files;
  const isTest = testCheck(settings);
  const isNamed = namedCheck(patterns);
  return files
    .filter((file) => isTest(file) && isNamed(file))
    .map((file) => path.join(root, file))
    .filter((file) => !innerRoots.some((folder) => isInside(folder, file)));
}

function testCheck({ files, extensions, compiledFolders }: AvaSettings): (file: string) => boolean {
  const compiled = compiledFolders ? ['ts', 'cts', 'mts'] : [];
  const endings = [...new Set([...(extensions ?? ['cjs', 'mjs', 'js']), ...compiled])];
  const own = files?.map(normalized) ?? [];
  const patterns = [
    ...(own.every((pattern) => pattern.startsWith('!')) ? defaultPatterns(endings) : []),
    ...own,
    ...(compiledFolders ? ['!**/*.d.ts', ...compiledFolders.map((folder) => `!${normalized(folder)}`)] : []),
  ];
  // A pattern that excludes says so of what the patterns before it include, and of all below a folder.
  const checks = patterns.map((pattern) => {
    const isExcluding = pattern.startsWith('!');
    const isMatch = picomatch(isExcluding ? [pattern.slice(1), `${pattern.slice(1)}/**`] : pattern, {
      nocase: true,
    });
    return { isExcluding, isMatch };
  });
  const hasEnding = new RegExp(`\\.(?:${endings.map((ending) => ending.replaceAll('.', '\\.')).join('|')})$`);
  return (file) => {
    if (!hasEnding.test(file) || path.posix.basename(file).startsWith('_')) return false;
    if (ignoredFolders.some((folder) => file.startsWith(`${folder}/`))) return false;
    let included = false;
    for (const { isExcluding, isMatch } of checks) if (isMatch(file)) included = !isExcluding;
    return included;
  };
}

function defaultPatterns(extensions: readonly string[]): readonly string[] {
  const ending = extensions.length === 1 ? (extensions[0] ?? '') : `{${extensions.join(',')}}`;
  return [
    `test.${ending}`,
    `{src,source}/test.${ending}`,
    `**/__tests__/**/*.${ending}`,
    `**/*.spec.${ending}`,
    `**/*.test.${ending}`,
    `**/test-*.${ending}`,
    `**/test/**/*.${ending}`,
    `**/tests/**/*.${ending}`,
    '!**/__tests__/**/__{helper,fixture}?(s)__/**/*',
    '!**/test?(s)/**/{helper,fixture}?(s)/**/*',
  ];
}

/** The script may name some of the test files: by patterns, or by the folders they are in. */
function namedCheck(patterns: readonly string[]): (file: string) => boolean {
  if (patterns.length === 0) return () => true;
  const checks = patterns.map(normalized).map((pattern) => {
    const isMatch = picomatch(pattern);
    return (file: string) => isMatch(file) || file.startsWith(`${pattern}/`);
  });
  return (file) => checks.some((check) => check(file));
}

function normalized(pattern: string): string {
  return pattern.replace(/^(!?)\.\//, '$1').replace(/\/$/, '');
}
