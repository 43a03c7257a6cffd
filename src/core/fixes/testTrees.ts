// The files of tests that a failure came through, parsed.
import type { TestResult } from '../model/testResult.ts';
import { parseTree, type SourceTree } from '../syntax/javascript/sourceTree.ts';
import type { FixContext } from './fixProvider.ts';

/** The test's file, and helpers of the tests that the failure came through. */
export async function testTreesOf(
  { file, failure }: TestResult,
  context: FixContext,
): Promise<readonly SourceTree[]> {
  const places = [failure?.location, ...(failure?.stack ?? [])].flatMap((place) => place?.file ?? []);
  const trees: SourceTree[] = [];
  for (const name of new Set([file, ...places])) {
    if (!context.isTestFile(name) || !/\.[cm]?[jt]sx?$/.test(name)) continue;
    const text = await context.readText(name);
    if (text !== undefined) trees.push(parseTree(name, text));
  }
  return trees;
}
