// Whether an expression in a source means a certain function, in its own file too.
import ts from 'typescript';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { targetOf, type Callable } from './callTarget.ts';

/** Of what is called, or of a name that is handed on. */
export function isCalleeOf(callee: ts.Expression, tree: SourceTree, target: Callable): boolean {
  const { name, owner, file } = target;
  const node = unwrap(callee);
  const isNamed = ts.isIdentifier(node)
    ? owner === undefined
    : ts.isPropertyAccessExpression(node) && node.name.text === name;
  if (!isNamed) return false;
  if (tree.file !== file) return targetOf(node, tree, [target]) !== undefined;
  if (ts.isIdentifier(node)) {
    const declaration = node.text === name ? bindingOf(node)?.declaration : undefined;
    return declaration !== undefined && isOfModule(declaration);
  }
  const on = ts.isPropertyAccessExpression(node) ? unwrap(node.expression) : node;
  return owner !== undefined && (on.kind === ts.SyntaxKind.ThisKeyword || !ts.isLiteralExpression(on));
}

/** Not a parameter or a variable of some function that has the same name. */
function isOfModule(declaration: ts.Node): boolean {
  for (let up = declaration.parent; up !== undefined; up = up.parent) if (ts.isFunctionLike(up)) return false;
  return !ts.isParameter(declaration);
}
