// Which code of a test file runs for one of its tests: its own callback, the hooks and helpers around it, no other test.
import ts from 'typescript';
import type { TestResult } from '../../model/testResult.ts';
import { offsetOf, startOf, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { testCallsAround, type TestCall } from '../assertion/testCalls.ts';

export interface TestScope {
  /** The calls that declare the test and its suites, innermost first; none when the test was not found. */
  readonly calls: readonly TestCall[];
  /** May the node run for this test? */
  reaches(node: ts.Node): boolean;
}

/** The scope in the test's own file; in a file of helpers everything counts. */
export function testScope(
  tree: SourceTree,
  result: Pick<TestResult, 'file' | 'line' | 'failure'>,
): TestScope {
  if (tree.file !== result.file) return { calls: [], reaches: () => true };
  // What does not load has run no test yet.
  if (result.failure?.kind === 'load')
    return { calls: [], reaches: (node) => testCallsAround(node).every(({ kind }) => kind !== 'test') };
  const calls = callsAtLine(tree, result.line) ?? callsAtFailure(tree, result.failure?.location);
  const own = new Set(calls.map(({ call }) => call));
  return {
    calls,
    reaches: (node) => calls.length > 0 && testCallsAround(node).every(({ call }) => own.has(call)),
  };
}

function callsAtLine(tree: SourceTree, line: number): readonly TestCall[] | undefined {
  let found: readonly TestCall[] | undefined;
  visitNodes(tree.ast, (node) => {
    if (found !== undefined || !ts.isCallExpression(node)) return;
    const callback = node.arguments.findLast((argument) => ts.isFunctionLike(argument));
    if (callback === undefined) return;
    const isThere = tree.ast.getLineAndCharacterOfPosition(startOf(tree, node)).line + 1 === line;
    if (!isThere) return;
    const calls = testCallsAround(callback);
    if (calls[0]?.kind === 'test' && calls[0].call === node) found = calls;
  });
  return found;
}

function callsAtFailure(
  tree: SourceTree,
  place: NonNullable<TestResult['failure']>['location'],
): readonly TestCall[] {
  const offset = place?.file === tree.file ? offsetOf(tree, place) : undefined;
  const node = offset === undefined ? undefined : nodeAt(tree, offset);
  const calls = node === undefined ? [] : testCallsAround(node);
  return calls[0]?.kind === 'test' ? calls : [];
}

/** The innermost node that holds the offset. */
function nodeAt(tree: SourceTree, offset: number): ts.Node {
  let found: ts.Node = tree.ast;
  visitNodes(tree.ast, (node) => {
    if (startOf(tree, node) <= offset && offset < node.end) found = node;
  });
  return found;
}

/** The smallest statement around the place. */
export function statementAt(tree: SourceTree, offset: number): ts.Statement | undefined {
  for (let node: ts.Node | undefined = nodeAt(tree, offset); node !== undefined; node = node.parent)
    if (ts.isStatement(node) && !ts.isBlock(node)) return node;
  return undefined;
}
