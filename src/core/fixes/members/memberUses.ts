// Where a test uses a member: read, called, taken out by destructuring, or given as an option.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import { startOf, textOf, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import {
  keyOf,
  ownersOfExpression,
  ownersOfLiteral,
  type OwnerName,
  type ReceiverWorld,
} from './receivers.ts';

export interface MemberUse {
  readonly kind: 'call' | 'read' | 'taken' | 'given';
  readonly node: ts.Node;
  /** What the member belongs to as written; empty for options. */
  readonly receiver: string;
  /** Undefined when it cannot be told what it belongs to. */
  readonly owners: readonly OwnerName[] | undefined;
  /** The name that a destructured member gets in the test. */
  readonly local?: ts.Identifier;
  /** The change that makes it use another member. */
  rename(to: string): TextChange;
}

/** Every use of a member of this name in the file that can be rewritten. */
export function memberUses(member: string, world: ReceiverWorld): readonly MemberUse[] {
  const uses: MemberUse[] = [];
  const { tree } = world;
  visitNodes(tree.ast, (node) => {
    const use =
      accessUse(node, member, world) ?? patternUse(node, member, world) ?? keyUse(node, member, world);
    if (use !== undefined) uses.push(use);
  });
  return uses;
}

function accessUse(node: ts.Node, member: string, world: ReceiverWorld): MemberUse | undefined {
  const { tree } = world;
  const isNamed = ts.isPropertyAccessExpression(node) && node.name.text === member;
  const key = ts.isElementAccessExpression(node) ? unwrap(node.argumentExpression) : undefined;
  const isKeyed = key !== undefined && ts.isStringLiteralLike(key) && key.text === member;
  if ((!isNamed && !isKeyed) || (!ts.isPropertyAccessExpression(node) && !ts.isElementAccessExpression(node)))
    return undefined;
  const { parent } = node;
  const name = ts.isPropertyAccessExpression(node) ? node.name : key;
  if (name === undefined) return undefined;
  return {
    kind: ts.isCallExpression(parent) && parent.expression === node ? 'call' : 'read',
    node: name,
    receiver: textOf(tree, node.expression),
    owners: ownersOfExpression(node.expression, world),
    rename: (to) => replaceName(tree, name, to),
  };
}

/** `const { total } = cart()` keeps its local name. */
function patternUse(node: ts.Node, member: string, world: ReceiverWorld): MemberUse | undefined {
  if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent) || keyOf(node) !== member)
    return undefined;
  const { tree } = world;
  const holder = node.parent.parent;
  const value = ts.isVariableDeclaration(holder) ? holder.initializer : undefined;
  const key = node.propertyName ?? node.name;
  const name = node.name;
  return {
    kind: 'taken',
    node: key,
    receiver: value === undefined ? '' : textOf(tree, value),
    owners: value === undefined ? undefined : ownersOfExpression(value, world),
    ...(ts.isIdentifier(name) && { local: name }),
    rename: (to) =>
      node.propertyName === undefined
        ? { start: startOf(tree, key), end: key.end, newText: `${to}: ${member}` }
        : replaceName(tree, key, to),
  };
}

function keyUse(node: ts.Node, member: string, world: ReceiverWorld): MemberUse | undefined {
  if (!ts.isObjectLiteralElementLike(node) || ts.isSpreadAssignment(node) || keyOf(node) !== member)
    return undefined;
  const { tree } = world;
  const literal = node.parent;
  if (!ts.isObjectLiteralExpression(literal) || node.name === undefined) return undefined;
  if (ts.isComputedPropertyName(node.name)) return undefined;
  const { name } = node;
  return {
    kind: 'given',
    node: name,
    receiver: '',
    owners: ownersOfLiteral(literal, world),
    rename: (to) => renameKey(tree, node, name, to),
  };
}

/** The key of a property of an object literal with another name; its value stays. */
export function renameKey(
  tree: SourceTree,
  property: ts.ObjectLiteralElementLike,
  name: ts.PropertyName,
  to: string,
): TextChange {
  const start = startOf(tree, name);
  return ts.isShorthandPropertyAssignment(property)
    ? { start, end: name.end, newText: `${to}: ${property.name.text}` }
    : replaceName(tree, name, to);
}

/** Keeps the quotes of a quoted name. */
function replaceName(tree: SourceTree, name: ts.Node, to: string): TextChange {
  const isQuoted = ts.isStringLiteralLike(name);
  return { start: startOf(tree, name) + (isQuoted ? 1 : 0), end: name.end - (isQuoted ? 1 : 0), newText: to };
}
