// What an expression of a test stands for in the source: which class, object, type or result its members belong to.
import ts from 'typescript';
import { bindingOf, type Binding } from '../../syntax/javascript/declarations.ts';
import { propertyKey } from '../../syntax/javascript/literalSource.ts';
import { unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { FunctionShape, Owner, OwnerKind } from './owners.ts';

/** Names of owners that something may belong to, with the kinds that it may be. */
export interface OwnerName {
  readonly kinds: readonly OwnerKind[];
  readonly name: string;
  readonly parameter?: number;
  /** It may as well be something else. */
  readonly isGuess?: true;
}

export interface ReceiverWorld {
  readonly tree: SourceTree;
  readonly functions: ReadonlyMap<string, FunctionShape>;
}

const named = (kinds: readonly OwnerKind[], name: string): OwnerName => ({ kinds, name });

/** Owners of the members of this expression; undefined when that cannot be told, none when it is the test's own. */
export function ownersOfExpression(
  expression: ts.Expression,
  world: ReceiverWorld,
  depth = 0,
): readonly OwnerName[] | undefined {
  if (depth > 5) return undefined;
  const inner = (node: ts.Expression): readonly OwnerName[] | undefined =>
    ownersOfExpression(node, world, depth + 1);
  if (ts.isAsExpression(expression) || ts.isSatisfiesExpression(expression)) {
    const type = typeOwners(expression.type);
    if (type !== undefined) return type;
  }
  const node = unwrap(expression);
  if (ts.isAwaitExpression(node)) return inner(node.expression);
  if (ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node) || ts.isLiteralExpression(node))
    return [];
  if (ts.isNewExpression(node)) {
    const name = sourceName(node.expression);
    return name === undefined ? undefined : [named(['class'], name)];
  }
  if (ts.isCallExpression(node)) {
    const name = sourceName(node.expression);
    if (name === undefined) return undefined;
    const type = world.functions.get(name)?.result;
    return type === undefined
      ? [{ kinds: ['result'], name, isGuess: true }]
      : [named(['result'], name), named(['type', 'class'], type)];
  }
  if (ts.isPropertyAccessExpression(node)) {
    const module = ts.isIdentifier(node.expression) ? bindingOf(node.expression)?.declaration : undefined;
    if (module !== undefined && ts.isNamespaceImport(module))
      return [named(['class', 'object', 'enum'], node.name.text)];
    const objects = inner(node.expression)?.filter(({ kinds }) =>
      kinds.some((kind) => /^(?:object|result)$/.test(kind)),
    );
    return objects?.length
      ? objects.map(({ kinds, name }) => ({ kinds, name: `${name}.${node.name.text}`, isGuess: true }))
      : undefined;
  }
  return ts.isIdentifier(node) ? ownersOfName(node, world, depth) : undefined;
}

function ownersOfName(
  node: ts.Identifier,
  world: ReceiverWorld,
  depth: number,
): readonly OwnerName[] | undefined {
  const binding = bindingOf(node);
  if (binding === undefined) return undefined;
  if (binding.kind === 'import') {
    const name = sourceName(node);
    const kinds: readonly OwnerKind[] = ['class', 'object', 'enum'];
    if (name === undefined) return undefined;
    // A default import has whatever name the test likes.
    return ts.isImportClause(binding.declaration)
      ? [named(kinds, name), named(['object'], 'default'), named(['object'], 'module.exports')]
      : [named(kinds, name)];
  }
  const { declaration } = binding;
  const type =
    (ts.isVariableDeclaration(declaration) || ts.isParameter(declaration)) &&
    declaration.name === binding.name
      ? typeOwners(declaration.type)
      : undefined;
  if (type !== undefined) return type;
  if (binding.path?.length !== 0 || binding.kind !== 'variable') return undefined;
  const values = valuesOf(binding, world.tree);
  const all = values.map((value) => ownersOfExpression(value, world, depth + 1));
  return values.length === 0 || all.includes(undefined) ? undefined : all.flatMap((owners) => owners ?? []);
}

function typeOwners(type: ts.TypeNode | undefined): readonly OwnerName[] | undefined {
  if (type === undefined || !ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName))
    return undefined;
  const { text } = type.typeName;
  return /^(?:Readonly|Partial|Required)$/.test(text)
    ? typeOwners(type.typeArguments?.[0])
    : [named(['type', 'class'], text)];
}

/** Everything that a variable is given, where it is declared and later. */
function valuesOf(binding: Binding, tree: SourceTree): readonly ts.Expression[] {
  const values: ts.Expression[] = [];
  if (ts.isVariableDeclaration(binding.declaration) && binding.declaration.initializer)
    values.push(binding.declaration.initializer);
  visitNodes(tree.ast, (node) => {
    const isGiven =
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isIdentifier(node.left) &&
      node.left.text === binding.name.text &&
      bindingOf(node.left)?.name === binding.name;
    if (isGiven) values.push(node.right);
  });
  return values;
}

/** The name under which the source knows a function or class that the test calls; undefined for the test's own. */
function sourceName(callee: ts.Expression): string | undefined {
  const node = unwrap(callee);
  if (ts.isPropertyAccessExpression(node)) return node.name.text;
  if (!ts.isIdentifier(node)) return undefined;
  const declaration = bindingOf(node)?.declaration;
  if (declaration === undefined) return node.text;
  if (ts.isImportSpecifier(declaration)) return (declaration.propertyName ?? declaration.name).text;
  if (ts.isImportClause(declaration)) return node.text;
  // const { Cart } = require('../src/cart')
  if (ts.isVariableDeclaration(declaration) && isRequire(declaration.initializer)) return node.text;
  return undefined;
}

function isRequire(value: ts.Expression | undefined): boolean {
  const call = value === undefined ? undefined : unwrap(value);
  const inner = call !== undefined && ts.isAwaitExpression(call) ? unwrap(call.expression) : call;
  return (
    inner !== undefined &&
    ts.isCallExpression(inner) &&
    (inner.expression.kind === ts.SyntaxKind.ImportKeyword ||
      (ts.isIdentifier(inner.expression) && inner.expression.text === 'require'))
  );
}

/** What an object literal is for: the options of the call that it is given to, or a declared type; undefined when unknown. */
export function ownersOfLiteral(
  literal: ts.ObjectLiteralExpression,
  world: ReceiverWorld,
): readonly OwnerName[] | undefined {
  let node: ts.Expression = literal;
  while (unwrap(node.parent) !== node.parent && ts.isExpression(node.parent)) {
    const { parent } = node;
    const type =
      ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent) ? typeOwners(parent.type) : undefined;
    if (type !== undefined) return type;
    node = parent;
  }
  const { parent } = node;
  if (ts.isCallExpression(parent) || ts.isNewExpression(parent)) return optionOwners(parent, node, world);
  if (!ts.isVariableDeclaration(parent) || !ts.isIdentifier(parent.name)) return undefined;
  const declared = typeOwners(parent.type);
  if (declared !== undefined) return declared;
  const given: OwnerName[] = [];
  const { name } = parent;
  visitNodes(world.tree.ast, (use) => {
    if (!ts.isIdentifier(use) || use.text !== name.text || use === name) return;
    const call = use.parent;
    if (!ts.isCallExpression(call) && !ts.isNewExpression(call)) return;
    if (call.expression !== use && bindingOf(use)?.name === name)
      given.push(...(optionOwners(call, use, world) ?? []));
  });
  return given.length === 0 ? undefined : given;
}

function optionOwners(
  call: ts.CallExpression | ts.NewExpression,
  argument: ts.Expression,
  { functions }: ReceiverWorld,
): readonly OwnerName[] | undefined {
  const name = sourceName(call.expression);
  const parameter = call.arguments?.indexOf(argument) ?? -1;
  if (name === undefined || parameter < 0) return undefined;
  const type = functions.get(name)?.parameters[parameter];
  return [
    { kinds: ['options'], name, parameter },
    ...(type === undefined ? [] : [named(['type', 'class'], type)]),
  ];
}

export function isOwner(
  { kinds, name, parameter }: OwnerName,
  owner: Pick<Owner, 'kind' | 'name' | 'parameter'>,
): boolean {
  return kinds.includes(owner.kind) && owner.name === name && owner.parameter === parameter;
}

/** The text of a key of an object or a pattern; undefined when it is computed. */
export function keyOf(node: ts.ObjectLiteralElementLike | ts.BindingElement): string | undefined {
  if (ts.isSpreadAssignment(node)) return undefined;
  const name = ts.isBindingElement(node) ? (node.propertyName ?? node.name) : node.name;
  return ts.isObjectBindingPattern(name) || ts.isArrayBindingPattern(name) ? undefined : propertyKey(name);
}

/** Can it not be told what something belongs to? */
export const isUnknown = (owners: readonly OwnerName[] | undefined): boolean =>
  owners === undefined || owners.some(({ isGuess }) => isGuess);
