// Which declaration a name refers to, by the scopes of one file, and where else the same name is used.
import ts from 'typescript';
import { propertyKey } from './literalSource.ts';
import { visitNodes, type SourceTree } from './sourceTree.ts';

/** One step from a declared value to a name that destructuring takes out of it. */
export type PathStep = { readonly key: string } | { readonly index: number };

export interface Binding {
  readonly kind: 'variable' | 'loop' | 'parameter' | 'import' | 'other';
  /** The identifier that declares the name. */
  readonly name: ts.Identifier;
  readonly declaration: ts.Node;
  /** Empty unless destructured; undefined when it cannot be followed (rest, default value, computed key). */
  readonly path: readonly PathStep[] | undefined;
}

/** What each scope declares, for who asks of many names. */
export type KnownScopes = Map<ts.Node, ReadonlyMap<string, Binding>>;

/** The declaration that a use of a name refers to; undefined for globals. */
export function bindingOf(use: ts.Identifier, known?: KnownScopes): Binding | undefined {
  for (let scope: ts.Node | undefined = use.parent; scope !== undefined; scope = scope.parent) {
    const found =
      known === undefined
        ? declaredIn(scope).find((binding) => binding.name.text === use.text)
        : scopeIn(scope, known).get(use.text);
    if (found !== undefined) return found;
  }
  return undefined;
}

function scopeIn(scope: ts.Node, known: KnownScopes): ReadonlyMap<string, Binding> {
  const found =
    known.get(scope) ??
    new Map(
      declaredIn(scope)
        .toReversed()
        .map((binding) => [binding.name.text, binding]),
    );
  known.set(scope, found);
  return found;
}

/** Every use of the name a binding declares, the declaration itself left out. */
export function usesOf(tree: SourceTree, binding: Binding): ts.Identifier[] {
  const uses: ts.Identifier[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isIdentifier(node) || node.text !== binding.name.text || node === binding.name) return;
    if (isNameOnly(node) || bindingOf(node)?.name !== binding.name) return;
    uses.push(node);
  });
  return uses;
}

/** True when the name is given a value again after its declaration. */
export function isReassigned(tree: SourceTree, binding: Binding): boolean {
  return usesOf(tree, binding).some((use) => {
    const parent = use.parent;
    if (ts.isBinaryExpression(parent) && parent.left === use)
      return (
        parent.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
        parent.operatorToken.kind <= ts.SyntaxKind.LastAssignment
      );
    return (
      ts.isPostfixUnaryExpression(parent) ||
      (ts.isPrefixUnaryExpression(parent) &&
        parent.operator !== ts.SyntaxKind.MinusToken &&
        parent.operator !== ts.SyntaxKind.ExclamationToken)
    );
  });
}

/** A property's name, a label, a type: the same word, but no use of the variable. */
function isNameOnly(node: ts.Identifier): boolean {
  const parent = node.parent;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)) return parent.name === node;
  if (ts.isBindingElement(parent)) return parent.propertyName === node || parent.name === node;
  if (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) return parent.name === node;
  return ts.isTypeNode(parent) || ts.isImportSpecifier(parent) || ts.isPropertySignature(parent);
}

function declaredIn(scope: ts.Node): Binding[] {
  if (
    ts.isSourceFile(scope) ||
    ts.isBlock(scope) ||
    ts.isModuleBlock(scope) ||
    ts.isCaseOrDefaultClause(scope)
  )
    return scope.statements.flatMap(declaredBy);
  if (ts.isForOfStatement(scope) || ts.isForInStatement(scope) || ts.isForStatement(scope)) {
    const list = scope.initializer;
    if (list === undefined || !ts.isVariableDeclarationList(list)) return [];
    const kind = ts.isForStatement(scope) ? 'other' : 'loop';
    return list.declarations.flatMap(({ name }) => namesIn(name, kind, scope, []));
  }
  if (ts.isFunctionLike(scope))
    return scope.parameters.flatMap((parameter) =>
      namesIn(
        parameter.name,
        'parameter',
        parameter,
        parameter.dotDotDotToken === undefined ? [] : undefined,
      ),
    );
  if (ts.isCatchClause(scope) && scope.variableDeclaration !== undefined)
    return namesIn(scope.variableDeclaration.name, 'other', scope, undefined);
  return [];
}

function declaredBy(statement: ts.Statement): Binding[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap((declaration) =>
      namesIn(declaration.name, 'variable', declaration, []),
    );
  if (
    (ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isEnumDeclaration(statement)) &&
    statement.name
  )
    return [{ kind: 'other', name: statement.name, declaration: statement, path: undefined }];
  if (!ts.isImportDeclaration(statement) || statement.importClause === undefined) return [];
  const { name, namedBindings } = statement.importClause;
  const names: (ts.ImportSpecifier | ts.ImportClause | ts.NamespaceImport)[] = [];
  if (name !== undefined) names.push(statement.importClause);
  if (namedBindings !== undefined)
    names.push(...(ts.isNamedImports(namedBindings) ? namedBindings.elements : [namedBindings]));
  return names.flatMap((declaration) =>
    declaration.name === undefined
      ? []
      : [{ kind: 'import' as const, name: declaration.name, declaration, path: [] }],
  );
}

function namesIn(
  name: ts.BindingName,
  kind: Binding['kind'],
  declaration: ts.Node,
  path: readonly PathStep[] | undefined,
): Binding[] {
  if (ts.isIdentifier(name)) return [{ kind, name, declaration, path }];
  return name.elements.flatMap((element, index) => {
    if (ts.isOmittedExpression(element)) return [];
    const step = stepOf(element, index, name);
    return namesIn(
      element.name,
      kind,
      declaration,
      path === undefined || step === undefined ? undefined : [...path, step],
    );
  });
}

function stepOf(element: ts.BindingElement, index: number, pattern: ts.BindingPattern): PathStep | undefined {
  if (element.dotDotDotToken !== undefined || element.initializer !== undefined) return undefined;
  if (ts.isArrayBindingPattern(pattern)) return { index };
  const key = element.propertyName ?? element.name;
  const text = ts.isIdentifier(key) ? key.text : ts.isBindingName(key) ? undefined : propertyKey(key);
  return text === undefined ? undefined : { key: text };
}
