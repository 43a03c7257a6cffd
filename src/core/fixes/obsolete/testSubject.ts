// A failing test as the fixer of obsolete tests sees it: its call, the row of a table that it is, and the texts that go in.
import ts from 'typescript';
import { caseNumberOf } from '../../model/testId.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import { propertyKey, staticValue } from '../../syntax/javascript/literalSource.ts';
import { lineOf, textOf, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { callbackTable } from '../assertion/tables.ts';
import { holds, testCallsAround } from '../assertion/testCalls.ts';

export interface TestSubject {
  readonly tree: SourceTree;
  readonly call: ts.CallExpression;
  /** The row that this case of the test is made of; absent where the test is made once. */
  readonly row?: ts.Expression;
  /** Texts that go into the code under test. */
  readonly inputs: readonly ts.StringLiteralLike[];
  /** Keys of objects that go into it. */
  readonly keys: ReadonlySet<string>;
  /** Names that the test calls or reads. */
  readonly names: ReadonlySet<string>;
}

/** Undefined where it is not certain which call makes the test, or which row it is. */
export function subjectOf(
  result: TestResult,
  tree: SourceTree,
  proposed: readonly Fix[],
): TestSubject | undefined {
  const call = callOf(result, tree);
  if (call === undefined) return undefined;
  const body = call.arguments.find((argument) => ts.isFunctionLike(unwrap(argument)));
  if (body === undefined) return undefined;
  const names = namesIn(body);
  if (!isRepeated(call)) return { tree, call, names, ...inputsOf(tree, body, []) };
  const own = rowOfCase(result, call);
  if (own !== undefined) return { tree, call, row: own, names, ...inputsOf(tree, own, []) };
  const written = proposed
    .filter(({ failures }) => failures.includes(result.id))
    .flatMap(({ edits }) => edits.filter(({ file }) => file === tree.file).flatMap(({ changes }) => changes));
  const row = rowAround(tree, written, call);
  return row === undefined ? undefined : { tree, call, row, names, ...inputsOf(tree, row, written) };
}

/** The call on the line that the result names; by its written title where that is not one call. */
function callOf({ line, title }: TestResult, tree: SourceTree): ts.CallExpression | undefined {
  const calls: ts.CallExpression[] = [];
  visitNodes(tree.ast, (node) => {
    if (!ts.isCallExpression(node)) return;
    const body = node.arguments.find((argument) => ts.isFunctionLike(unwrap(argument)));
    const [innermost] = body === undefined ? [] : testCallsAround(body);
    if (innermost?.kind === 'test' && innermost.call === node) calls.push(node);
  });
  const isTitled = (call: ts.CallExpression): boolean => {
    const value = call.arguments[0] && staticValue(call.arguments[0]);
    return value?.kind === 'string' && value.value === title;
  };
  const onLine = calls.filter((call) => lineOf(tree, call) === line);
  const titled = (onLine.length > 0 ? onLine : calls).filter(isTitled);
  const [only, ...others] = onLine.length === 1 ? onLine : titled;
  return others.length === 0 ? only : undefined;
}

/** Is the call made more than once: in a loop, a callback of a list, a helper, or by `each`? */
function isRepeated(call: ts.CallExpression): boolean {
  const isTable = ts.isCallExpression(call.expression) || ts.isTaggedTemplateExpression(call.expression);
  return isTable || isRepeatedAround(call);
}

/** The row of `test.each([…])` by the number of the case, where nothing else repeats the test. */
function rowOfCase({ id }: TestResult, call: ts.CallExpression): ts.Expression | undefined {
  const index = (caseNumberOf(id) ?? 0) - 1;
  const body = call.arguments.find((argument) => ts.isFunctionLike(unwrap(argument)));
  const table = body && callbackTable(unwrap(body));
  if (table?.call !== call || table.rows !== undefined || isRepeatedAround(call)) return undefined;
  const list = unwrap(table.table);
  if (!ts.isArrayLiteralExpression(list) || list.elements.some((element) => ts.isSpreadElement(element)))
    return undefined;
  return list.elements[index];
}

function isRepeatedAround(call: ts.CallExpression): boolean {
  const around = new Set<ts.Node>(testCallsAround(call).map((one) => one.call));
  for (let up: ts.Node = call.parent; up.parent !== undefined; up = up.parent) {
    if (ts.isIterationStatement(up, false)) return true;
    if (ts.isFunctionLike(up) && !around.has(up.parent)) return true;
    if (
      around.has(up) &&
      ts.isCallExpression(up) &&
      !ts.isIdentifier(up.expression) &&
      !isPlain(up.expression)
    )
      return true;
  }
  return false;
}

/** `describe.only`, not `describe.each(rows)`. */
const isPlain = (callee: ts.Expression): boolean =>
  ts.isPropertyAccessExpression(callee) && ts.isIdentifier(callee.expression);

/** The element of a list outside of the test in which everything lies that its new expectation would change. */
function rowAround(
  tree: SourceTree,
  written: readonly { readonly start: number; readonly end: number }[],
  call: ts.CallExpression,
): ts.Expression | undefined {
  const [first] = written;
  if (first === undefined) return undefined;
  const rows: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (node.pos > first.start || node.end < first.end) return;
    if (ts.isExpression(node) && ts.isArrayLiteralExpression(node.parent) && !insideBody(node, call))
      rows.push(node);
    ts.forEachChild(node, visit);
  };
  visit(tree.ast);
  // The outermost list is the table; a cell may hold a list of its own.
  const [row] = rows;
  return row !== undefined && written.every(({ start, end }) => row.pos <= start && end <= row.end)
    ? row
    : undefined;
}

function insideBody(node: ts.Node, call: ts.CallExpression): boolean {
  return call.arguments.some((argument) => ts.isFunctionLike(unwrap(argument)) && holds(argument, node));
}

function inputsOf(
  tree: SourceTree,
  node: ts.Node,
  expected: readonly { readonly start: number; readonly end: number }[],
): Pick<TestSubject, 'inputs' | 'keys'> {
  const inputs: ts.StringLiteralLike[] = [];
  const keys = new Set<string>();
  visitNodes(node, (inner) => {
    if (expected.some(({ start, end }) => inner.getStart(tree.ast) <= end && start <= inner.end)) return;
    if (isExpected(tree, inner, node)) return;
    if (ts.isStringLiteralLike(inner)) inputs.push(inner);
    const key = ts.isPropertyAssignment(inner) ? propertyKey(inner.name) : undefined;
    if (key !== undefined) keys.add(key);
    if (ts.isShorthandPropertyAssignment(inner)) keys.add(inner.name.text);
  });
  return { inputs, keys };
}

/** Is the nearest call that the text is given to an assertion? */
function isExpected(tree: SourceTree, node: ts.Node, within: ts.Node): boolean {
  for (let up = node; up !== within && up.parent !== undefined; up = up.parent) {
    const { parent } = up;
    if (ts.isFunctionLike(parent)) return false;
    if (ts.isCallExpression(parent) && parent.arguments.some((argument) => argument === up))
      return assertions.test(textOf(tree, parent.expression));
  }
  return false;
}

const assertions = /^(?:assert|chai)\b|^expect\s*\([^]*\)\s*\.|\.expect$|\.should\b|^t\.\w+$/;

function namesIn(node: ts.Node): ReadonlySet<string> {
  const names = new Set<string>();
  visitNodes(node, (inner) => {
    if (ts.isIdentifier(inner)) names.add(inner.text);
  });
  return names;
}
