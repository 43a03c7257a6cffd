// What a mock recorded may be forgotten between tests, never between what a test does and what it asks about it.
import ts from 'typescript';
import type { FileFacts } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf } from './parseSource.ts';
import type { TestDefinition } from './testTree.ts';

export const erasedCallRules = noNewMarks(function* (facts: FileFacts): Generator<Mark> {
  const marks: Mark[] = [];
  visitNodes(facts.source, (node) => {
    if (!ts.isCallExpression(node) || !erases(node) || isBetweenTests(node, facts)) return;
    const text = `${node.getText()} forgets calls of a mock that the same test may have made.`;
    // Counted by test, whatever is forgotten: it may have another name now.
    marks.push({
      rule: 'erased-calls',
      owner: facts.tree.ownerOf(node),
      key: 'forget',
      line: lineOf(node),
      text,
    });
  });
  yield* marks;
});

const erasing =
  /^(?:mockClear|mockReset|mockRestore|(?:clear|reset|restore)AllMocks|resetHistory|resetCalls)$/;

function erases(call: ts.CallExpression): boolean {
  const callee = unwrap(call.expression);
  if (ts.isPropertyAccessExpression(callee)) return erasing.test(callee.name.text);
  const key = ts.isElementAccessExpression(callee) ? unwrap(callee.argumentExpression) : undefined;
  return key !== undefined && ts.isStringLiteralLike(key) && erasing.test(key.text);
}

/** In a hook before each test that nothing runs before, in one after each test when no such hook asserts, or first in a test. */
function isBetweenTests(call: ts.CallExpression, facts: FileFacts): boolean {
  const { definitions } = facts.tree;
  const step = stepOf(call);
  const own = definitions.find(({ callback }) => callback !== undefined && callback === functionAround(call));
  if (step === undefined || own === undefined || own.kind === 'suite') return false;
  if (own.kind === 'hook' && /^(?:afterEach|teardown|onTestFinished)$/.test(own.title))
    return !definitions.some(({ kind, title, key }) => {
      const isAfter = kind === 'hook' && /^(?:after|teardown|onTestFinished|around)/.test(title);
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
  kind === 'hook' && /^(?:beforeEach|setup|aroundEach)$/.test(title);

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

const prepares = /^(?:vi|vitest|jest|sinon)\.(?!advance|run|import|wait)|\.mock[A-Z]\w*$/;

/** Does it nothing but prepare mocks and timers? */
function isQuiet(step: ts.Node): boolean {
  let quiet = true;
  visitNodes(step, (node) => {
    if (ts.isNewExpression(node) || ts.isTaggedTemplateExpression(node)) quiet = false;
    if (ts.isCallExpression(node)) quiet &&= erases(node) || prepares.test(unwrap(node.expression).getText());
  });
  return quiet;
}
