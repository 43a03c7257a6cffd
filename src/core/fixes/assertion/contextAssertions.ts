// Assertions on the argument of a test, as AVA's `t.is(actual, expected)`: what of them a syntax tree tells.
import ts from 'typescript';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { staticValue } from '../../syntax/javascript/literalSource.ts';
import { unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { AssertionSite } from './assertionSite.ts';
import type { MatchMode } from './sameValue.ts';

const modes: ReadonlyMap<string, MatchMode> = new Map([
  ['is', 'strict'],
  ['deepEqual', 'strict'],
  ['like', 'subset'],
]);

/** `t.is(actual, expected)`, whatever the parameter is called, in the test itself or in a function that it is handed to. */
export function contextSite(tree: SourceTree, call: ts.CallExpression): AssertionSite | undefined {
  const name = contextAssertion(call);
  const mode = name === undefined ? undefined : modes.get(name);
  const [first, second] = call.arguments;
  if (mode === undefined || first === undefined || second === undefined) return undefined;
  // Some write the expected side first; what `t.like` takes for a pattern is always the second.
  const swapped =
    mode === 'strict' &&
    staticValue(first) !== undefined &&
    staticValue(second) === undefined &&
    !ts.isIdentifier(unwrap(second));
  return {
    tree,
    call,
    matcher: `t.${name}`,
    actual: swapped ? second : first,
    expected: swapped ? first : second,
    mode,
    negated: false,
    swapped,
  };
}

/** Subject and expectations of `t.throws(subject, { message })` and `t.throwsAsync`. */
export function contextThrows(
  call: ts.CallExpression,
): readonly [subject: ts.Expression, args: readonly ts.Expression[]] | undefined {
  const [subject, expectations] = call.arguments;
  if (subject === undefined || expectations === undefined) return undefined;
  if (!/^throws(?:Async)?$/.test(contextAssertion(call) ?? '')) return undefined;
  // The message of the assertion, which comes third, expects nothing.
  return [subject, [expectations]];
}

/** The method of a parameter that is called: which parameter it is, the place of the failure tells. */
function contextAssertion({ expression: callee }: ts.CallExpression): string | undefined {
  if (!ts.isPropertyAccessExpression(callee) || !ts.isIdentifier(callee.expression)) return undefined;
  return bindingOf(callee.expression)?.kind === 'parameter' ? callee.name.text : undefined;
}
