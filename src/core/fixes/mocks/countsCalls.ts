// Tells expectations of a number of calls from all other numbers.
import ts from 'typescript';
import { asksForLength } from '../../syntax/javascript/matchers.ts';
import { unwrap } from '../../syntax/javascript/sourceTree.ts';

/** `f.mock.callCount()`, `f.mock.calls.length`, `spy.callCount`, `spy.calls.count()`, and the length of a list of calls. */
export function countsCalls(subject: ts.Expression, matcher: string): boolean {
  const node = unwrap(subject);
  if (asksForLength.test(matcher)) return isCalls(node);
  const asked = ts.isCallExpression(node) && node.arguments.length === 0 ? unwrap(node.expression) : node;
  if (!ts.isPropertyAccessExpression(asked)) return false;
  const { name, expression } = asked;
  if (name.text === 'callCount') return true;
  return (asked === node ? name.text === 'length' : name.text === 'count') && isCalls(expression);
}

/** `f.mock.calls`, `spy.calls`, `spy.getCalls()` */
function isCalls(expression: ts.Expression): boolean {
  const node = unwrap(expression);
  const list = ts.isCallExpression(node) ? unwrap(node.expression) : node;
  if (!ts.isPropertyAccessExpression(list)) return false;
  return list.name.text === (list === node ? 'calls' : 'getCalls');
}
