// What an assertion expects, as far as the file writes it down: in the assertion, behind names, in the rows of tables and in calls of its own helpers.
import ts from 'typescript';
import type { Value } from '../model/value.ts';
import { isBareMark } from '../syntax/javascript/bareObjects.ts';
import { propertyKey, staticValue } from '../syntax/javascript/literalSource.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import type { SourcesOf } from './expectedSources.ts';

/** So many names are followed after one another. */
const mostSteps = 5;

/**
 * The values that the expression stands for, one for each row of the tables (calls of the helper, values of the variable) that its
 * names come from; one where there is none. What is computed is opaque.
 */
export function expectedValues(
  expression: ts.Expression,
  owner: string,
  sourcesOf: SourcesOf,
): readonly Value[] {
  const place = { owner, sourcesOf };
  const rows = rowsBehind(expression, place, 0);
  return Array.from({ length: rows }, (_, row) => valueAt(expression, { ...place, row }, 0));
}

interface Place {
  readonly owner: string;
  readonly sourcesOf: SourcesOf;
}

function rowsBehind(expression: ts.Node, place: Place, depth: number): number {
  let most = 1;
  if (depth > mostSteps) return most;
  visitNodes(expression, (node) => {
    if (!ts.isIdentifier(node) || isNameOfMember(node)) return;
    const sources = place.sourcesOf(node, place.owner);
    most = Math.max(most, sources.length);
    for (const source of sources)
      if (source !== undefined) most = Math.max(most, rowsBehind(source, place, depth + 1));
  });
  return most;
}

function isNameOfMember(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}

type Reading = Place & { readonly row: number };

function valueAt(expression: ts.Node, reading: Reading, depth: number): Value {
  const node = unwrap(expression);
  const opaque: Value = { kind: 'opaque', description: node.getText() };
  if (depth > 20) return opaque;
  const inner = (child: ts.Node): Value => valueAt(child, reading, depth + 1);
  const known = ts.isExpression(node) ? staticValue(node) : undefined;
  if (known !== undefined) return known;
  if (ts.isIdentifier(node)) {
    const sources = reading.sourcesOf(node, reading.owner);
    const source = sources.length === 1 ? sources[0] : sources[reading.row];
    return source === undefined ? opaque : inner(source);
  }
  if (ts.isRegularExpressionLiteral(node))
    return { kind: 'string', value: node.text.slice(1, node.text.lastIndexOf('/')) };
  if (ts.isPropertyAccessExpression(node)) return memberOf(inner(node.expression), node.name.text) ?? opaque;
  if (ts.isElementAccessExpression(node)) {
    const key = inner(node.argumentExpression);
    return key.kind === 'string' ? (memberOf(inner(node.expression), key.value) ?? opaque) : opaque;
  }
  if (ts.isArrayLiteralExpression(node) && !node.elements.some((one) => ts.isSpreadElement(one)))
    return { kind: 'array', items: node.elements.map(inner) };
  if (ts.isObjectLiteralExpression(node)) {
    const value: Value = { kind: 'object', entries: entriesOf(node, inner) };
    if (value.entries.length < node.properties.length) partial.add(value);
    return value;
  }
  const computed = computedValue(node, inner);
  if (computed !== undefined) return computed;
  const held = heldBy(node);
  return held === undefined ? opaque : inner(held);
}

/** Objects of which not everything is written down. */
const partial = new WeakSet<Value>();

function memberOf(value: Value, name: string): Value | undefined {
  if (value.kind !== 'object') return undefined;
  const found = value.entries.findLast(([key]) => key === name)?.[1];
  return found ?? (partial.has(value) || name in {} ? undefined : { kind: 'undefined' });
}

/** Keys that are computed, and what is spread, are left out. */
function entriesOf(
  { properties }: ts.ObjectLiteralExpression,
  inner: (node: ts.Node) => Value,
): readonly (readonly [string, Value])[] {
  return properties.flatMap((property): (readonly [string, Value])[] => {
    if (isBareMark(property)) return [];
    if (ts.isShorthandPropertyAssignment(property)) return [[property.name.text, inner(property.name)]];
    const key = ts.isPropertyAssignment(property) ? propertyKey(property.name) : undefined;
    return ts.isPropertyAssignment(property) && key !== undefined ? [[key, inner(property.initializer)]] : [];
  });
}

/** What a template or an operator makes of what is written down: `60 * 1000`. Each operand is read once, or a long sum would take for ever. */
function computedValue(node: ts.Node, inner: (node: ts.Node) => Value): Value | undefined {
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(
      ({ expression, literal }) => shownText(inner(expression)) + literal.text,
    );
    return { kind: 'string', value: node.head.text + parts.join('') };
  }
  if (ts.isPrefixUnaryExpression(node)) {
    const name = node.operator === ts.SyntaxKind.PlusToken ? 'Number' : undefined;
    return name === undefined ? undefined : converted(name, [inner(node.operand)]);
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression))
    return Object.hasOwn(conversions, node.expression.text)
      ? converted(node.expression.text, node.arguments.map(inner))
      : undefined;
  if (!ts.isBinaryExpression(node)) return undefined;
  const [left, right] = [inner(node.left), inner(node.right)];
  const operator = node.operatorToken.kind;
  if (left.kind === 'number' && right.kind === 'number') {
    const number = numberOf(Number(left.text), operator, Number(right.text));
    return number === undefined ? undefined : { kind: 'number', text: String(number) };
  }
  if (operator !== ts.SyntaxKind.PlusToken || (left.kind !== 'string' && right.kind !== 'string'))
    return undefined;
  return { kind: 'string', value: shownText(left) + shownText(right) };
}

const conversions: Readonly<Record<string, (value: string, base: number) => number | bigint>> = {
  Number: (value) => Number(value),
  parseInt: (value, base) => Number.parseInt(value, base),
  parseFloat: (value) => Number.parseFloat(value),
  BigInt: (value) => BigInt(value),
};

/** `Number('10')`, `parseInt('A', 16)`: what a text or a number becomes. */
function converted(name: string, [value, base]: readonly Value[]): Value | undefined {
  const text = value?.kind === 'string' ? value.value : value?.kind === 'number' ? value.text : undefined;
  if (text === undefined || (base !== undefined && base.kind !== 'number')) return undefined;
  try {
    const made = conversions[name]?.(text, base === undefined ? 0 : Number(base.text));
    if (made === undefined) return undefined;
    return typeof made === 'bigint'
      ? { kind: 'bigint', text: `${made}n` }
      : { kind: 'number', text: String(made) };
  } catch {
    return undefined;
  }
}

/** A part of a text that is put together, with a sign for what is computed. */
function shownText(value: Value): string {
  if (value.kind === 'string') return value.value;
  return value.kind === 'number' ? value.text : '…';
}

function numberOf(left: number, operator: ts.SyntaxKind, right: number): number | undefined {
  switch (operator) {
    case ts.SyntaxKind.PlusToken:
      return left + right;
    case ts.SyntaxKind.MinusToken:
      return left - right;
    case ts.SyntaxKind.AsteriskToken:
      return left * right;
    case ts.SyntaxKind.SlashToken:
      return left / right;
    case ts.SyntaxKind.PercentToken:
      return left % right;
    case ts.SyntaxKind.AsteriskAsteriskToken:
      return left ** right;
    default:
      return undefined;
  }
}

/** `expect.objectContaining(…)`, `new Set(…)`: what is written in there is expected as well. */
function heldBy(node: ts.Node): ts.Expression | undefined {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const isHolder = /^(?:expect(?:\.not)?\.\w+(?:Containing|Matching)|Set|Map|String\.raw)$/.test(
    node.expression.getText(),
  );
  return isHolder ? node.arguments?.[0] : undefined;
}
