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
  const visit = (node: ts.Node): void => {
    if (node.kind === SyntaxKind.ExportKeyword || node.kind === SyntaxKind.DefaultKeyword) return;
    if (typescript.isIdentifier(node) || typescript.isPrivateIdentifier(node))
      shape.push(node.text === ownName && !isMemberOf(typescript, node) ? '\0' : node.text);
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

/** `digest` of `hash.digest()` and of `{ digest: 1 }` is no use of what has that name. */
const isMemberOf = (typescript: typeof ts, node: ts.Identifier | ts.PrivateIdentifier): boolean =>
  (typescript.isPropertyAccessExpression(node.parent) || typescript.isPropertyAssignment(node.parent)) &&
  node.parent.name === node;
