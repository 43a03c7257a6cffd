// What decides whether a test, a row or an assertion runs keeps its value: `const slow = false`, `{skip: false}`, `rows.slice(0, 3)`.
import ts from 'typescript';
import { containsAny, unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { changedLiterals } from './changedLiterals.ts';
import type { FileFacts, Finding } from './fileFacts.ts';
import { lineOf } from './parseSource.ts';
import { testNames } from './testApi.ts';
import { valueFlow } from './valueFlow.ts';

/** Literals that became others, where either of them decides. */
export function* decidingRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  const changed = [...changedLiterals(before.source, after.source)];
  if (changed.length === 0) return;
  const [was, is] = [deciderOf(before), deciderOf(after)];
  for (const [old, now] of changed)
    if (was(old) || is(now))
      yield {
        rule: 'changed-condition',
        line: lineOf(now),
        text: `This value, which was ${old.getText().slice(0, 40)}, decides which parts of the tests run: a person must decide whether the change is intended.`,
      };
}

/** Says of a literal whether it reaches a place that decides. */
function deciderOf(facts: FileFacts): (node: ts.Node) => boolean {
  const deciding = decidingPlaces(facts);
  if (deciding.size === 0) return () => false;
  const flow = valueFlow(facts, () => false, deciding);
  return (node) => flow(node).decides;
}

function decidingPlaces(facts: FileFacts): ReadonlySet<ts.Node> {
  const manual = new Set(facts.assertions.flatMap(({ family, node }) => (family === 'manual' ? [node] : [])));
  const checks = new Set<ts.Node>([
    ...facts.assertions.map(({ node }) => node),
    ...facts.tree.definitions.map(({ node }) => node),
  ]);
  const places = new Set<ts.Node>();
  const holds = (node: ts.Node | undefined): boolean => node !== undefined && containsAny(node, checks);
  visitNodes(facts.source, (node) => {
    if (ts.isIfStatement(node)) {
      // What a check by hand compares is what it expects.
      const isManual = containsAny(node, manual);
      if (!isManual && (holds(node.thenStatement) || holds(node.elseStatement) || leaves(node.thenStatement)))
        places.add(node.expression);
    } else if (ts.isConditionalExpression(node)) {
      const choices = [node.whenTrue, node.whenFalse];
      if (choices.some((choice) => holds(choice) || isTestApi(choice))) places.add(node.condition);
    } else if (ts.isBinaryExpression(node) && isShortCircuit(node.operatorToken.kind)) {
      if (holds(node.right) || isTestApi(node.right)) places.add(node.left);
    } else if (ts.isForStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node)) {
      const condition = ts.isForStatement(node) ? node.condition : node.expression;
      if (condition !== undefined && holds(node.statement)) places.add(condition);
    } else if (ts.isCallExpression(node)) for (const place of decidedByCall(node)) places.add(place);
    else if (isSkipOption(node)) places.add(node.initializer);
  });
  return places;
}

/** `test.runIf(enabled)`, `rows.slice(0, count)`, `rows.filter((row) => row.size > least)`. */
function* decidedByCall(call: ts.CallExpression): Generator<ts.Node> {
  const callee = unwrap(call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return;
  const method = callee.name.text;
  if (/^(?:skipIf|runIf)$/.test(method) || (/^(?:skip|fixme|fail)$/.test(method) && isTestApi(callee)))
    yield* call.arguments;
  if (/^(?:slice|filter)$/.test(method) && isRowSource(call))
    for (const argument of call.arguments) {
      const given = unwrap(argument);
      yield ts.isArrowFunction(given) ? given.body : given;
    }
}

/** Stands where rows are taken from: `each(rows.filter(…))`, `for (… of rows.slice(…))`, `rows.filter(…).forEach(…)`. */
function isRowSource(call: ts.CallExpression): boolean {
  let node: ts.Node = call;
  while (unwrap(node.parent) === unwrap(node) && ts.isExpression(node.parent)) node = node.parent;
  const { parent } = node;
  if (ts.isForOfStatement(parent)) return parent.expression === node;
  if (ts.isPropertyAccessExpression(parent))
    return /^(?:forEach|map|flatMap|filter|slice)$/.test(parent.name.text);
  if (ts.isVariableDeclaration(parent)) return true;
  return ts.isCallExpression(parent) && /\.(?:each|for)$/.test(parent.expression.getText());
}

const isSkipOption = (node: ts.Node): node is ts.PropertyAssignment =>
  ts.isPropertyAssignment(node) && /^['"]?(?:skip|only|todo)['"]?$/.test(node.name.getText());

/** `test`, `describe.skip`. */
function isTestApi(node: ts.Expression): boolean {
  let start = unwrap(node);
  while (ts.isPropertyAccessExpression(start)) start = unwrap(start.expression);
  return ts.isIdentifier(start) && testNames.has(start.text);
}

const isShortCircuit = (kind: ts.SyntaxKind): boolean =>
  kind === ts.SyntaxKind.AmpersandAmpersandToken || kind === ts.SyntaxKind.BarBarToken;

/** The branch ends the test, or its turn in a loop. */
function leaves(branch: ts.Statement): boolean {
  const last = ts.isBlock(branch) ? branch.statements.at(-1) : branch;
  return last !== undefined && (ts.isReturnStatement(last) || ts.isBreakOrContinueStatement(last));
}
