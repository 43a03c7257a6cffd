// The names of one file that stand for something from outside of it, resolved by TypeScript: globals, imports, what the runner hands in.
import ts from 'typescript';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import type { Imported } from './bindings.ts';
import type { FileFacts } from './fileFacts.ts';

export interface Reference {
  readonly node: ts.Identifier;
  /** Where an imported name comes from; `context` for what the runner hands to a test; undefined for a global. */
  readonly from: Pick<Imported, 'module' | 'name'> | 'context' | undefined;
}

/** Names of values only; what the file declares itself is left out. */
export function* globalReferences({ source, bindings, tree }: FileFacts): Generator<Reference> {
  const bodies = new Set(
    tree.definitions
      .filter(({ kind, tables }) => kind !== 'suite' && tables.length === 0)
      .map(({ callback }): ts.Node | undefined => callback),
  );
  const checker = checkerOf(source);
  const nodes: ts.Identifier[] = [];
  visitNodes(source, (node) => {
    if (ts.isIdentifier(node) && isReference(node)) nodes.push(node);
  });
  for (const node of nodes) {
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
    const declarations = symbol?.declarations ?? [];
    const isOwn = declarations.length > 0 && declarations.every(isDeclaration);
    const imported = bindings.imports.get(node.text);
    const required = declarations.map(requiredBy).find((one) => one !== undefined);
    if (!isOwn) yield { node, from: undefined };
    else if (required !== undefined) yield { node, from: required };
    else if (declarations.some(isImport)) yield { node, from: imported };
    else if (declarations.some((one) => isHandedIn(one, bodies))) yield { node, from: 'context' };
  }
}

function checkerOf(source: ts.SourceFile): ts.TypeChecker {
  const host: ts.CompilerHost = {
    getSourceFile: (name) => (name === source.fileName ? source : undefined),
    getDefaultLibFileName: () => '',
    writeFile: () => undefined,
    getCurrentDirectory: () => '',
    getCanonicalFileName: (name) => name,
    useCaseSensitiveFileNames: () => true,
    getNewLine: () => '\n',
    fileExists: (name) => name === source.fileName,
    readFile: () => undefined,
  };
  const options = { noLib: true, noResolve: true, allowJs: true, types: [], jsx: ts.JsxEmit.Preserve };
  return ts.createProgram([source.fileName], options, host).getTypeChecker();
}

/** `const { a: [b] } = await import('m')`, `const c = require('m').d` */
function requiredBy(node: ts.Declaration): Exclude<Reference['from'], 'context'> {
  let up: ts.Node = node;
  while (ts.isBindingElement(up) || ts.isObjectBindingPattern(up) || ts.isArrayBindingPattern(up))
    up = up.parent;
  if (!ts.isVariableDeclaration(up) || up.initializer === undefined) return undefined;
  let start: ts.Node = up.initializer;
  for (;;) {
    start = unwrap(start);
    if (ts.isAwaitExpression(start) || ts.isPropertyAccessExpression(start)) start = start.expression;
    else break;
  }
  if (!ts.isCallExpression(start)) return undefined;
  const { expression, arguments: given } = start;
  const isRequire = ts.isIdentifier(expression) && expression.text === 'require';
  const [module] = given;
  if (!isRequire && expression.kind !== ts.SyntaxKind.ImportKeyword) return undefined;
  return module !== undefined && ts.isStringLiteralLike(module)
    ? {
        module: module.text,
        name: ts.isBindingElement(node) ? (node.propertyName ?? node.name).getText() : '*',
      }
    : undefined;
}

/** Something that is there when the file runs, under this name. */
function isDeclaration(node: ts.Declaration): boolean {
  if ((ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Ambient) !== 0) return false;
  if (ts.isFunctionDeclaration(node)) return node.body !== undefined;
  return (
    isImport(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isBindingElement(node) ||
    ts.isParameter(node) ||
    ts.isFunctionExpression(node) ||
    ts.isClassLike(node) ||
    ts.isEnumDeclaration(node)
  );
}

function isImport(node: ts.Node): boolean {
  if (ts.isImportSpecifier(node)) return !node.isTypeOnly && !isOfTypes(node.parent.parent);
  if (ts.isNamespaceImport(node)) return !isOfTypes(node.parent);
  return ts.isImportClause(node) ? !isOfTypes(node) : ts.isImportEqualsDeclaration(node);
}

const isOfTypes = (clause: ts.ImportClause): boolean => clause.phaseModifier === ts.SyntaxKind.TypeKeyword;

/** A parameter of a test or a hook that is no row of a table. */
function isHandedIn(node: ts.Declaration, bodies: ReadonlySet<ts.Node | undefined>): boolean {
  let up: ts.Node = node;
  while (ts.isBindingElement(up) || ts.isObjectBindingPattern(up) || ts.isArrayBindingPattern(up))
    up = up.parent;
  return ts.isParameter(up) && bodies.has(up.parent);
}

/** The use of a value by its name: no declaration, no name of a member or a key, no type. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isBindingElement(parent)) return parent.initializer === node;
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent)) return false;
  if (ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent)) return false;
  if (ts.isMetaProperty(parent) || ts.isJsxAttribute(parent) || ts.isJsxNamespacedName(parent)) return false;
  if (ts.isJsxOpeningLikeElement(parent) || ts.isJsxClosingElement(parent))
    return /^[A-Z_$]/.test(node.text) || /^(?:script|iframe|object|embed)$/.test(node.text);
  if (
    (ts.isDeclarationStatement(parent) || ts.isVariableDeclaration(parent) || ts.isParameter(parent)) &&
    parent.name === node
  )
    return false;
  if (
    (ts.isClassElement(parent) || ts.isObjectLiteralElement(parent) || ts.isEnumMember(parent)) &&
    parent.name === node
  )
    return false;
  if ((ts.isFunctionExpression(parent) || ts.isClassExpression(parent)) && parent.name === node) return false;
  if (ts.isTypeElement(parent)) return false;
  for (let up: ts.Node = node; up.parent !== undefined; up = up.parent) {
    if (ts.isInterfaceDeclaration(up) || ts.isTypeAliasDeclaration(up)) return false;
    if (ts.isTypeNode(up) && !ts.isExpressionWithTypeArguments(up)) return false;
    if (ts.isHeritageClause(up) && up.token === ts.SyntaxKind.ImplementsKeyword) return false;
    if (ts.isStatement(up)) return true;
  }
  return true;
}
