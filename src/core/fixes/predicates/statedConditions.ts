// Assertions that state a condition: `expect(a.startsWith('b')).toBe(true)`, `assert(…)`, `expect(a).toBeLessThan(5)`.
import ts from 'typescript';
import { predicateOf, type Limit, type Predicate } from '../../syntax/javascript/predicates.ts';
import { unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import {
  assertName,
  chainNames,
  chainRoot,
  isAssertLibrary,
  isExpect,
  sitesAt,
} from '../assertion/assertionCalls.ts';
import { contextAssertion } from '../assertion/contextAssertions.ts';
import type { StackPlace } from '../assertion/stackPlaces.ts';

export interface StatedCondition {
  readonly tree: SourceTree;
  readonly call: ts.CallExpression;
  readonly predicate: Predicate;
}

/** The one condition that is stated at the place to be true; undefined when there is none, or more than one that it could be. */
export function statedConditionAt(tree: SourceTree, place: StackPlace): StatedCondition | undefined {
  const { exact, onLine } = sitesAt(tree, place, (call) => stated(tree, call));
  const sites = exact.length > 0 ? exact : onLine;
  return sites.length === 1 ? sites[0] : undefined;
}

function stated(tree: SourceTree, call: ts.CallExpression): StatedCondition | undefined {
  const condition = statedToHold(call);
  const predicate = condition === undefined ? statedLimit(call) : predicateOf(condition);
  return predicate && { tree, call, predicate };
}

/** What the call says to be true, in whatever words; what it says to be false is no condition that could be opened. */
function statedToHold(call: ts.CallExpression): ts.Expression | undefined {
  const [first, second] = call.arguments;
  const subject = expectedSubject(call);
  if (subject !== undefined) {
    const [matcher] = chainNames(call);
    const isSaid = matcher?.text === 'toBeTruthy' || (saysEqual.test(matcher?.text ?? '') && isTrue(first));
    return isSaid ? subject : undefined;
  }
  // expect(…).to.be.true
  if (isExpect(call.expression)) return saysTrueByName(call) ? first : undefined;
  const name =
    assertName(call.expression, /^(?:ok|isTrue|isOk|equal|strictEqual)$/) ?? contextAssertion(call);
  if (name === undefined)
    return ts.isIdentifier(call.expression) && isAssertLibrary(call.expression) ? first : undefined;
  if (/^(?:ok|isTrue|isOk|true|truthy|assert)$/.test(name)) return first;
  return /^(?:equal|strictEqual|is)$/.test(name) && isTrue(second) ? first : undefined;
}

const saysEqual = /^(?:toBe|toEqual|toStrictEqual|equal|equals|eq|eql)$/;

const isTrue = (node: ts.Expression | undefined): boolean =>
  node !== undefined && unwrap(node).kind === ts.SyntaxKind.TrueKeyword;

/** The argument of `expect(…)` where a matcher of it is called, with nothing between that turns or delays it. */
function expectedSubject(call: ts.CallExpression): ts.Expression | undefined {
  const root = chainRoot(call);
  if (root === undefined || root === call || !isExpect(root.expression)) return undefined;
  const turns = chainNames(call).some(({ text }) => /^(?:not|never|resolves|rejects|eventually)$/.test(text));
  return turns ? undefined : root.arguments[0];
}

function saysTrueByName(call: ts.CallExpression): boolean {
  const names: string[] = [];
  let node: ts.Node = call;
  for (; ts.isPropertyAccessExpression(node.parent) && node.parent.expression === node; node = node.parent)
    names.push(node.parent.name.text);
  const isCalled = ts.isCallExpression(node.parent) && node.parent.expression === node;
  return !isCalled && /^(?:true|ok)$/.test(names.at(-1) ?? '') && !names.includes('not');
}

const limitMatchers: ReadonlyMap<string, Limit> = new Map([
  ['toBeGreaterThan', '>'],
  ['toBeGreaterThanOrEqual', '>='],
  ['toBeLessThan', '<'],
  ['toBeLessThanOrEqual', '<='],
  ['above', '>'],
  ['greaterThan', '>'],
  ['gt', '>'],
  ['least', '>='],
  ['gte', '>='],
  ['below', '<'],
  ['lessThan', '<'],
  ['lt', '<'],
  ['most', '<='],
  ['lte', '<='],
  ['isAbove', '>'],
  ['isAtLeast', '>='],
  ['isBelow', '<'],
  ['isAtMost', '<='],
]);

/** `expect(a).toBeLessThan(5)`, `assert.isAtMost(a, 5)`. */
function statedLimit(call: ts.CallExpression): Predicate | undefined {
  const subject = expectedSubject(call);
  const [first, second] = call.arguments;
  const name =
    subject === undefined
      ? assertName(call.expression, /^is(?:Above|AtLeast|Below|AtMost)$/)
      : chainNames(call)[0]?.text;
  const operator = limitMatchers.get(name ?? '');
  const [operand, literal] = subject === undefined ? [first, second] : [subject, first];
  if (operator === undefined || operand === undefined || literal === undefined) return undefined;
  return { of: 'operand', path: [], operand, question: { kind: 'limit', operator, literal } };
}
