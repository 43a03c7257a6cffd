// Exported functions that were nothing but one expression of other things, and that the change of their source deleted.
import path from 'node:path';
import ts from 'typescript';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { Callable } from '../calls/callTarget.ts';
import type { ChangedPair } from '../obsolete/changedPairs.ts';

export interface Shortcut extends Callable {
  /** The former text that it stood in. */
  readonly tree: SourceTree;
  readonly parameters: readonly ts.ParameterDeclaration[];
  readonly body: ts.Expression;
  /** Names in the body that its module had to have, by the name in the body. */
  readonly needs: ReadonlyMap<string, Need>;
  /** Names in the body that nothing in its module declares: `URL`, `setTimeout`. */
  readonly globals: ReadonlySet<string>;
}

/** Where a name of the body comes from. */
export interface Need {
  /** As it is exported; `default` for the default export. */
  readonly name: string;
  /** A package, or the path of a file relative to the root; absent for what the module of the shortcut exports itself. */
  readonly module?: string;
}

/** Only those that can be written out elsewhere: all that they use is exported, imported, or everywhere. */
export function removedShortcuts(pairs: readonly ChangedPair[]): readonly Shortcut[] {
  return pairs.flatMap(({ file, before, now }) => {
    const present = exportsOf(now);
    if (present === undefined) return [];
    return [...(exportsOf(before) ?? [])].flatMap((name): readonly Shortcut[] => {
      if (present.has(name)) return [];
      const found = functionNamed(before, name);
      const body = found && onlyExpression(found);
      if (found === undefined || body === undefined || !isPlainFunction(found) || !isChain(body)) return [];
      const used = needsOf(body, found, { file, tree: before, present });
      if (used === undefined) return [];
      const parameters = [...found.parameters];
      return [{ name, isDefault: false, file, tree: before, parameters, body, ...used }];
    });
  });
}

/** Names that a module exports under their own names; undefined when it may export more than it writes. */
function exportsOf({ ast }: SourceTree): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const statement of ast.statements) {
    if (ts.isExportDeclaration(statement)) {
      if (statement.exportClause === undefined || !ts.isNamedExports(statement.exportClause))
        return undefined;
      for (const { name } of statement.exportClause.elements) names.add(name.text);
    }
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) continue;
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations)
        if (ts.isIdentifier(name)) names.add(name.text);
    } else if (
      (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) &&
      statement.name !== undefined
    )
      names.add(statement.name.text);
  }
  return names;
}

type SomeFunction = ts.FunctionDeclaration | ts.ArrowFunction | ts.FunctionExpression;

/** The one function that the text declares by this name at its top. */
function functionNamed({ ast }: SourceTree, name: string): SomeFunction | undefined {
  const found: SomeFunction[] = [];
  for (const statement of ast.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) found.push(statement);
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name: own, initializer } of statement.declarationList.declarations) {
      const value = initializer && unwrap(initializer);
      if (!ts.isIdentifier(own) || own.text !== name || value === undefined) continue;
      if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) found.push(value);
    }
  }
  const [only, ...others] = found;
  return others.length === 0 ? only : undefined;
}

function onlyExpression({ body }: SomeFunction): ts.Expression | undefined {
  if (body === undefined) return undefined;
  if (!ts.isBlock(body)) return unwrap(body);
  const [statement, ...others] = body.statements;
  const isOnly = statement !== undefined && others.length === 0 && ts.isReturnStatement(statement);
  return isOnly && statement.expression !== undefined ? unwrap(statement.expression) : undefined;
}

/** Calls, members and `new`: what a test may put in their place without making a part of the value itself. */
function isChain(body: ts.Expression): boolean {
  const isMember = ts.isPropertyAccessExpression(body) || ts.isElementAccessExpression(body);
  return (
    ts.isCallExpression(body) || ts.isNewExpression(body) || (isMember && isChain(unwrap(body.expression)))
  );
}

/** Its value is what its expression gives where it is called: nothing waits, and each argument has a name. */
function isPlainFunction(node: SomeFunction): boolean {
  const isAsync = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
  return (
    !isAsync &&
    node.asteriskToken === undefined &&
    node.parameters.every(({ name, dotDotDotToken }) => ts.isIdentifier(name) && dotDotDotToken === undefined)
  );
}

interface Home {
  readonly file: string;
  readonly tree: SourceTree;
  /** What its module exports now. */
  readonly present: ReadonlySet<string>;
}

/** Undefined when the body uses anything that another file cannot name, or means something else there. */
function needsOf(
  body: ts.Expression,
  owner: SomeFunction,
  home: Home,
): Pick<Shortcut, 'needs' | 'globals'> | undefined {
  const needs = new Map<string, Need>();
  const globals = new Set<string>();
  let isOpen = false;
  visitNodes(body, (node) => {
    // Types and what depends on the place cannot be moved word for word; what decides or computes is no shortcut.
    isOpen ||=
      ts.isTypeNode(node) ||
      ts.isFunctionLike(node) ||
      ts.isAwaitExpression(node) ||
      ts.isMetaProperty(node) ||
      ts.isBinaryExpression(node) ||
      ts.isConditionalExpression(node) ||
      ts.isPrefixUnaryExpression(node) ||
      ts.isPostfixUnaryExpression(node) ||
      ts.isTypeOfExpression(node) ||
      node.kind === ts.SyntaxKind.ThisKeyword ||
      node.kind === ts.SyntaxKind.SuperKeyword ||
      node.kind === ts.SyntaxKind.ImportKeyword;
    if (isOpen || !ts.isIdentifier(node) || !isUse(node)) return;
    const binding = bindingOf(node);
    if (binding === undefined) {
      isOpen ||= /^(?:arguments|require|module|exports|__\w+)$/.test(node.text) || isNamed(node.text, home);
      globals.add(node.text);
    } else if (binding.kind === 'parameter' && binding.declaration.parent === owner) return;
    else {
      const need =
        binding.kind === 'import' ? imported(binding.declaration, home) : ownExport(node.text, home);
      if (need === undefined) isOpen = true;
      else needs.set(node.text, need);
    }
  });
  // A test of a package alone would no longer test this project.
  const isOwn = [...needs.values()].some(({ module }) => module === undefined || module.startsWith('./'));
  return isOpen || !isOwn ? undefined : { needs, globals };
}

/** Does the module declare the name in a way that scopes do not show: `import x = require(…)`, `namespace x`, `var` in a block? */
function isNamed(name: string, { tree }: Home): boolean {
  let found = false;
  visitNodes(tree.ast, (node) => {
    found ||=
      (ts.isImportEqualsDeclaration(node) ||
        ts.isModuleDeclaration(node) ||
        ts.isVariableDeclaration(node)) &&
      node.name.getText() === name;
  });
  return found;
}

/** A name that stands for a value, not the name of a member or of a key. */
export function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name !== node;
  return !(ts.isPropertyAssignment(parent) && parent.name === node);
}

function ownExport(name: string, { present }: Home): Need | undefined {
  return present.has(name) ? { name } : undefined;
}

function imported(declaration: ts.Node, { file, present }: Home): Need | undefined {
  if (!ts.isImportSpecifier(declaration)) return undefined;
  const statement = declaration.parent.parent.parent;
  if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) return undefined;
  const specifier = statement.moduleSpecifier.text;
  const module = specifier.startsWith('.') ? path.posix.join(path.posix.dirname(file), specifier) : specifier;
  const name = (declaration.propertyName ?? declaration.name).text;
  if (present.has(name)) return { name };
  // A path that leaves the root, and names of packages that only this package knows.
  return module.startsWith('..') || specifier.startsWith('#')
    ? undefined
    : { name, module: specifier.startsWith('.') ? `./${module}` : module };
}
