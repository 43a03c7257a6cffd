// The calls of a deleted function in one file.
import ts from 'typescript';
import { visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { targetOf } from '../calls/callTarget.ts';
import type { Shortcut } from './removedShortcuts.ts';

export function callsOf(tree: SourceTree, shortcut: Shortcut): readonly ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  visitNodes(tree.ast, (node) => {
    if (ts.isCallExpression(node) && targetOf(node.expression, tree, [shortcut]) !== undefined)
      calls.push(node);
  });
  return calls;
}
