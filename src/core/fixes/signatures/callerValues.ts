// What callers in the source, migrated in the same change, give for a new parameter: the only place where a new value may come from.
import ts from 'typescript';
import { isLiteral } from '../../syntax/javascript/literalSource.ts';
import { textOf, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { Signature } from './sourceSignatures.ts';

/** A source file as it was and as it is; both absent ends are left out by the caller. */
export interface SourcePair {
  readonly before: SourceTree;
  readonly now: SourceTree;
}

/**
 * The written value that every caller gives at the index, when it is the same one everywhere and the file called the function
 * before, too; undefined otherwise. Only values that mean the same in a test: literals and objects and arrays of them.
 */
export function callerValue(
  signature: Signature,
  index: number,
  sources: readonly SourcePair[],
): string | undefined {
  const texts = new Set<string | undefined>();
  for (const { before, now } of sources) {
    if (callsOf(before, signature).length === 0) continue;
    for (const call of callsOf(now, signature)) {
      const argument = call.arguments?.[index];
      const isOpen = call.arguments?.some((one) => ts.isSpreadElement(one)) === true;
      texts.add(argument !== undefined && !isOpen && isPlain(argument) ? textOf(now, argument) : undefined);
    }
  }
  const [only] = texts;
  return texts.size === 1 ? only : undefined;
}

function callsOf(
  tree: SourceTree,
  { name, owner }: Signature,
): readonly (ts.CallExpression | ts.NewExpression)[] {
  const calls: (ts.CallExpression | ts.NewExpression)[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
    const callee = unwrap(node.expression);
    const isMember = ts.isPropertyAccessExpression(callee) && callee.name.text === name;
    const isName = owner === undefined && ts.isIdentifier(callee) && callee.text === name;
    if (isMember || isName) calls.push(node);
  });
  return calls;
}

function isPlain(expression: ts.Expression): boolean {
  const node = unwrap(expression);
  if (ts.isPrefixUnaryExpression(node)) return ts.isNumericLiteral(node.operand);
  if (ts.isIdentifier(node)) return node.text === 'undefined';
  if (ts.isArrayLiteralExpression(node)) return node.elements.every(isPlain);
  if (ts.isObjectLiteralExpression(node))
    return node.properties.every(
      (one) =>
        ts.isPropertyAssignment(one) && !ts.isComputedPropertyName(one.name) && isPlain(one.initializer),
    );
  return isLiteral(node);
}
