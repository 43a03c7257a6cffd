// Objects without a prototype, as a source writes them: `{ __proto__: null, … }` and `Object.assign(Object.create(null), { … })`.
import ts from 'typescript';
import { replacedNames } from './globalNames.ts';

/** What a recorded value without a prototype has for the name of its class. */
export const bareClass = 'null prototype';

/** `__proto__: null` inside of an object literal: no key, but the word that the object has no prototype. */
export function isBareMark(property: ts.Node): boolean {
  return (
    ts.isPropertyAssignment(property) &&
    (ts.isIdentifier(property.name) || ts.isStringLiteral(property.name)) &&
    property.name.text === '__proto__' &&
    property.initializer.kind === ts.SyntaxKind.NullKeyword
  );
}

/** The object that is given a copy without a prototype: X of `Object.assign(Object.create(null), X)`. */
export function bareCopy(node: ts.Node): ts.Expression | undefined {
  const [target, source] = objectCall(node, 'assign', 2) ?? [];
  return target && isBareCreation(target) ? source : undefined;
}

/** `Object.create(null)`, in a file where `Object` can only be that of the language. */
export function isBareCreation(node: ts.Node): boolean {
  return objectCall(node, 'create', 1)?.[0]?.kind === ts.SyntaxKind.NullKeyword;
}

function objectCall(node: ts.Node, name: string, count: number): readonly ts.Expression[] | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: owner, name: called } = node.expression;
  const isMeant = ts.isIdentifier(owner) && owner.text === 'Object' && called.text === name;
  if (!isMeant || node.arguments.length !== count) return undefined;
  return replacedNames(node.getSourceFile(), objectOnly).size === 0 ? node.arguments : undefined;
}

const objectOnly: ReadonlySet<string> = new Set(['Object']);
