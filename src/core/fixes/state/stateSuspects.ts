// The failing tests of vitest and jest that could be spoilt by others of their file, with their text.
import { frameworkOfId, isOfFramework } from '../../model/testId.ts';
import type { TestResult } from '../../model/testResult.ts';
import { parseTree, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { FixContext } from '../fixProvider.ts';
import type { MockLibrary } from './sharedMock.ts';

export interface StateSuspect {
  readonly result: TestResult;
  readonly tree: SourceTree;
  readonly library: MockLibrary;
}

export async function stateSuspects(context: FixContext): Promise<readonly StateSuspect[]> {
  const trees = new Map<string, SourceTree | undefined>();
  const suspects: StateSuspect[] = [];
  for (const { result } of context.failing) {
    const framework = frameworkOfId(result.id);
    if (
      !isOfFramework(result.id, 'vitest', 'jest') ||
      !/\.[cm]?[jt]sx?$/.test(result.file) ||
      !context.isTestFile(result.file)
    )
      continue;
    if (!trees.has(result.file)) {
      const text = await context.readText(result.file);
      trees.set(result.file, text === undefined ? undefined : parseTree(result.file, text));
    }
    const tree = trees.get(result.file);
    if (tree !== undefined) suspects.push({ result, tree, library: framework === 'jest' ? 'jest' : 'vi' });
  }
  return suspects;
}
