// Finds the test of AVA that was declared with a macro: `test('title', macro, …values)` hands its values to it after `t`.
import ts from 'typescript';
import type { TestResult } from '../../model/testResult.ts';
import { lineOf, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';

interface MacroCall {
  readonly call: ts.CallExpression;
  readonly tree: SourceTree;
  /** Which argument is the macro, and so stands for its first parameter. */
  readonly first: number;
}

/** The one call at the line of the test that is given the function of this name; undefined when there is none, or more. */
export async function macroCall(
  name: string | undefined,
  { file, line }: Pick<TestResult, 'file' | 'line'>,
  readTree: (file: string) => Promise<SourceTree | undefined>,
): Promise<MacroCall | undefined> {
  const tree = name === undefined ? undefined : await readTree(file);
  if (tree === undefined) return undefined;
  const found: MacroCall[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isCallExpression(node) || lineOf(tree, node) !== line) return;
    const first = node.arguments.findIndex((argument) => ts.isIdentifier(argument) && argument.text === name);
    if (first >= 0) found.push({ call: node, tree, first });
  });
  return found.length === 1 ? found[0] : undefined;
}

/** The call in `const macro = test.macro(callback)` and `test.macro({ exec: callback })`, for that callback. */
export function macroDeclaration(callback: ts.Node): ts.VariableDeclaration | undefined {
  let node = callback;
  if (ts.isPropertyAssignment(node.parent)) node = node.parent;
  if (ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node)) {
    if (node.name.getText() !== 'exec' || !ts.isObjectLiteralExpression(node.parent)) return undefined;
    node = node.parent;
  }
  const call = node.parent;
  if (!ts.isCallExpression(call) || call.arguments[0] !== node) return undefined;
  const isMacro = ts.isPropertyAccessExpression(call.expression) && call.expression.name.text === 'macro';
  return isMacro && ts.isVariableDeclaration(call.parent) ? call.parent : undefined;
}
