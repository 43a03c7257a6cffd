// The test and describe calls around a place in a test file.
import ts from 'typescript';

const runners = /^(?:it|test|specify|bench|xit|fit|xtest)$/;
const groups = /^(?:describe|suite|context|xdescribe|fdescribe)$/;

export interface TestCall {
  readonly kind: 'test' | 'group';
  readonly call: ts.CallExpression;
}

/** From the innermost outwards: the calls whose callback the node lies in. */
export function testCallsAround(node: ts.Node): TestCall[] {
  const calls: TestCall[] = [];
  for (let current: ts.Node | undefined = node; current !== undefined; current = current.parent) {
    if (!ts.isCallExpression(current)) continue;
    const root = rootName(current.expression);
    if (root === undefined || !current.arguments.slice(1).some((argument) => holds(argument, node))) continue;
    if (runners.test(root)) calls.push({ kind: 'test', call: current });
    else if (groups.test(root)) calls.push({ kind: 'group', call: current });
  }
  return calls;
}

/** True when the node is part of a title or a table of tests, not of what they do. */
export function isInTitle(node: ts.Node): boolean {
  for (let current = node; current.parent !== undefined; current = current.parent) {
    const parent = current.parent;
    if (!ts.isCallExpression(parent) || parent.arguments[0] !== current) continue;
    const root = rootName(parent.expression);
    if (root !== undefined && (runners.test(root) || groups.test(root)) && parent.arguments.length > 1)
      return true;
  }
  return false;
}

export function holds(outer: ts.Node, inner: ts.Node): boolean {
  return outer.pos <= inner.pos && inner.end <= outer.end;
}

/** `test` of `test.each(rows)`, `it.skipIf(x)`, `test.concurrent`. */
function rootName(expression: ts.Expression): string | undefined {
  let node = expression;
  while (!ts.isIdentifier(node)) {
    if (ts.isPropertyAccessExpression(node) || ts.isCallExpression(node)) node = node.expression;
    else if (ts.isTaggedTemplateExpression(node)) node = node.tag;
    else return undefined;
  }
  return node.text;
}
