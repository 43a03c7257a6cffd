// Who waits until an assertion holds still asks the same: not that something is absent, and no step of the test again and again.
import ts from 'typescript';
import type { AssertionFact } from './assertionFacts.ts';
import type { FileFacts } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf } from './parseSource.ts';
import { waiterKind } from './waiters.ts';

export const waitingRules = noNewMarks(function* (facts: FileFacts): Generator<Mark> {
  const marks: Mark[] = [];
  // Counted by test, whatever is waited for: it may have another name now.
  const add = (rule: string, node: ts.Node, text: string, key = 'wait'): void => {
    marks.push({ rule, owner: facts.tree.ownerOf(node), key, line: lineOf(node), text });
  };
  for (const fact of facts.assertions) {
    if (!isWaitedFor(fact.node)) continue;
    const { node, matcher } = fact;
    if (asksForAbsence(fact))
      add(
        'waited-absence',
        node,
        'What must not be there is not there yet: waiting for that proves nothing.',
      );
    else if (counts.test(matcher))
      add('waited-count', node, 'It holds as soon as the number is reached, also when more follows.');
  }
  const asserting = new Set(facts.assertions.map(({ node }) => node));
  visitNodes(facts.source, (node) => {
    if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return;
    const limit = waitsFor(node) ? node.arguments?.[1] : undefined;
    if (limit !== undefined && ts.isNumericLiteral(limit) && Number(limit.text) > 5000)
      add('longer-timeout', node, 'Nothing is waited for as long as this.', `wait ${limit.text}`);
    if (!isWaitedFor(node) || isPartOfAssertion(node, asserting) || isRead(node)) return;
    const step = node.expression.getText();
    add('retried-step', node, `${step} is done again and again until the assertion holds.`);
  });
  yield* marks;
});

const waits = /^(?:waitFor|waitUntil|eventually)$/;

/** Inside of a function that is called until it throws nothing, or gives what is expected. */
function isWaitedFor(node: ts.Node): boolean {
  for (let up = node; up.parent !== undefined; up = up.parent) {
    const { parent } = up;
    if (ts.isCallExpression(parent) && isPoll(parent) && parent.expression !== up) return true;
    if (isPoll(up)) return true;
    if (!ts.isFunctionLike(up) || !ts.isCallExpression(parent) || parent.expression === up) continue;
    if (waitsFor(parent)) return true;
  }
  return false;
}

/** Also by a function that only has such a name. */
function waitsFor(call: ts.CallExpression | ts.NewExpression): boolean {
  const callee = unwrap(call.expression);
  if (ts.isCallExpression(call) && waiterKind(call) === 'waits') return true;
  return waits.test(ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText());
}

/** `expect.poll(…)`, also as the beginning of an assertion. */
function isPoll(node: ts.Node): boolean {
  let start = node;
  while (ts.isCallExpression(start) || ts.isPropertyAccessExpression(start)) {
    const isMember = ts.isPropertyAccessExpression(start) && start.name.text === 'poll';
    if (isMember && start.getText() === 'expect.poll') return node !== start;
    start = start.expression;
  }
  return false;
}

const absent =
  /^(?:toBeNull|toBeUndefined|toBeFalsy|toBeNaN|toBeEmpty\w*|not[A-Z]\w*|isNull|isUndefined|isNot\w*|isFalse|isEmpty|doesNot\w*)$/;
const counts =
  /^(?:(?:deep\.)?(?:lengthOf|length)|toHaveLength|\w*Called(?:Times|Once)|\w*ReturnedTimes|toHaveBeenCalledExactlyOnceWith)$/;

function asksForAbsence({ negated, matcher, args: [expected] }: AssertionFact): boolean {
  if (negated || absent.test(matcher)) return true;
  const node = expected === undefined ? undefined : unwrap(expected);
  if (node === undefined) return false;
  const isEmpty =
    (ts.isArrayLiteralExpression(node) && node.elements.length === 0) ||
    (ts.isObjectLiteralExpression(node) && node.properties.length === 0);
  return isEmpty || /^(?:false|null|undefined|NaN|-?0n?|''|""|``|void 0)$/.test(node.getText());
}

/** `expect(…)`, `.toBe(…)` and what lies between them; not what is handed to them. */
function isPartOfAssertion(node: ts.Node, asserting: ReadonlySet<ts.Node>): boolean {
  for (let up = node; ; up = up.parent) {
    if (asserting.has(up)) return true;
    const { parent } = up;
    const isLink =
      (ts.isCallExpression(parent) || ts.isPropertyAccessExpression(parent)) && parent.expression === up;
    if (!isLink) return false;
  }
}

const reads =
  /^(?:vi|jest)\.mocked$|(?:^|\.)(?:(?:get|find|query)(?:All)?By\w+|querySelector(?:All)?|getElement\w+|getAttribute|within|(?:any|objectContaining|arrayContaining|stringContaining|stringMatching|closeTo))$/;

/** Looks at a page or a mock and changes nothing. */
function isRead(call: ts.CallExpression | ts.NewExpression): boolean {
  return ts.isCallExpression(call) && reads.test(unwrap(call.expression).getText());
}
