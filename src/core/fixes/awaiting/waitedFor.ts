// Whether anything waits for the promise that a call gives.
import ts from 'typescript';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { unwrap, visitNodes } from '../../syntax/javascript/sourceTree.ts';

/** Awaited, returned, handed on to who waits, or looked at as the promise that it is. */
export function isWaitedFor(call: ts.Node): boolean {
  for (let up = call.parent; up !== undefined; up = up.parent) {
    if (ts.isAwaitExpression(up) || ts.isVoidExpression(up)) return true;
    if (ts.isReturnStatement(up)) return !isThrowCheck(up);
    if (ts.isPropertyAccessExpression(up)) return /^(?:then|catch|finally)$/.test(up.name.text);
    if (ts.isCallExpression(up)) return isPromiseCall(up) || expectsPromise(up);
    if (ts.isVariableDeclaration(up)) return ts.isIdentifier(up.name) && isAwaitedLater(up.name);
    if (!ts.isParenthesizedExpression(up) && !ts.isArrayLiteralExpression(up) && unwrap(up) === up)
      return false;
  }
  return false;
}

/** `expect(() => { return load(); })`, whose caller wants an error and no promise. */
function isThrowCheck(node: ts.Node): boolean {
  let up = node;
  while (up.parent !== undefined && !ts.isFunctionLike(up)) up = up.parent;
  return ts.isCallExpression(up.parent) && /^expect\b|\bthrows$/.test(up.parent.expression.getText());
}

const isPromiseCall = (call: ts.CallExpression): boolean =>
  /^Promise\.(?:all|allSettled|race|any|resolve)$|^(?:assert\.)?(?:rejects|doesNotReject)$/.test(
    call.expression.getText(),
  );

/** `expect(load()).resolves…` */
function expectsPromise(call: ts.CallExpression): boolean {
  let chain: ts.Node = call.parent;
  while (ts.isPropertyAccessExpression(chain)) {
    if (/^(?:resolves|rejects|eventually)$/.test(chain.name.text)) return true;
    chain = chain.parent;
  }
  return false;
}

/** `const pending = load(); …; await pending` */
function isAwaitedLater(name: ts.Identifier): boolean {
  let found = false;
  visitNodes(name.getSourceFile(), (node) => {
    const isUse = ts.isIdentifier(node) && node.text === name.text && node !== name;
    found ||= isUse && bindingOf(node)?.name === name && isWaitedFor(node);
  });
  return found;
}
