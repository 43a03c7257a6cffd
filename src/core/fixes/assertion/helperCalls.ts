// Finds the call that handed its arguments to a test helper: by the stack of the failure, else the only call in the file.
import ts from 'typescript';
import { offsetOf, startOf, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { StackPlace } from './stackPlaces.ts';
import type { TraceWorld } from './traceLiteral.ts';

/** `depth` is the index of the frame with the assertion: helpers are called from the frames after it. */
export function helperCalls(
  places: readonly StackPlace[],
  depth: number,
  readTree: (file: string) => Promise<SourceTree | undefined>,
): TraceWorld['callOf'] {
  return async (name, helper) => {
    if (name === undefined) return undefined;
    for (const place of places.slice(depth + 1)) {
      const tree = await readTree(place.file);
      const offset = tree === undefined ? undefined : offsetOf(tree, place);
      if (tree === undefined || offset === undefined) continue;
      const calls = callsOf(tree, name);
      const exact = calls.filter((call) => startsAt(tree, call, offset));
      const onLine = calls.filter((call) => {
        const line = tree.ast.getLineAndCharacterOfPosition(startOf(tree, call)).line + 1;
        return line === place.line;
      });
      const [call] = exact.length > 0 ? exact : onLine;
      if (call !== undefined && (exact.length === 1 || onLine.length === 1)) return { call, tree };
    }
    const source = helper.getSourceFile();
    const tree: SourceTree = { file: source.fileName, text: source.text, ast: source };
    const calls = callsOf(tree, name);
    const [only] = calls;
    return calls.length === 1 && only !== undefined ? { call: only, tree } : undefined;
  };
}

function callsOf(tree: SourceTree, name: string): ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isCallExpression(node)) return;
    const callee = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
    if (ts.isIdentifier(callee) && callee.text === name) calls.push(node);
  });
  return calls;
}

function startsAt(tree: SourceTree, call: ts.CallExpression, offset: number): boolean {
  return (
    startOf(tree, call) === offset ||
    (ts.isPropertyAccessExpression(call.expression) && startOf(tree, call.expression.name) === offset)
  );
}
