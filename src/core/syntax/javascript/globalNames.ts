// Whether names that mean the same in every file, like `Object` and `Date`, may mean something else in one.
import ts from 'typescript';
import { takesClass } from './matchers.ts';

/** Constructors and functions that only write a value down. */
export const valueConstructors: ReadonlySet<string> = new Set(
  (
    'Date Map Set RegExp URL Error TypeError RangeError SyntaxError BigInt Symbol Uint8Array ' +
    'Int8Array Uint16Array Int16Array Uint32Array Int32Array Float32Array Float64Array Headers ' +
    'URLSearchParams Promise AggregateError'
  ).split(' '),
);

/**
 * Those of the names that the file does anything with but call, ask for a member, compare with or use as a type: it may declare,
 * import, assign or hand on what they stand for.
 */
export function replacedNames(source: ts.Node, names: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) {
      const isHarmless = ts.isIdentifier(node) ? isPlainUse(node) : !isKey(node);
      if (names.has(node.text) && !isHarmless) found.add(node.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isPlainUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return isRead(parent);
  if (ts.isCallExpression(parent)) return parent.expression === node || isAskedFor(parent);
  if (ts.isNewExpression(parent)) return parent.expression === node;
  if (ts.isBinaryExpression(parent))
    return parent.right === node && parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
  return (
    ts.isTypeReferenceNode(parent) || ts.isTypeQueryNode(parent) || ts.isExpressionWithTypeArguments(parent)
  );
}

/** A member that is called, handed on or asked for another one: nothing is put in its place. */
function isRead(access: ts.PropertyAccessExpression): boolean {
  const { parent } = access;
  if (ts.isPropertyAccessExpression(parent)) return isRead(parent);
  return ts.isCallExpression(parent) || ts.isNewExpression(parent);
}

/** `expect.any(Object)`, `toThrow(TypeError)` */
function isAskedFor({ expression }: ts.CallExpression): boolean {
  return ts.isPropertyAccessExpression(expression) && takesClass(expression.name.text);
}

/** `globalThis['Object']`, `stubGlobal('Object', …)`, `{ 'Object': … }` */
function isKey(node: ts.StringLiteralLike): boolean {
  const { parent } = node;
  if (ts.isCallExpression(parent)) return parent.arguments.length > 1;
  return ts.isElementAccessExpression(parent) || (ts.isPropertyAssignment(parent) && parent.name === node);
}
