// Which function of the changed sources a callee in a test means.
import path from 'node:path';
import ts from 'typescript';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { isUnknown, ownersOfExpression } from '../members/receivers.ts';
import type { FunctionPlace } from './functionPlace.ts';

/** A function of a source, as `placeOf` finds it, with its file relative to the root. */
export interface Callable extends FunctionPlace {
  readonly file: string;
}

/** Which of the functions the callee of a test is; undefined for others and where it could be several. */
export function targetOf<T extends Callable>(
  expression: ts.Expression,
  tree: SourceTree,
  functions: readonly T[],
): T | undefined {
  const callee = unwrap(expression);
  if (ts.isIdentifier(callee)) return importedTarget(callee, tree, functions);
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const { expression: on, name } = callee;
  const module = ts.isIdentifier(on) ? moduleOf(on) : undefined;
  if (module?.name === '*' || (module?.isRequired === true && module.name === 'default'))
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

function importedTarget<T extends Callable>(
  callee: ts.Identifier,
  { file }: SourceTree,
  functions: readonly T[],
): T | undefined {
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

interface ImportedName {
  readonly specifier: string;
  /** `default` also for all that require gives. */
  readonly name: string;
  readonly isRequired?: true;
}

/** Where a name is imported from, with import or require. */
function moduleOf(use: ts.Identifier): ImportedName | undefined {
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
): ImportedName | undefined {
  const call = initializer === undefined ? undefined : unwrap(initializer);
  const isRequire =
    call !== undefined &&
    ts.isCallExpression(call) &&
    ts.isIdentifier(call.expression) &&
    call.expression.text === 'require';
  const module = isRequire ? call.arguments[0] : undefined;
  if (module === undefined || !ts.isStringLiteralLike(module)) return undefined;
  if (ts.isIdentifier(name)) return { specifier: module.text, name: 'default', isRequired: true };
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
