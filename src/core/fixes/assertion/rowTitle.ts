// Whether the printed titles of a test are those of one row of a table: titles are computed as the row would print them.
import ts from 'typescript';
import type { TestResult } from '../../model/testResult.ts';
import type { Value } from '../../model/value.ts';
import { propertyKey, staticValue } from '../../syntax/javascript/literalSource.ts';
import { unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { printedText, rowValue, type RowScope } from './rowValue.ts';
import type { TableRow } from './tables.ts';
import { testCallsAround } from './testCalls.ts';
import type { TraceCandidate, TraceWorld } from './traceLiteral.ts';

/** False only when the title of the test, or of a suite around it, is certainly another than the candidate's row prints. */
export async function titlesFit(
  candidate: TraceCandidate,
  result: Pick<TestResult, 'title' | 'suites'>,
  place: { readonly node: ts.Node; readonly tree: SourceTree },
  world: TraceWorld,
): Promise<boolean> {
  const titles = [result.title, ...result.suites.toReversed()];
  const scope: RowScope = { candidate, tree: place.tree, world };
  for (const [position, { call }] of testCallsAround(place.node).entries()) {
    const title = titles[position];
    const argument = call.arguments[0];
    if (title === undefined || argument === undefined) continue;
    const pattern = await titlePattern(argument, call, scope);
    if (!new RegExp(`^${pattern}$`).test(title)) return false;
  }
  return true;
}

const anything = '[\\s\\S]*';

async function titlePattern(title: ts.Expression, call: ts.CallExpression, scope: RowScope): Promise<string> {
  const node = unwrap(title);
  const { row } = scope.candidate.links.find((link) => link.row?.origin === call) ?? {};
  if (ts.isStringLiteralLike(node))
    return row === undefined ? escape(node.text) : printedPattern(node.text, row.row, row.index);
  return textPattern(node, scope);
}

/** What is known of a computed text; the rest may be anything. */
async function textPattern(expression: ts.Expression, scope: RowScope): Promise<string> {
  const node = unwrap(expression);
  const value = await rowValue(node, scope);
  const text = value === undefined ? undefined : printedText(value);
  if (text !== undefined) return escape(text);
  if (ts.isTemplateExpression(node)) {
    const parts = [escape(node.head.text)];
    for (const span of node.templateSpans)
      parts.push(await textPattern(span.expression, scope), escape(span.literal.text));
    return parts.join('');
  }
  if (isTextSum(node)) return (await textPattern(node.left, scope)) + (await textPattern(node.right, scope));
  return anything;
}

/** A `+` that can only put texts together, since one of its sides is a text. */
function isTextSum(node: ts.Expression): node is ts.BinaryExpression {
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return false;
  return [unwrap(node.left), unwrap(node.right)].some(
    (side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side) || isTextSum(side),
  );
}

/** A title as `test.each` prints it: `%s`, `%i`, `$name`. */
function printedPattern(title: string, row: TableRow, index: number): string {
  const values = rowValues(row);
  let position = 0;
  const pieces = title.split(/(%[sdifjoOc#$%]|\$[\w.]+)/);
  return pieces
    .map((piece) => {
      if (piece === '%%') return '%';
      if (piece === '%#') return String(index);
      if (piece === '%$') return String(index + 1);
      const isField = /^\$[\w.]+$/.test(piece);
      if (!isField && !/^%[sdifjoOc]$/.test(piece)) return escape(piece);
      const value = isField ? values.get(piece.slice(1)) : values.get(String(position++));
      const pattern = value === undefined ? undefined : plainPattern(value);
      return pattern === undefined ? anything : `['"]?${pattern}['"]?`;
    })
    .join('');
}

function rowValues(row: TableRow): Map<string, Value> {
  const values = new Map<string, Value>();
  const add = (key: string, node: ts.Expression | undefined): void => {
    const value = node === undefined ? undefined : staticValue(node);
    if (value !== undefined) values.set(key, value);
  };
  if (row.kind !== 'value') {
    if (row.key !== undefined) values.set('0', { kind: 'string', value: row.key });
    if (row.kind === 'cells') for (const [key, cell] of row.cells) add(key, cell);
    return values;
  }
  const whole = unwrap(row.whole ?? row.value);
  if (ts.isArrayLiteralExpression(whole))
    whole.elements.forEach((element, index) => add(String(index), element));
  else add('0', whole);
  if (!ts.isObjectLiteralExpression(whole)) return values;
  for (const property of whole.properties) {
    const key = ts.isPropertyAssignment(property) ? propertyKey(property.name) : undefined;
    if (ts.isPropertyAssignment(property) && key !== undefined) add(key, property.initializer);
  }
  return values;
}

/** Frameworks print lists and objects each in their own way. */
function plainPattern(value: Value): string | undefined {
  const isPlain = /^(?:string|number|boolean|null|undefined)$/.test(value.kind);
  const text = isPlain ? printedText(value) : undefined;
  return text === undefined ? undefined : escape(text);
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
