// The expectation side of an input that the source refuses now: "does not throw" becomes "throws", for a person to choose.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import { thrownIn, type CapturedAssertion } from '../../model/value.ts';
import { stringSource } from '../../syntax/javascript/literalSource.ts';
import { styleOf, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { chainNames, chainRoot, isExpect, sitesAt } from '../assertion/assertionCalls.ts';
import { stackPlaces } from '../assertion/stackPlaces.ts';

/** `expect(f).not.toThrow()` → `expect(f).toThrow('message')`; undefined for other forms. */
export function nowThrows(
  captured: CapturedAssertion,
  tree: SourceTree,
  root: string,
): readonly TextChange[] | undefined {
  const { actual, negated, stack } = captured;
  if (!negated || thrownIn(captured)?.className === undefined || actual.kind !== 'string') return undefined;
  const place = stackPlaces(stack, root).find(({ file }) => file === tree.file);
  if (place === undefined) return undefined;
  const { exact, onLine } = sitesAt(tree, place, notThrowing);
  const [site, ...others] = exact.length > 0 ? exact : onLine;
  if (site === undefined || others.length > 0 || site.call.arguments.length > 0) return undefined;
  const message = actual.value;
  // What differs from machine to machine, or is a page long, is not expected in words.
  const isPlain =
    message !== '' && message.length <= 200 && !message.includes(root) && !message.includes('\n');
  const text = isPlain ? stringSource(message, styleOf(tree).quote) : '';
  return [
    { start: site.not.expression.end, end: site.not.name.end, newText: '' },
    { start: site.call.end - 1, end: site.call.end - 1, newText: text },
  ].filter(({ start, end, newText }) => end > start || newText !== '');
}

interface NotThrowing {
  readonly call: ts.CallExpression;
  readonly not: ts.PropertyAccessExpression;
}

function notThrowing(call: ts.CallExpression): NotThrowing | undefined {
  const [matcher, not, ...others] = chainNames(call);
  const root = chainRoot(call);
  if (root === undefined || !isExpect(root.expression) || others.length > 0) return undefined;
  if (!/^(?:toThrow|toThrowError)$/.test(matcher?.text ?? '') || not?.text !== 'not') return undefined;
  return ts.isPropertyAccessExpression(not.parent) ? { call, not: not.parent } : undefined;
}
