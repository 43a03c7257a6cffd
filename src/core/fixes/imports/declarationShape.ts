// A declaration as tokens without comments and layout, so that two of them can be compared.
import type ts from 'typescript';

const operatorMark = '\u0002';

/** Do two shapes compute with the same operators, as often? */
export function haveSameOperators(left: readonly string[], right: readonly string[]): boolean {
  const [was, is] = [left, right].map((shape) =>
    shape
      .filter((item) => item.startsWith(operatorMark))
      .toSorted()
      .join(),
  );
  return was === is;
}

/** Names, literals and kinds in reading order; `export`, `default`, layout and comments do not count. */
export function shapeOf(typescript: typeof ts, root: ts.Node, ownName: string): readonly string[] {
  const shape: string[] = [];
  const { SyntaxKind } = typescript;
  const isShadowed = bindsInside(typescript, root, ownName);
  const isOwn = (node: ts.Identifier | ts.PrivateIdentifier): boolean =>
    node.text === ownName &&
    !isMemberOf(typescript, node) &&
    (!isShadowed || node.parent === root || isDeclaredAtTop(typescript, node, root));
  const visit = (node: ts.Node): void => {
    if (node.kind === SyntaxKind.ExportKeyword || node.kind === SyntaxKind.DefaultKeyword) return;
    if (typescript.isIdentifier(node) || typescript.isPrivateIdentifier(node))
      shape.push(isOwn(node) ? '\0' : node.text);
    else if (typescript.isLiteralExpression(node) || typescript.isTemplateLiteralToken(node))
      shape.push(JSON.stringify(node.text));
    else if (typescript.isBinaryExpression(node)) shape.push(operatorMark + node.operatorToken.kind);
    else if (typescript.isPrefixUnaryExpression(node)) shape.push(operatorMark + node.operator);
    // A function expression and an arrow function with the same body are near, not equal.
    else shape.push(`#${node.kind}`);
    typescript.forEachChild(node, visit);
  };
  visit(root);
  return shape;
}

/** Its own name is another thing inside: `function sum(items) { let sum = 0; … }`. */
function bindsInside(typescript: typeof ts, root: ts.Node, name: string): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    const binds =
      typescript.isVariableDeclaration(node) ||
      typescript.isParameter(node) ||
      typescript.isBindingElement(node);
    found ||=
      binds &&
      typescript.isIdentifier(node.name) &&
      node.name.text === name &&
      !isDeclaredAtTop(typescript, node.name, root);
    if (!found) typescript.forEachChild(node, visit);
  };
  visit(root);
  return found;
}

/** No function of the declaration is around it. */
function isDeclaredAtTop(typescript: typeof ts, node: ts.Node, root: ts.Node): boolean {
  for (let up = node.parent; up !== undefined; up = up.parent) {
    if (typescript.isFunctionLike(up) && up.name !== node) return false;
    if (up === root) return true;
  }
  return true;
}

/** `digest` of `hash.digest()` and of `{ digest: 1 }` is no use of what has that name. */
const isMemberOf = (typescript: typeof ts, node: ts.Identifier | ts.PrivateIdentifier): boolean =>
  (typescript.isPropertyAccessExpression(node.parent) || typescript.isPropertyAssignment(node.parent)) &&
  node.parent.name === node;
