// Where a test file uses the names of a test runner: free names, members of its mock object, its types.
import ts from 'typescript';
import { unwrap, visitNodes } from '../../syntax/javascript/sourceTree.ts';

/** The names that the file gives a meaning of its own, imports aside. */
export function ownNames(source: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  visitNodes(source, (node) => {
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isFunctionExpression(node) ||
      ts.isClassLike(node) ||
      ts.isEnumDeclaration(node);
    if (declares && node.name !== undefined && ts.isIdentifier(node.name) && !isInType(node))
      names.add(node.name.text);
  });
  return names;
}

/** A parameter of a function type names nothing. */
const isInType = (node: ts.Node): boolean =>
  ts.isParameter(node) && (ts.isFunctionTypeNode(node.parent) || !('body' in node.parent));

/** Does the identifier stand for a value or a type, rather than name a member, a key or an import? */
export function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent)) return parent.name !== node;
  if (ts.isQualifiedName(parent)) return parent.left === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  const isName =
    ts.isImportSpecifier(parent) ||
    ts.isImportClause(parent) ||
    ts.isExportSpecifier(parent) ||
    ts.isMethodDeclaration(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isAccessor(parent) ||
    ts.isJsxAttribute(parent) ||
    ts.isLabeledStatement(parent) ||
    ts.isBreakOrContinueStatement(parent) ||
    ts.isModuleDeclaration(parent);
  return !isName;
}

/** Uses of any of these names that can mean the runner's own, in order. */
export function freeUses(source: ts.SourceFile, names: ReadonlySet<string>): readonly ts.Identifier[] {
  const own = ownNames(source);
  const uses: ts.Identifier[] = [];
  visitNodes(source, (node) => {
    if (ts.isIdentifier(node) && names.has(node.text) && !own.has(node.text) && isUse(node)) uses.push(node);
  });
  return uses;
}

/** `jest.fn` as a node, when the name of the object is used for a member of it. */
export function memberOf(use: ts.Identifier): ts.PropertyAccessExpression | undefined {
  const { parent } = use;
  return ts.isPropertyAccessExpression(parent) &&
    parent.expression === use &&
    parent.questionDotToken === undefined
    ? parent
    : undefined;
}

/** The call of a member, `jest.fn(…)`. */
export function callOf(member: ts.PropertyAccessExpression): ts.CallExpression | undefined {
  const { parent } = member;
  return ts.isCallExpression(parent) && parent.expression === member && parent.questionDotToken === undefined
    ? parent
    : undefined;
}

/** The name at which a chain of members and calls starts. */
export function rootOf(node: ts.Node): ts.Identifier | undefined {
  let start = unwrap(node);
  while (
    ts.isPropertyAccessExpression(start) ||
    ts.isElementAccessExpression(start) ||
    ts.isCallExpression(start) ||
    ts.isTaggedTemplateExpression(start)
  )
    start = unwrap(ts.isTaggedTemplateExpression(start) ? start.tag : start.expression);
  return ts.isIdentifier(start) ? start : undefined;
}
