// Who waits until an assertion holds still asks the same: not that something is absent, and no step of the test again and again.
import ts from 'typescript';
import { absent, holds, isComputed, isCounted, isOpposite } from '../fixes/waiting/waitedQuestions.ts';
import type { AssertionFact } from './assertionFacts.ts';
import type { FileFacts } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf } from './parseSource.ts';
import { isFunction } from './testTree.ts';
import { waiterKind } from './waiters.ts';

export const waitingRules = noNewMarks(function* (facts: FileFacts): Generator<Mark> {
  const marks: Mark[] = [];
  // Counted by test, whatever is waited for: it may have another name now.
  const add = (rule: string, node: ts.Node, text: string, key = 'wait'): void => {
    marks.push({ rule, owner: facts.tree.ownerOf(node), key, line: lineOf(node), text });
  };
  for (const fact of facts.assertions) {
    const { node, matcher } = fact;
    if (isPoll(node) && !fact.settled)
      add('removed-await', node, 'The polling is not awaited: the test may end before it.', 'poll');
    if (!isWaitedFor(node)) continue;
    if (fact.family === 'helper' || fact.family === 'manual')
      add('retried-step', node, `It is unclear what ${matcher} repeats until the assertion holds.`);
    else if (asksForAbsence(fact, facts))
      add(
        'waited-absence',
        node,
        'The assertion expects something to be absent: it may hold at once, so waiting proves nothing.',
      );
    else if (isCounted(matcher, fact.subject))
      add(
        'waited-count',
        node,
        'A polled number of calls holds as soon as it is reached, even if more calls follow.',
      );
  }
  const asserting = new Set(facts.assertions.map(({ node }) => node));
  visitNodes(facts.source, (node) => {
    for (const limit of limitsIn(node)) {
      const value = unwrap(limit);
      if (!ts.isNumericLiteral(value) || Number(value.text) > 5000)
        add(
          'longer-timeout',
          node,
          'The wait is longer than 5 s, or its length is not a literal.',
          `wait ${limit.getText()}`,
        );
    }
    const step = stepIn(node);
    if (step === undefined || !isWaitedFor(node) || isPartOfAssertion(node, asserting) || isRead(node))
      return;
    add('retried-step', node, `${step.getText()} is repeated until the assertion holds.`);
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

/** How long a wait takes at most: a number, or what says it in an object. */
function limitsIn(node: ts.Node): readonly ts.Node[] {
  if (!ts.isCallExpression(node) || !(waitsFor(node) || node.expression.getText() === 'expect.poll'))
    return [];
  const given = node.arguments[1];
  const options = given === undefined ? undefined : unwrap(given);
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return node.arguments.slice(1);
  return options.properties.flatMap((one): readonly ts.Node[] => {
    if (!ts.isPropertyAssignment(one)) return [one];
    return /^['"]?(?:timeout|interval)['"]?$/.test(one.name.getText()) ? [one.initializer] : [];
  });
}

/** What does something when it is run, or may do so. */
function stepIn(node: ts.Node): ts.Node | undefined {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return node.expression;
  if (ts.isTaggedTemplateExpression(node)) return node.tag;
  if (ts.isPostfixUnaryExpression(node) || ts.isDeleteExpression(node)) return node;
  if (ts.isPrefixUnaryExpression(node)) return /^(?:\+\+|--)/.test(node.getText()) ? node : undefined;
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
    return isAssignment ? node : undefined;
  }
  if (ts.isSpreadElement(node) || ts.isYieldExpression(node)) return node;
  if (ts.isAwaitExpression(node))
    return ts.isPropertyAccessExpression(unwrap(node.expression)) ? node : undefined;
  // A getter may do anything.
  if (!ts.isExpressionStatement(node)) return undefined;
  const read = unwrap(node.expression);
  const isCall =
    ts.isCallExpression(read) || ts.isAwaitExpression(read) || ts.isTaggedTemplateExpression(read);
  return isCall ||
    !(ts.isPropertyAccessExpression(read) || ts.isElementAccessExpression(read) || ts.isVoidExpression(read))
    ? undefined
    : node;
}

function asksForAbsence(fact: AssertionFact, facts: FileFacts): boolean {
  const { negated, matcher, subject, args } = fact;
  if (negated || absent.test(matcher)) return true;
  if (subject !== undefined && holds(subject, isComputed)) return true;
  if (args.some((arg) => holds(arg, (node) => isFunction(node) || isOpposite(node)))) return true;
  const [expected] = args;
  const node = expected === undefined ? undefined : unwrap(expected);
  if (node === undefined) return false;
  const named = ts.isIdentifier(node) ? facts.valuesFor(fact.owner)(node.text) : [];
  return [node, ...named].some((one) => isNothing(unwrap(one)));
}

function isNothing(node: ts.Node): boolean {
  const isEmpty =
    (ts.isArrayLiteralExpression(node) && node.elements.length === 0) ||
    (ts.isObjectLiteralExpression(node) && node.properties.length === 0);
  return (
    isEmpty || /^(?:false|null|undefined|NaN|-?0n?|''|""|``|void 0|['"]undefined['"])$/.test(node.getText())
  );
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
function isRead(call: ts.Node): boolean {
  return ts.isCallExpression(call) && reads.test(unwrap(call.expression).getText());
}
