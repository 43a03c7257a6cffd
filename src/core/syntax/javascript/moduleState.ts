// What a module keeps between calls: one test may find what another one left there.
import ts from 'typescript';
import { parseTree, unwrap, visitNodes } from './sourceTree.ts';

const writers =
  /^(?:push|pop|shift|unshift|splice|sort|reverse|fill|copyWithin|set|add|delete|clear|append|assign|write)$/;

/** The first name at the top of the module that its functions write, or whose object they change; undefined when there is none. */
export function moduleState(file: string, text: string): string | undefined {
  const { ast } = parseTree(file, text);
  const kept = new Set<string>();
  for (const statement of ast.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      if (!ts.isIdentifier(name)) continue;
      const made = initializer && unwrap(initializer);
      // An object of a class of one's own changes out of sight.
      if (made && ts.isNewExpression(made) && !isPlain(made)) return name.text;
      kept.add(name.text);
    }
  }
  let found: string | undefined;
  const note = (target: ts.Expression): void => {
    const root = rootOf(target);
    if (root === undefined || isTop(target)) return;
    if (root === 'this' ? isInTopObject(target) : kept.has(root)) found ??= root === 'this' ? 'this' : root;
  };
  visitNodes(ast, (node) => {
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) note(node.left);
    else if (ts.isPostfixUnaryExpression(node) || ts.isDeleteExpression(node))
      note(ts.isDeleteExpression(node) ? node.expression : node.operand);
    else if (ts.isPrefixUnaryExpression(node) && changes.has(node.operator)) note(node.operand);
    else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression, name } = node.expression;
      if (!writers.test(name.text)) return;
      if (ts.isIdentifier(expression) && expression.text === 'Object') {
        const [target] = node.arguments;
        if (target !== undefined) note(target);
      } else note(expression);
    }
  });
  return found;
}

const changes: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.PlusPlusToken,
  ts.SyntaxKind.MinusMinusToken,
]);

const isAssignment = (kind: ts.SyntaxKind): boolean =>
  kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

/** Of the language, and without a life of their own unless something writes them. */
const isPlain = ({ expression }: ts.NewExpression): boolean =>
  ts.isIdentifier(expression) &&
  /^(?:Map|Set|WeakMap|WeakSet|RegExp|Array|Date|Error|URL|Intl|Text(?:En|De)coder|\w*Array)$/.test(
    expression.text,
  );

function rootOf(target: ts.Expression): string | undefined {
  let at = unwrap(target);
  while (ts.isPropertyAccessExpression(at) || ts.isElementAccessExpression(at)) at = unwrap(at.expression);
  if (at.kind === ts.SyntaxKind.ThisKeyword) return 'this';
  return ts.isIdentifier(at) ? at.text : undefined;
}

/** Does it happen while the module loads? */
function isTop(node: ts.Node): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) if (ts.isFunctionLike(at)) return false;
  return true;
}

/** A method of an object, not of a class, whose objects are made where they are used. */
function isInTopObject(node: ts.Node): boolean {
  for (let at = node.parent; at !== undefined; at = at.parent) {
    if (ts.isClassLike(at)) return false;
    if (ts.isObjectLiteralExpression(at) && isTop(at)) return true;
  }
  return false;
}
