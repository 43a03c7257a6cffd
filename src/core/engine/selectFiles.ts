// Test files as the user typed them, turned into the files to run.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { isInside, realPathOr, realPlaceOf, toRelativePosix } from '../base/paths.ts';

/**
 * Absolute test files for names relative to the current folder or the root, or absolute; a folder stands for the test files in
 * it. Throws a `usage` HumanError for what does not exist, lies outside the root, or is no test file.
 */
export async function selectFiles(
  typed: readonly string[],
  root: string,
  testFiles: readonly string[],
): Promise<readonly string[]> {
  const known = new Set(testFiles);
  const selected = new Set<string>();
  for (const name of typed) {
    const { file, isFolder } = await locate(name, root);
    const found = isFolder
      ? testFiles.filter((test) => isInside(file, test))
      : // A link is known by its own name, or it is a second name of a test file.
        [file, realPathOr(file)].filter((one) => known.has(one)).slice(0, 1);
    if (found.length === 0) {
      throw new HumanError(
        'usage',
        isFolder ? `There is no test file in ${name}.` : `${name} is not a test file.`,
        {
          file: toRelativePosix(root, file),
          value: name,
          remedy: 'testmend discover lists the test files.',
        },
      );
    }
    for (const test of found) selected.add(test);
  }
  return [...selected];
}

async function locate(
  name: string,
  root: string,
): Promise<{ readonly file: string; readonly isFolder: boolean }> {
  for (const candidate of new Set([path.resolve(name), path.resolve(root, name)])) {
    const stats = await stat(candidate).catch(() => undefined);
    if (!stats) continue;
    const file = stats.isDirectory() ? realPathOr(candidate) : realPlaceOf(candidate);
    if (isInside(root, file)) return { file, isFolder: stats.isDirectory() };
    throw new HumanError('usage', `${name} is outside the workspace.`, {
      file,
      value: name,
      remedy: 'Name a file inside the workspace, or the right workspace.',
      choice: 'root',
    });
  }
  throw new HumanError('usage', `There is no file ${name}.`, {
    value: name,
    remedy: 'testmend discover lists the test files.',
  });
}
