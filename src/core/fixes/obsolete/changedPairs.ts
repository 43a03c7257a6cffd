// The changed sources that reach a test, each as it was and as it is, with its named functions.
import ts from 'typescript';
import { parseTree, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import {
  createChangedReader,
  type ChangedPair as Pair,
  type ChangedSources as Sources,
} from '../changedSources.ts';
import type { FixContext } from '../fixProvider.ts';

export type ChangedPair = Pair<SourceTree>;
export type ChangedSources = Sources<SourceTree>;

/** Of JavaScript and TypeScript. */
export function createPairReader(context: FixContext): (testFile: string) => Promise<ChangedSources> {
  return createChangedReader(context, {
    isSource: (file) => /\.[cm]?[jt]sx?$/.test(file),
    parse: parseTree,
  });
}

export interface NamedFunction {
  readonly node: ts.Node;
  readonly body: ts.Node;
}

/** Functions and methods with a body by the name that callers use; the last one where a name is met again. */
export function namedFunctions({ ast }: SourceTree): ReadonlyMap<string, NamedFunction> {
  const found = new Map<string, NamedFunction>();
  visitNodes(ast, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const name = functionName(node);
    if (name !== undefined) found.set(name, { node, body: node.body });
  });
  return found;
}

/** The name of the innermost named function around a node. */
export function functionAround(node: ts.Node): string | undefined {
  for (let up: ts.Node | undefined = node.parent; up !== undefined; up = up.parent) {
    const name = ts.isFunctionLike(up) ? functionName(up) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

/** Its own name, or that of the variable, member or key that it is given to. */
function functionName(node: ts.SignatureDeclaration): string | undefined {
  if (node.name !== undefined && ts.isIdentifier(node.name)) {
    if (!ts.isFunctionExpression(node)) return node.name.text;
  }
  if (ts.isConstructorDeclaration(node)) return node.parent.name?.text;
  let outer: ts.Node = node;
  while (unwrap(outer.parent) !== outer.parent) outer = outer.parent;
  const { parent } = outer;
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) return parent.name.text;
  if (ts.isPropertyAssignment(parent) && ts.isIdentifier(parent.name)) return parent.name.text;
  if (ts.isBinaryExpression(parent) && ts.isPropertyAccessExpression(parent.left))
    return parent.left.name.text;
  return node.name !== undefined && ts.isIdentifier(node.name) ? node.name.text : undefined;
}
