// Which places that nobody vouches for may be let through by evidence: what a test does more than before.
import ts from 'typescript';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import type { FileFacts } from './fileFacts.ts';
import { isWrittenDown } from './inlining.ts';
import { shapeOf } from './parseSource.ts';

/** May planted bugs decide about this place? `rows`: the tables of the newer version, where one row hides what another lost. */
export function isWeighable(
  old: ts.Node | undefined,
  now: ts.Node,
  is: FileFacts,
  rows: ReadonlySet<ts.Node>,
): boolean {
  for (let at: ts.Node = now; at.parent !== undefined; at = at.parent) if (rows.has(at)) return false;
  if (old === undefined) return isAssertion(now, is);
  const [then, today] = [unwrap(old), unwrap(now)];
  return hasMoreKeys(then, today, is) || hasMoreArguments(then, today, is);
}

/** One more assertion in the body of a test, which writes nothing. */
function isAssertion(node: ts.Node, { tree, assertions }: FileFacts): boolean {
  if (!ts.isExpressionStatement(node) || !ts.isBlock(node.parent) || !tree.isBody(node.parent.parent))
    return false;
  if (!assertions.some((one) => node.pos <= one.node.pos && one.node.end <= node.end)) return false;
  let isPlain = true;
  visitNodes(node, (inner) => {
    const isWriting =
      ts.isDeleteExpression(inner) ||
      ts.isPostfixUnaryExpression(inner) ||
      (ts.isPrefixUnaryExpression(inner) && inner.operator !== ts.SyntaxKind.MinusToken) ||
      (ts.isBinaryExpression(inner) &&
        inner.operatorToken.getText().endsWith('=') &&
        !/^[=!<>]/.test(inner.operatorToken.getText())) ||
      (ts.isBinaryExpression(inner) && inner.operatorToken.kind === ts.SyntaxKind.EqualsToken);
    if (isWriting) isPlain = false;
  });
  return isPlain;
}

/** `{ a: 1 }` → `{ a: 1, b: 2 }`, but where it says how a test is run. */
function hasMoreKeys(old: ts.Node, now: ts.Node, { tree }: FileFacts): boolean {
  if (!ts.isObjectLiteralExpression(old) || !ts.isObjectLiteralExpression(now)) return false;
  if (tree.definitionAt(now.parent) !== undefined) return false;
  const had = new Set(old.properties.map((one) => shapeOf(one)));
  const kept = now.properties.filter((one) => had.has(shapeOf(one)));
  const names = now.properties.map((one) => one.name?.getText());
  return (
    kept.length === old.properties.length &&
    now.properties.length > kept.length &&
    new Set(names).size === names.length &&
    old.properties.every((one) => ts.isPropertyAssignment(one) || ts.isShorthandPropertyAssignment(one)) &&
    now.properties.every(
      (one) =>
        kept.includes(one) ||
        (ts.isPropertyAssignment(one) && ts.isIdentifier(one.name) && isWrittenDown(one.initializer)),
    )
  );
}

/** `price(2)` → `price(2, 'EUR')`, of what the file imports from the workspace. */
function hasMoreArguments(old: ts.Node, now: ts.Node, { bindings }: FileFacts): boolean {
  if (!ts.isCallExpression(old) || !ts.isCallExpression(now)) return false;
  if (shapeOf(old.expression) !== shapeOf(now.expression) || !ts.isIdentifier(now.expression)) return false;
  const module = bindings.imports.get(now.expression.text)?.module;
  const more = now.arguments.slice(old.arguments.length);
  return (
    module?.startsWith('.') === true &&
    more.length > 0 &&
    more.every(isWrittenDown) &&
    old.arguments.every((arg, index) => shapeOf(arg) === shapeOf(now.arguments[index] ?? old))
  );
}
