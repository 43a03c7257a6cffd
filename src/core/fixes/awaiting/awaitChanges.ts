// The text changes that let a test wait for calls: `await` before them, `async` at the callback, `rejects` for what is thrown.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import { startOf, textOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { hookPhaseOf, testCallsAround } from '../assertion/testCalls.ts';
import type { AsyncCall } from './asyncCalls.ts';
import type { AsyncFunction } from './becameAsync.ts';

interface AwaitChanges {
  readonly changes: readonly TextChange[];
  readonly functions: readonly AsyncFunction[];
  /** Part of it lies in a hook, which other tests share. */
  readonly isShared: boolean;
}

type Body = ts.ArrowFunction | ts.FunctionExpression;

export function awaitChanges(
  tree: SourceTree,
  calls: readonly AsyncCall[],
): AwaitChanges | { readonly reason: string } {
  const changes = new Map<string, TextChange>();
  const functions = new Set<AsyncFunction>();
  let isShared = false;
  const add = (all: readonly TextChange[]): void => {
    for (const change of all)
      if (change.newText !== '' || change.start < change.end) changes.set(JSON.stringify(change), change);
  };
  for (const { call, target } of calls) {
    const inner = functionAround(call);
    const thrown = inner === undefined ? undefined : thrownBy(tree, call, inner);
    const holder = thrown === undefined ? call : thrown.assertion;
    const body = functionAround(holder);
    const role = body === undefined ? undefined : roleOf(body);
    if (body === undefined || role === undefined)
      return {
        reason: `${target.name}() became asynchronous, but it is called where \`await\` is not possible.`,
      };
    if (body.asteriskToken !== undefined || takesDone(body))
      return {
        reason: `${target.name}() became asynchronous, but the test signals its end with a callback.`,
      };
    add(thrown?.changes ?? awaited(tree, call));
    add(asyncBody(tree, body));
    functions.add(target);
    isShared ||= role === 'hook';
  }
  return { changes: [...changes.values()], functions: [...functions], isShared };
}

function functionAround(node: ts.Node): Body | undefined {
  for (let up: ts.Node | undefined = node.parent; up !== undefined; up = up.parent) {
    if (ts.isArrowFunction(up) || ts.isFunctionExpression(up)) return up;
    if (ts.isFunctionLike(up) || ts.isClassLike(up)) return undefined;
  }
  return undefined;
}

/** Is it the callback of a test or of a hook? Nothing waits for any other. */
function roleOf(body: Body): 'test' | 'hook' | undefined {
  let value: ts.Node = body;
  while (unwrap(value.parent) !== value.parent) value = value.parent;
  const call = value.parent;
  if (!ts.isCallExpression(call) || call.expression === value) return undefined;
  const [around] = testCallsAround(body);
  if (around?.call === call) return around.kind === 'test' ? 'test' : undefined;
  return hookPhaseOf(call) === undefined ? undefined : 'hook';
}

const takesDone = ({ parameters }: Body): boolean => {
  const [first] = parameters;
  return first !== undefined && /^(?:done|cb|callback|next)$/.test(first.name.getText());
};

function asyncBody(tree: SourceTree, body: Body): readonly TextChange[] {
  const isAsync = body.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
  const at = startOf(tree, body);
  return isAsync ? [] : [{ start: at, end: at, newText: 'async ' }];
}

/** `await call`, in parentheses where something is done with its value at once. */
function awaited(tree: SourceTree, call: ts.CallExpression): readonly TextChange[] {
  const { parent } = call;
  const isUsed =
    ((ts.isPropertyAccessExpression(parent) ||
      ts.isElementAccessExpression(parent) ||
      ts.isCallExpression(parent) ||
      ts.isNonNullExpression(parent)) &&
      parent.expression === call) ||
    ts.isTaggedTemplateExpression(parent) ||
    (ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskToken);
  const at = startOf(tree, call);
  if (!isUsed) return [{ start: at, end: at, newText: 'await ' }];
  return [
    { start: at, end: at, newText: '(await ' },
    { start: call.end, end: call.end, newText: ')' },
  ];
}

/** `expect(() => load()).toThrow(…)` → `await expect(load()).rejects.toThrow(…)`; the same for assert.throws. */
function thrownBy(
  tree: SourceTree,
  call: ts.CallExpression,
  inner: Body,
): { readonly assertion: ts.Node; readonly changes: readonly TextChange[] } | undefined {
  if (onlyCallOf(inner) !== call || inner.parameters.length > 0) return undefined;
  const outer = inner.parent;
  if (!ts.isCallExpression(outer) || outer.arguments[0] !== inner) return undefined;
  const unwrapped = [
    { start: startOf(tree, inner), end: startOf(tree, call), newText: '' },
    { start: call.end, end: inner.end, newText: '' },
  ].filter(({ start, end }) => start < end);
  const waits = (node: ts.Node): TextChange => ({
    start: startOf(tree, node),
    end: startOf(tree, node),
    newText: ts.isAwaitExpression(node.parent) ? '' : 'await ',
  });
  if (ts.isPropertyAccessExpression(outer.expression) && outer.expression.name.text === 'throws') {
    const { name } = outer.expression;
    const rejects = { start: startOf(tree, name), end: name.end, newText: 'rejects' };
    return { assertion: outer, changes: [waits(outer), rejects, ...unwrapped] };
  }
  const access = outer.parent;
  const isExpect = /^expect(?:\.soft)?$/.test(textOf(tree, outer.expression));
  if (!isExpect || !ts.isPropertyAccessExpression(access) || !access.name.text.startsWith('toThrow'))
    return undefined;
  const assertion = access.parent;
  if (!ts.isCallExpression(assertion)) return undefined;
  const rejects = { start: outer.end, end: outer.end, newText: '.rejects' };
  return { assertion, changes: [waits(assertion), rejects, ...unwrapped] };
}

/** The call that is all a function does. */
function onlyCallOf({ body }: Body): ts.Node | undefined {
  if (!ts.isBlock(body)) return unwrap(body);
  const [statement, ...more] = body.statements;
  if (statement === undefined || more.length > 0) return undefined;
  const value =
    ts.isExpressionStatement(statement) || ts.isReturnStatement(statement) ? statement.expression : undefined;
  return value === undefined ? undefined : unwrap(value);
}
