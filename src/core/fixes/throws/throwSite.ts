// Finds the assertion about a thrown error, and where in it the expected text or pattern is written.
import ts from 'typescript';
import type { Value } from '../../model/value.ts';
import { propertyKey, staticValue } from '../../syntax/javascript/literalSource.ts';
import { asksForError } from '../../syntax/javascript/matchers.ts';
import { unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { assertName, chainNames, chainRoot, isExpect, sitesAt } from '../assertion/assertionCalls.ts';
import { contextThrows } from '../assertion/contextAssertions.ts';
import type { StackPlace } from '../assertion/stackPlaces.ts';

export interface ThrowSite {
  readonly tree: SourceTree;
  readonly call: ts.CallExpression;
  /** What was called, as a function or a promise. */
  readonly subject: ts.Expression;
  /** The expression of the expected text or pattern. */
  readonly text: ts.Expression;
  /** The text must be the whole message, as in `{ message: 'x' }` and `new Error('x')`, not a part of it. */
  readonly isWhole: boolean;
}

const assertThrowing = /^(?:throws|rejects)$/;

/** The one assertion about an error at the place, or undefined. */
export function throwSiteAt(tree: SourceTree, place: StackPlace, expected: Value): ThrowSite | undefined {
  const { exact, onLine } = sitesAt(tree, place, (call) => siteOf(tree, call, expected));
  if (exact.length === 1) return exact[0];
  return onLine.length === 1 ? onLine[0] : undefined;
}

function siteOf(tree: SourceTree, call: ts.CallExpression, expected: Value): ThrowSite | undefined {
  const [subject, args] = expectParts(call) ?? assertParts(call) ?? contextThrows(call) ?? [];
  if (subject === undefined || args === undefined) return undefined;
  const places = args.flatMap(textPlaces);
  const fitting = places.filter(({ text }) => fits(text, expected));
  const [place] = fitting;
  return place === undefined || fitting.length > 1 ? undefined : { tree, call, subject, ...place };
}

type Parts = readonly [subject: ts.Expression, args: readonly ts.Expression[]];

function expectParts(call: ts.CallExpression): Parts | undefined {
  const [matcher] = chainNames(call);
  const root = chainRoot(call);
  const [subject] = root?.arguments ?? [];
  if (matcher === undefined || root === undefined || subject === undefined) return undefined;
  return asksForError.test(matcher.text) && isExpect(root.expression) ? [subject, call.arguments] : undefined;
}

function assertParts(call: ts.CallExpression): Parts | undefined {
  const [subject, ...args] = call.arguments;
  if (subject === undefined || assertName(call.expression, assertThrowing) === undefined) return undefined;
  return [subject, args];
}

/** Where an argument writes the message down: itself, in an object with a message, or in a new error. */
function textPlaces(argument: ts.Expression): readonly Pick<ThrowSite, 'text' | 'isWhole'>[] {
  const node = unwrap(argument);
  if (ts.isObjectLiteralExpression(node))
    return node.properties.flatMap((property) =>
      ts.isPropertyAssignment(property) && propertyKey(property.name) === 'message'
        ? [
            {
              text: property.initializer,
              isWhole: !ts.isRegularExpressionLiteral(unwrap(property.initializer)),
            },
          ]
        : [],
    );
  if (ts.isNewExpression(node) || isErrorCall(node)) {
    const [message] = node.arguments ?? [];
    return message === undefined ? [] : [{ text: message, isWhole: true }];
  }
  return ts.isFunctionLike(node) ? [] : [{ text: node, isWhole: false }];
}

/** `TypeError('…')` makes an error without `new`. */
function isErrorCall(node: ts.Expression): node is ts.CallExpression {
  return (
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    /^(?:[A-Z]\w*)?Error$/.test(node.expression.text)
  );
}

/** A text or pattern other than the recorded one stands for something else; what is computed may be it. */
function fits(text: ts.Expression, expected: Value): boolean {
  const node = unwrap(text);
  if (ts.isRegularExpressionLiteral(node))
    return expected.kind === 'regexp' && node.text === `/${expected.source}/${expected.flags}`;
  const value = staticValue(node);
  if (value !== undefined)
    return value.kind === 'string' && expected.kind === 'string' && value.value === expected.value;
  // A name in capitals is a class of errors: `toThrow(RangeError, text)`.
  return expected.kind === 'string' && !(ts.isIdentifier(node) && /^[A-Z]\w*[a-z]/.test(node.text));
}
