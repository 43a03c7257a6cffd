// Finds the assertion about the calls of a mock, and the arguments that it names.
import type ts from 'typescript';
import type { CapturedAssertion, Value } from '../../model/value.ts';
import { staticValue } from '../../syntax/javascript/literalSource.ts';
import { asksForCalls } from '../../syntax/javascript/matchers.ts';
import type { SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { chainNames, chainRoot, isExpect, sitesAt } from '../assertion/assertionCalls.ts';
import { sameValue } from '../assertion/sameValue.ts';
import type { StackPlace } from '../assertion/stackPlaces.ts';

export interface CallSite {
  readonly tree: SourceTree;
  readonly call: ts.CallExpression;
  readonly matcher: string;
  readonly mock: ts.Expression;
  /** The arguments of the expected call, or the expected number of calls. */
  readonly args: readonly ts.Expression[];
}

/** The one assertion about calls at the place, or undefined. */
export function callSiteAt(
  tree: SourceTree,
  place: StackPlace,
  { matcher, expected }: Pick<CapturedAssertion, 'matcher' | 'expected'>,
): CallSite | undefined {
  const { exact, onLine } = sitesAt(tree, place, (call) => siteOf(tree, call));
  if (exact.length === 1) return exact[0];
  const named = onLine.filter((site) => site.matcher === matcher);
  const likely = named.length > 1 ? named.filter((site) => mayExpect(site, expected)) : named;
  return likely.length === 1 ? likely[0] : undefined;
}

function siteOf(tree: SourceTree, call: ts.CallExpression): CallSite | undefined {
  const [matcher] = chainNames(call);
  const root = chainRoot(call);
  const [mock] = root?.arguments ?? [];
  if (matcher === undefined || root === undefined || mock === undefined) return undefined;
  if (!asksForCalls.test(matcher.text) || !isExpect(root.expression)) return undefined;
  const args = /nth/i.test(matcher.text) ? call.arguments.slice(1) : call.arguments;
  return { tree, call, matcher: matcher.text, mock, args };
}

/** False only when an argument certainly has another value. */
function mayExpect({ args }: CallSite, expected: Value): boolean {
  const values = expected.kind === 'array' ? expected.items : [expected];
  return (
    args.length === values.length &&
    args.every((arg, index) => {
      const [value, wanted] = [staticValue(arg), values[index]];
      return value === undefined || (wanted !== undefined && sameValue(value, wanted, 'loose'));
    })
  );
}
