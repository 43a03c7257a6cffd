// The objects and classes that a test makes to stand for something of the source.
import ts from 'typescript';
import { propertyKey } from '../../syntax/javascript/literalSource.ts';
import { unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { DeclaredMember } from './memberType.ts';

export type Double = ts.ObjectLiteralExpression | ts.ClassLikeDeclaration;

/**
 * Those that lack the member and stand for its owner: declared so, else objects with nothing that the owner does not have, one
 * function at least among it.
 */
export function testDoubles(
  { ast }: SourceTree,
  name: string,
  type: DeclaredMember,
  isReached: (node: ts.Node) => boolean,
): readonly Double[] {
  const declared: Double[] = [];
  const alike: Double[] = [];
  visitNodes(ast, (node) => {
    if (!isReached(node)) return;
    if (ts.isClassLike(node)) {
      const isOne = node.heritageClauses?.some(
        ({ token, types }) =>
          token === ts.SyntaxKind.ImplementsKeyword &&
          types.some((one) => one.expression.getText() === type.owner),
      );
      if (isOne === true && !keysOf(node).includes(name)) declared.push(node);
    } else if (ts.isObjectLiteralExpression(node)) {
      const keys = keysOf(node);
      if (keys.includes(name) || node.properties.some(ts.isSpreadAssignment)) return;
      const types = declaredTypes(node);
      if (types.includes(type.owner)) declared.push(node);
      else if (
        types.length === 0 &&
        keys.length > 0 &&
        hasFunction(node) &&
        keys.every((key) => isMember(key, type))
      )
        alike.push(node);
    }
  });
  return declared.length > 0 ? declared : alike;
}

const isMember = (key: string | undefined, { members, lost }: DeclaredMember): boolean =>
  key !== undefined && (members.has(key) || lost.has(key));

export function keysOf(double: Double): readonly (string | undefined)[] {
  const parts: readonly (ts.ObjectLiteralElementLike | ts.ClassElement)[] = ts.isObjectLiteralExpression(
    double,
  )
    ? double.properties
    : double.members;
  return parts.map(({ name }) => name && propertyKey(name));
}

/** Names of types around an object: `const a: T = {…}`, `{…} as T`, also of `as unknown as T` and `Partial<T>`. */
function declaredTypes(node: ts.ObjectLiteralExpression): readonly string[] {
  const names: string[] = [];
  const add = (type: ts.TypeNode | undefined): void => {
    if (type !== undefined && ts.isTypeReferenceNode(type)) {
      if (/^(?:Partial|Pick|Readonly|Mocked|MockedObject)$/.test(type.typeName.getText()))
        add(type.typeArguments?.[0]);
      else names.push(type.typeName.getText());
    }
  };
  let value: ts.Node = node;
  while (unwrap(value.parent) !== value.parent) {
    value = value.parent;
    if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value) || ts.isTypeAssertionExpression(value))
      add(value.type);
  }
  const { parent } = value;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyDeclaration(parent)) add(parent.type);
  if (ts.isArrowFunction(parent)) add(parent.type);
  return names;
}

function hasFunction({ properties }: ts.ObjectLiteralExpression): boolean {
  return properties.some((one) => {
    if (ts.isMethodDeclaration(one)) return true;
    if (!ts.isPropertyAssignment(one)) return false;
    const value = unwrap(one.initializer);
    return ts.isArrowFunction(value) || ts.isFunctionExpression(value) || isMock(value);
  });
}

/** `vi.fn()`, `jest.fn()` */
export const isMock = (value: ts.Expression): boolean =>
  ts.isCallExpression(value) && /^(?:vi|jest)\.fn$/.test(value.expression.getText());
