// What a mock recorded may be forgotten between tests, never between what a test does and what it asks about it.
import ts from 'typescript';
import { scriptVocabulary } from '../frameworks/vocabularies.ts';
import type { FileFacts } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { erasing, isQuiet, loudBeforeTests, nameOf } from '../syntax/javascript/quietCode.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf, writtenText } from './parseSource.ts';
import type { TestDefinition } from './testTree.ts';

const { hooks } = scriptVocabulary;

export const erasedCallRules = noNewMarks(function* (facts: FileFacts): Generator<Mark> {
  const marks: Mark[] = [];
  // Counted by test, whatever is forgotten: it may have another name now.
  const add = (node: ts.Node, text: string): void => {
    marks.push({
      rule: 'erased-calls',
      owner: facts.tree.ownerOf(node),
      key: 'forget',
      line: lineOf(node),
      text,
    });
  };
  const usesSinon = [...facts.bindings.imports.values()].some(({ module }) =>
    /^(?:sinon|(?:node:)?test)$/.test(module),
  );
  visitNodes(facts.source, (node) => {
    if (ts.isCallExpression(node)) {
      const name = nameOf(unwrap(node.expression));
      const isReset =
        name === 'reset' && (usesSinon || /^(?:sinon|sandbox)\b/.test(node.expression.getText()));
      if (isReset || (name !== undefined && erasing.test(name))) {
        if (!isBetweenTests(node, facts))
          add(node, `${node.getText()} clears mock calls that the same test may have made.`);
        return;
      }
      if (isBuiltCall(node))
        add(node, `The function called by ${node.getText()} cannot be determined: it may clear mock calls.`);
    } else if (isMention(node)) add(node, `${node.getText()} may clear mock calls at an unknown time.`);
    else if (changesRecords(node)) add(node, `${node.getText()} changes the calls that a mock recorded.`);
  });
  yield* marks;
});

/** A name that forgets calls, as anything but what is called right there. */
function isMention(node: ts.Node): boolean {
  const text = writtenText(node) ?? (ts.isIdentifier(node) ? node.text : undefined);
  if (text === undefined || !erasing.test(text)) return false;
  const access = node.parent;
  const isMember =
    (ts.isPropertyAccessExpression(access) && access.name === node) ||
    (ts.isElementAccessExpression(access) && access.argumentExpression === node);
  if (!isMember) return !ts.isBinaryExpression(access);
  let up: ts.Node = access;
  while (unwrap(up.parent) !== up.parent) up = up.parent;
  return !(ts.isCallExpression(up.parent) && unwrap(up.parent.expression) === access);
}

/** `send['mock' + what]()`: a member whose name is put together. */
function isBuiltCall({ expression }: ts.CallExpression): boolean {
  const callee = unwrap(expression);
  if (!ts.isElementAccessExpression(callee)) return false;
  const key = unwrap(callee.argumentExpression);
  return !ts.isStringLiteralLike(key) && !ts.isNumericLiteral(key);
}

const records = /\.mock\.(?:calls|results|instances|contexts|lastCall|invocationCallOrder|settledResults)\b/;

/** `send.mock.calls.length = 0`, `send.mock.calls.pop()` */
function changesRecords(node: ts.Node): boolean {
  const isAssignment =
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind >= ts.SyntaxKind.FirstAssignment &&
    node.operatorToken.kind <= ts.SyntaxKind.LastAssignment;
  if (isAssignment) return records.test(unwrap(node.left).getText());
  return (
    ts.isPropertyAccessExpression(node) &&
    /^(?:pop|shift|splice|fill|copyWithin)$/.test(node.name.text) &&
    records.test(node.expression.getText())
  );
}

/** Nothing of the code runs before all tests, and it is in a hook before each test that nothing runs before, in one after each test when no such hook asserts, or first in a test. */
function isBetweenTests(call: ts.CallExpression, facts: FileFacts): boolean {
  const { definitions } = facts.tree;
  const step = stepOf(call);
  const own = definitions.find(({ callback }) => callback !== undefined && callback === functionAround(call));
  if (step === undefined || own === undefined || own.kind === 'suite') return false;
  if (loudBeforeTests(facts.source, scriptVocabulary) !== undefined) return false;
  if (own.kind === 'hook' && hooks.get(own.title) === 'afterEach')
    return !definitions.some(({ kind, title, key }) => {
      const isAfter =
        kind === 'hook' && (hooks.get(title)?.startsWith('after') === true || title.startsWith('around'));
      return isAfter && facts.assertions.some(({ owner }) => owner === key);
    });
  if (own.kind === 'hook' && !isBeforeEach(own)) return false;
  const earlier = stepsBefore(step);
  const around = definitions.filter((other) => isBeforeEach(other) && runsBefore(other, own));
  return (
    earlier.every(isQuiet) && around.every(({ callback }) => callback !== undefined && isQuiet(callback))
  );
}

const isBeforeEach = ({ kind, title }: TestDefinition): boolean =>
  kind === 'hook' && hooks.get(title) === 'beforeEach';

/** The statement that does nothing else, or the function whose whole body this is. */
function stepOf(call: ts.CallExpression): ts.Node | undefined {
  let node: ts.Node = call;
  while (unwrap(node.parent) !== node.parent || ts.isAwaitExpression(node.parent)) node = node.parent;
  if (ts.isArrowFunction(node.parent) && node.parent.body === node) return node;
  const { parent } = node;
  if (!ts.isExpressionStatement(parent) || !ts.isBlock(parent.parent)) return undefined;
  return ts.isFunctionLike(parent.parent.parent) ? parent : undefined;
}

function functionAround(node: ts.Node): ts.Node | undefined {
  let up: ts.Node | undefined = node.parent;
  while (up !== undefined && !ts.isFunctionLike(up)) up = up.parent;
  return up;
}

function stepsBefore(step: ts.Node): readonly ts.Node[] {
  if (!ts.isBlock(step.parent)) return [];
  return step.parent.statements.slice(
    0,
    step.parent.statements.findIndex((one) => one === step),
  );
}

/** Hooks of suites around come first, and those of one suite in the order in which they stand. */
function runsBefore(hook: TestDefinition, other: TestDefinition): boolean {
  if (hook === other) return false;
  const suite = functionAround(hook.node);
  for (let up = functionAround(other.node); ; up = functionAround(up)) {
    if (suite === up)
      return up !== functionAround(other.node) || other.kind === 'test' || hook.node.pos < other.node.pos;
    if (up === undefined) return false;
  }
}
