// The calls of a test that give a promise since the source changed and that nothing waits for.
import path from 'node:path';
import ts from 'typescript';
import type { TestResult } from '../../model/testResult.ts';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { isUnknown, ownersOfExpression } from '../members/receivers.ts';
import { testScope } from '../members/testScope.ts';
import type { AsyncFunction } from './becameAsync.ts';

export interface AsyncCall {
  readonly call: ts.CallExpression;
  readonly target: AsyncFunction;
}

export function asyncCalls(
  tree: SourceTree,
  result: TestResult,
  functions: readonly AsyncFunction[],
): readonly AsyncCall[] {
  const scope = testScope(tree, result);
  const calls: AsyncCall[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isCallExpression(node) || !scope.reaches(node)) return;
    const target = targetOf(node, tree, functions);
    if (target !== undefined && !isWaitedFor(node)) calls.push({ call: node, target });
  });
  return calls;
}

function targetOf(
  { expression }: ts.CallExpression,
  tree: SourceTree,
  functions: readonly AsyncFunction[],
): AsyncFunction | undefined {
  const callee = unwrap(expression);
  if (ts.isIdentifier(callee)) return importedTarget(callee, tree, functions);
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const { expression: on, name } = callee;
  const module = ts.isIdentifier(on) ? moduleOf(on) : undefined;
  if (module?.name === '*')
    return functions.find(
      (one) =>
        one.owner === undefined && one.name === name.text && isModule(tree.file, module.specifier, one.file),
    );
  const methods = functions.filter((one) => one.owner !== undefined && one.name === name.text);
  const owners = ownersOfExpression(on, { tree, functions: new Map() });
  const own = methods.filter((one) => owners?.some((owner) => owner.name === one.owner));
  // An object that cannot be followed: one method of that name became asynchronous, and waiting for a value does no harm.
  const chosen = own.length > 0 || !isUnknown(owners) ? own : methods;
  return chosen.length === 1 ? chosen[0] : undefined;
}

function importedTarget(
  callee: ts.Identifier,
  { file }: SourceTree,
  functions: readonly AsyncFunction[],
): AsyncFunction | undefined {
  const module = moduleOf(callee);
  if (module === undefined) return undefined;
  const named = functions.filter(
    (one) =>
      one.owner === undefined && (module.name === 'default' ? one.isDefault : one.name === module.name),
  );
  const exact = named.filter((one) => isModule(file, module.specifier, one.file));
  // Imported through a module that passes it on.
  const chosen = exact.length > 0 || module.name === 'default' ? exact : named;
  return chosen.length === 1 ? chosen[0] : undefined;
}

/** Where a name is imported from, with import or require. */
function moduleOf(use: ts.Identifier): { readonly specifier: string; readonly name: string } | undefined {
  const declaration = bindingOf(use)?.declaration;
  if (declaration === undefined) return undefined;
  if (ts.isVariableDeclaration(declaration)) return requiredFrom(declaration, use.text);
  let statement: ts.Node = declaration;
  while (!ts.isImportDeclaration(statement)) {
    if (statement.parent === undefined) return undefined;
    statement = statement.parent;
  }
  if (!ts.isStringLiteral(statement.moduleSpecifier)) return undefined;
  const specifier = statement.moduleSpecifier.text;
  if (ts.isImportSpecifier(declaration))
    return { specifier, name: (declaration.propertyName ?? declaration.name).text };
  return { specifier, name: ts.isNamespaceImport(declaration) ? '*' : 'default' };
}

function requiredFrom(
  { name, initializer }: ts.VariableDeclaration,
  local: string,
): { readonly specifier: string; readonly name: string } | undefined {
  const call = initializer === undefined ? undefined : unwrap(initializer);
  const isRequire =
    call !== undefined &&
    ts.isCallExpression(call) &&
    ts.isIdentifier(call.expression) &&
    call.expression.text === 'require';
  const module = isRequire ? call.arguments[0] : undefined;
  if (module === undefined || !ts.isStringLiteralLike(module)) return undefined;
  if (ts.isIdentifier(name)) return { specifier: module.text, name: 'default' };
  const element = ts.isObjectBindingPattern(name)
    ? name.elements.find((one) => ts.isIdentifier(one.name) && one.name.text === local)
    : undefined;
  const own = element?.propertyName ?? element?.name;
  return own !== undefined && ts.isIdentifier(own) ? { specifier: module.text, name: own.text } : undefined;
}

function isModule(testFile: string, specifier: string, file: string): boolean {
  if (!specifier.startsWith('.')) return false;
  const bare = (name: string): string => name.replace(/\.[cm]?[jt]sx?$/, '').replace(/\/index$/, '');
  return bare(path.posix.join(path.posix.dirname(testFile), specifier)) === bare(file);
}

/** Awaited, returned, handed on to who waits, or looked at as the promise that it is. */
function isWaitedFor(call: ts.Node): boolean {
  for (let up = call.parent; up !== undefined; up = up.parent) {
    if (ts.isAwaitExpression(up) || ts.isVoidExpression(up)) return true;
    if (ts.isReturnStatement(up)) return !isThrowCheck(up);
    if (ts.isPropertyAccessExpression(up)) return /^(?:then|catch|finally)$/.test(up.name.text);
    if (ts.isCallExpression(up)) return isPromiseCall(up) || expectsPromise(up);
    if (ts.isVariableDeclaration(up)) return ts.isIdentifier(up.name) && isAwaitedLater(up.name);
    if (!ts.isParenthesizedExpression(up) && !ts.isArrayLiteralExpression(up) && unwrap(up) === up)
      return false;
  }
  return false;
}

/** `expect(() => { return load(); })`, whose caller wants an error and no promise. */
function isThrowCheck(node: ts.Node): boolean {
  let up = node;
  while (up.parent !== undefined && !ts.isFunctionLike(up)) up = up.parent;
  return ts.isCallExpression(up.parent) && /^expect\b|\bthrows$/.test(up.parent.expression.getText());
}

const isPromiseCall = (call: ts.CallExpression): boolean =>
  /^Promise\.(?:all|allSettled|race|any|resolve)$|^(?:assert\.)?(?:rejects|doesNotReject)$/.test(
    call.expression.getText(),
  );

/** `expect(load()).resolves…` */
function expectsPromise(call: ts.CallExpression): boolean {
  let chain: ts.Node = call.parent;
  while (ts.isPropertyAccessExpression(chain)) {
    if (/^(?:resolves|rejects|eventually)$/.test(chain.name.text)) return true;
    chain = chain.parent;
  }
  return false;
}

/** `const pending = load(); …; await pending` */
function isAwaitedLater(name: ts.Identifier): boolean {
  let found = false;
  visitNodes(name.getSourceFile(), (node) => {
    const isUse = ts.isIdentifier(node) && node.text === name.text && node !== name;
    found ||= isUse && bindingOf(node)?.name === name && isWaitedFor(node);
  });
  return found;
}
