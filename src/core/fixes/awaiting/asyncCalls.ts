// The calls of a test that give a promise since the source changed and that nothing waits for.
import ts from 'typescript';
import type { TestResult } from '../../model/testResult.ts';
import { visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { targetOf } from '../calls/callTarget.ts';
import { testScope } from '../members/testScope.ts';
import type { AsyncFunction } from './becameAsync.ts';
import { isWaitedFor } from './waitedFor.ts';

export interface AsyncCall {
  readonly call: ts.CallExpression;
  readonly target: AsyncFunction;
}

export function asyncCalls(
  tree: SourceTree,
  result: TestResult,
  functions: readonly AsyncFunction[],
): readonly AsyncCall[] {
  const scope = testScope(tree, result);
  const calls: AsyncCall[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isCallExpression(node) || !scope.reaches(node)) return;
    const target = targetOf(node.expression, tree, functions);
    if (target !== undefined && !isWaitedFor(node)) calls.push({ call: node, target });
  });
  return calls;
}
