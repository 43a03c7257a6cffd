// Under which conditions a node of a test runs: everything between it and the body it belongs to that may keep it from running.
import ts from 'typescript';
import { isFunction, type TestTree } from './testTree.ts';
import { unwrap } from '../syntax/javascript/sourceTree.ts';
import { shapeOf } from './parseSource.ts';
import { waiterKind } from './waiters.ts';

export interface Guard {
  readonly rule: 'conditional-assertion' | 'swallowed-error' | 'unreachable-assertion' | 'moved-assertion';
  /** Equal for equal guards, whatever the layout. */
  readonly key: string;
}

/** Guards from the node up to the file, through bodies of tests and suites as if they were not there. */
export function guardsOf(node: ts.Node, tree: TestTree): readonly Guard[] {
  const guards: Guard[] = [];
  for (let child = node; !ts.isSourceFile(child); child = child.parent) {
    const { parent } = child;
    guards.push(...guardsOfStep(child, parent, tree));
    if (isStatementList(parent)) guards.push(...exitsBefore(child, parent));
  }
  return guards;
}

/** Guards up to the body of the test, hook or named function that owns the node. */
export function guardsInside(node: ts.Node, tree: TestTree): readonly Guard[] {
  const guards: Guard[] = [];
  for (let child = node; !ts.isSourceFile(child) && !tree.isBody(child); child = child.parent) {
    const { parent } = child;
    if (ts.isSourceFile(parent)) {
      if (isGenerator(child)) guards.push(neverRun);
      break;
    }
    guards.push(...guardsOfStep(child, parent, tree));
    if (isStatementList(parent)) guards.push(...exitsBefore(child, parent));
  }
  return guards;
}

/** Is the promise of this expression awaited or returned? */
export function isSettled(node: ts.Node): boolean {
  let child = node;
  for (let up = node.parent; up !== undefined; child = up, up = up.parent) {
    if (ts.isAwaitExpression(up) || ts.isReturnStatement(up)) return true;
    if (ts.isArrowFunction(up)) return up.body === child;
    const passesOn =
      ts.isParenthesizedExpression(up) ||
      ts.isArrayLiteralExpression(up) ||
      ts.isPropertyAccessExpression(up) ||
      (ts.isCallExpression(up) && (up.expression === child || isPromiseAll(up)));
    if (!passesOn) return false;
  }
  return false;
}

function* guardsOfStep(child: ts.Node, parent: ts.Node, tree: TestTree): Generator<Guard> {
  const conditional = (what: string, node?: ts.Node): Guard => ({
    rule: 'conditional-assertion',
    key: node === undefined ? what : `${what}:${shapeOf(node, { anyName: true })}`,
  });
  if (ts.isIfStatement(parent)) {
    if (child !== parent.expression)
      yield conditional(child === parent.thenStatement ? 'if' : 'else', parent.expression);
  } else if (ts.isConditionalExpression(parent)) {
    if (child !== parent.condition)
      yield conditional(child === parent.whenTrue ? 'if' : 'else', parent.condition);
  } else if (ts.isBinaryExpression(parent) && isShortCircuit(parent.operatorToken.kind)) {
    if (child === parent.right) yield conditional(ts.SyntaxKind[parent.operatorToken.kind], parent.left);
  } else if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) {
    if (child === parent.statement)
      yield { rule: 'conditional-assertion', key: `loop:${sourceShape(parent.expression)}` };
  } else if (ts.isForStatement(parent)) {
    if (child === parent.statement) yield conditional('for', parent.condition);
  } else if (ts.isWhileStatement(parent) || ts.isDoStatement(parent)) {
    if (child === parent.statement) yield conditional('while', parent.expression);
  } else if (ts.isCaseOrDefaultClause(parent)) {
    yield conditional('case', ts.isCaseClause(parent) ? parent.expression : undefined);
  } else if (ts.isTryStatement(parent)) {
    const swallows =
      parent.catchClause !== undefined || parent.finallyBlock?.statements.some(leaves) === true;
    if (child === parent.tryBlock && swallows) yield { rule: 'swallowed-error', key: 'try' };
    if (child === parent.catchClause) yield { rule: 'conditional-assertion', key: 'catch' };
  } else if (ts.isCallExpression(parent)) {
    yield* guardsOfCall(child, parent);
  }
  if (ts.isFunctionLike(child) && !tree.isBody(child)) yield* guardsOfFunction(child);
}

function* guardsOfCall(child: ts.Node, call: ts.CallExpression): Generator<Guard> {
  if (child === call.expression) {
    const name = ts.isPropertyAccessExpression(call.expression) ? call.expression.name.text : '';
    if (name === 'catch' || (name === 'then' && call.arguments.length > 1))
      yield { rule: 'swallowed-error', key: 'catch()' };
    return;
  }
  if (isFunction(unwrap(child)) || (isPromiseAll(call) && isSettled(call))) return;
  yield { rule: 'moved-assertion', key: `argument:${calleeName(call)}` };
}

/** Calling a generator runs nothing of it. */
const neverRun: Guard = { rule: 'moved-assertion', key: 'generator' };

const isGenerator = (node: ts.Node): boolean =>
  ts.isFunctionLike(node) && 'asteriskToken' in node && node.asteriskToken !== undefined;

function* guardsOfFunction(node: ts.SignatureDeclaration): Generator<Guard> {
  let use: ts.Node = node.parent;
  let value: ts.Node = node;
  while (unwrap(use) !== use && ts.isExpression(use)) {
    value = use;
    use = use.parent;
  }
  const isLazy = isGenerator(node);
  if (isLazy) yield neverRun;
  if (ts.isCallExpression(use) && use.expression === value && !isLazy) {
    const isAsync =
      ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((m) => m.kind === ts.SyntaxKind.AsyncKeyword);
    if (isAsync !== true || isSettled(use)) return;
  }
  if (ts.isCallExpression(use) && use.expression !== value) {
    if (!isLazy && use.arguments[0] === value && waiterKind(use) !== undefined && isSettled(use)) return;
    yield { rule: 'moved-assertion', key: `callback:${calleeName(use)}:${receiverShape(use)}` };
    return;
  }
  // The executor of a promise runs at once; what it throws rejects the promise.
  if (ts.isNewExpression(use) && use.expression.getText() === 'Promise' && isSettled(use) && !isLazy) return;
  yield {
    rule: 'moved-assertion',
    key: `function:${ts.isFunctionDeclaration(node) ? 'declared' : ts.SyntaxKind[use.kind]}`,
  };
}

function calleeName(call: ts.CallExpression): string {
  const callee = unwrap(call.expression);
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  return ts.isIdentifier(callee) ? callee.text : ts.SyntaxKind[callee.kind];
}

/** What the function is handed to; behind requests of supertest stands what they expect, which may be another value. */
function receiverShape({ expression }: ts.CallExpression): string {
  if (!ts.isPropertyAccessExpression(expression)) return '';
  const isRequest = /^(?:expect|end)$/.test(expression.name.text);
  return isRequest
    ? shapeOf(expression.expression, { anyName: true, anyLiteral: true })
    : sourceShape(expression.expression);
}

/** What is looped over; rows of literal tables are compared elsewhere. */
function sourceShape(node: ts.Node): string {
  return ts.isArrayLiteralExpression(unwrap(node)) ? 'rows' : shapeOf(node, { anyName: true, anyCell: true });
}

function isPromiseAll(call: ts.CallExpression): boolean {
  return /^Promise\.all$/.test(call.expression.getText());
}

function isShortCircuit(kind: ts.SyntaxKind): boolean {
  return (
    kind === ts.SyntaxKind.AmpersandAmpersandToken ||
    kind === ts.SyntaxKind.BarBarToken ||
    kind === ts.SyntaxKind.QuestionQuestionToken
  );
}

function isStatementList(node: ts.Node): node is ts.BlockLike {
  return (
    ts.isBlock(node) || ts.isSourceFile(node) || ts.isModuleBlock(node) || ts.isCaseOrDefaultClause(node)
  );
}

/** Statements before this one that may leave the function or the loop. */
function exitsBefore(child: ts.Node, list: ts.BlockLike): readonly Guard[] {
  return exitsOf(list).flatMap(({ end, guard }) => (end <= child.pos ? [guard] : []));
}

interface Exit {
  readonly end: number;
  readonly guard: Guard;
}
/** A list is asked for by every test in it. */
const knownExits = new WeakMap<ts.Node, readonly Exit[]>();

function exitsOf(list: ts.BlockLike): readonly Exit[] {
  const known = knownExits.get(list);
  if (known !== undefined) return known;
  const exits = list.statements
    .filter((statement) => ts.isThrowStatement(statement) || leaves(statement))
    .map((statement): Exit => {
      const key = `exit:${shapeOf(statement, { anyName: true })}`;
      return { end: statement.end, guard: { rule: 'unreachable-assertion', key } };
    });
  knownExits.set(list, exits);
  return exits;
}

/** May control leave through this statement without an error? */
function leaves(node: ts.Node): boolean {
  if (ts.isReturnStatement(node) || ts.isBreakOrContinueStatement(node)) return true;
  if (ts.isFunctionLike(node) || ts.isClassLike(node)) return false;
  if (ts.isExpression(node)) return false;
  let found = false;
  ts.forEachChild(node, (child) => {
    found ||= leaves(child);
  });
  return found;
}
