// Questions that waiting makes worthless: how many there are, and what holds as long as nothing is there.
import ts from 'typescript';
import { unwrap, visitNodes } from '../../syntax/javascript/sourceTree.ts';

/** Matchers that may hold of what has not begun yet. */
export const absent = new RegExp(
  `^(?:${[
    'toBeNull|toBeUndefined|toBeFalsy|toBeNaN|toBeEmpty\\w*|toBeOneOf|toSatisfy|toBeLessThan\\w*|toBeWithin',
    'isNull|isUndefined|isNot\\w*|isFalse|isEmpty|isBelow|isAtMost|isWithin|lessThan\\w*|doesNot\\w*|not[A-Z]\\w*',
    'null|undefined|false|empty|NaN|oneOf|satisfy|satisfies|below|most|lt|lte|within',
  ].join('|')})$`,
);
const counts =
  /^(?:(?:deep\.)?(?:lengthOf|length)|toHaveLength|toHaveCount|\w*Called(?:Times|Once)|\w*Return(?:ed)?Times|toHaveBeenCalledExactlyOnceWith|callCount|called(?:Once|Twice|Thrice)\w*)$/;
const numbers = /(?:\.(?:length|size|count|callCount|called(?:Once|Twice|Thrice))|\.callCount\(\))$/i;
const records = /\.(?:calls|results|lastCall|invocationCallOrder|args)$|\.getCalls\(\)$/;

/** How many there are, also as all that a mock recorded. */
export function isCounted(matcher: string, subject: ts.Expression | undefined): boolean {
  const text = subject === undefined ? '' : unwrap(subject).getText();
  return counts.test(matcher) || numbers.test(text) || records.test(text);
}

/** `!x`, `x === undefined`, `x ? 0 : 1`: what is asked of it may hold because `x` is not there. */
export const isComputed = (node: ts.Node): boolean =>
  ts.isBinaryExpression(node) ||
  ts.isConditionalExpression(node) ||
  ts.isTypeOfExpression(node) ||
  (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken);

/** `expect.not.objectContaining(…)` */
export const isOpposite = (node: ts.Node): boolean =>
  ts.isPropertyAccessExpression(node) && node.name.text === 'not';

export function holds(node: ts.Node, what: (part: ts.Node) => boolean): boolean {
  let found = false;
  visitNodes(node, (part) => {
    found ||= what(part);
  });
  return found;
}
