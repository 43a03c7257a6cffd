// Questions that waiting makes worthless: how many there are, and what holds as long as nothing is there.
import ts from 'typescript';
import { unwrap, visitNodes } from '../../syntax/javascript/sourceTree.ts';

/** Holds of what has not begun yet. */
export const atMost =
  /^(?:toBeLessThan\w*|below|lessThan\w*|isBelow|isAtMost|most|lt|lte|within|isWithin|toBeWithin)$/;

const numbers = /(?:\.(?:length|size|count|callCount|called(?:Once|Twice|Thrice))|\.callCount\(\))$/i;
const records = /\.(?:calls|results|lastCall|invocationCallOrder|args)$|\.getCalls\(\)$/;

/** How many there are, also as all that a mock recorded. */
export function isCounted(subject: ts.Expression | undefined): boolean {
  const text = subject === undefined ? '' : unwrap(subject).getText();
  return numbers.test(text) || records.test(text);
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
