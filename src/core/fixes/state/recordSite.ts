// Finds the mock whose records the failed assertion of a test looks at.
import ts from 'typescript';
import type { TestResult } from '../../model/testResult.ts';
import { asksForCalls } from '../../syntax/javascript/matchers.ts';
import { unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { chainNames, chainRoot, isExpect, sitesAt } from '../assertion/assertionCalls.ts';

/** Besides what `asksForCalls` tells of. */
const asksForOtherRecords =
  /^(?:toHaveBeenCalled(?:Once)?|toBeCalled|(?:toHaveReturned|toReturn)(?:Times|With)?|(?:toHaveLast|toHaveNth|last|nth)ReturnedWith)$/;
const records = /^(?:calls|results|lastCall|invocationCallOrder|contexts|instances|settledResults)$/;

/** The expression of the mock, as `send` in `expect(send).toHaveBeenCalledTimes(1)` and in `expect(send.mock.calls).toEqual([])`. */
export function mockLookedAt(
  tree: SourceTree,
  { location }: Pick<NonNullable<TestResult['failure']>, 'location'>,
): ts.Expression | undefined {
  if (location?.file !== tree.file) return undefined;
  const { exact, onLine } = sitesAt(tree, location, mockOf);
  const sites = exact.length > 0 ? exact : onLine;
  const [only, another] = [...new Set(sites)];
  return another === undefined ? only : undefined;
}

function mockOf(call: ts.CallExpression): ts.Expression | undefined {
  const [matcher] = chainNames(call);
  const root = chainRoot(call);
  const [subject] = root?.arguments ?? [];
  if (matcher === undefined || root === undefined || subject === undefined) return undefined;
  if (!isExpect(root.expression)) return undefined;
  const isAsked = asksForCalls.test(matcher.text) || asksForOtherRecords.test(matcher.text);
  return isAsked ? subject : recordedBy(subject);
}

/** `send` of `send.mock.calls[0]`, `send.mock.calls.map(…)`, `send.mock.calls.length` */
function recordedBy(subject: ts.Expression): ts.Expression | undefined {
  for (let node = unwrap(subject); ;) {
    if (ts.isCallExpression(node) || ts.isElementAccessExpression(node)) node = unwrap(node.expression);
    else if (ts.isPropertyAccessExpression(node)) {
      const on = unwrap(node.expression);
      if (records.test(node.name.text) && ts.isPropertyAccessExpression(on) && on.name.text === 'mock')
        return on.expression;
      node = on;
    } else return undefined;
  }
}
