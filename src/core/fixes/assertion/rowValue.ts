// What an expression was in one row of a table, as far as its source tells: names, sums of texts, JSON.stringify, join.
import ts from 'typescript';
import type { Value } from '../../model/value.ts';
import { propertyKey, staticValue } from '../../syntax/javascript/literalSource.ts';
import { textOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { isRefusal } from './literalChange.ts';
import { traceValues, type TraceCandidate, type TraceWorld } from './traceLiteral.ts';

/** The row that the candidate goes through; names of other tables are unknown. */
export interface RowScope {
  readonly candidate: TraceCandidate;
  readonly tree: SourceTree;
  readonly world: TraceWorld;
}

/** The value, or undefined where it is not certain. */
export async function rowValue(expression: ts.Expression, scope: RowScope): Promise<Value | undefined> {
  const node = unwrap(expression);
  const written = staticValue(node);
  if (written !== undefined) return written;
  if (ts.isTemplateExpression(node)) {
    let text = node.head.text;
    for (const span of node.templateSpans) {
      const inserted = textOfValue(await rowValue(span.expression, scope));
      if (inserted === undefined) return undefined;
      text += inserted + span.literal.text;
    }
    return { kind: 'string', value: text };
  }
  if (ts.isBinaryExpression(node)) return sumOf(node, scope);
  if (ts.isCallExpression(node)) return callValue(node, scope);
  if (ts.isArrayLiteralExpression(node)) return listValue(node, scope);
  if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    return tracedValue(node, scope);
  return undefined;
}

/** As `String(value)` gives it; undefined where that is not known. */
export function printedText(value: Value): string | undefined {
  const known = plain(value);
  return known === undefined || value.kind === 'object' ? undefined : String(known.value);
}

function textOfValue(value: Value | undefined): string | undefined {
  return value === undefined ? undefined : printedText(value);
}

async function sumOf(node: ts.BinaryExpression, scope: RowScope): Promise<Value | undefined> {
  if (node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return undefined;
  const [left, right] = [await rowValue(node.left, scope), await rowValue(node.right, scope)];
  if (left?.kind !== 'string' && right?.kind !== 'string') return undefined;
  const [before, after] = [textOfValue(left), textOfValue(right)];
  return before === undefined || after === undefined ? undefined : { kind: 'string', value: before + after };
}

async function callValue(node: ts.CallExpression, scope: RowScope): Promise<Value | undefined> {
  const [argument, ...more] = node.arguments;
  const callee = textOf(scope.tree, node.expression);
  if (callee === 'String' || callee === 'JSON.stringify') {
    if (argument === undefined || more.length > 0) return undefined;
    const value = await rowValue(argument, scope);
    if (callee === 'String') return asText(textOfValue(value));
    const known = value === undefined ? undefined : plain(value);
    return known === undefined ? undefined : asText(jsonText(known.value));
  }
  if (!ts.isPropertyAccessExpression(node.expression) || more.length > 0) return undefined;
  const method = node.expression.name.text;
  if (method !== 'toString' && method !== 'join') return undefined;
  const value = await rowValue(node.expression.expression, scope);
  if (method === 'toString') return argument === undefined ? asText(textOfValue(value)) : undefined;
  const known = value?.kind === 'array' ? plain(value)?.value : undefined;
  const separator = argument === undefined ? ',' : textOfValue(await rowValue(argument, scope));
  return Array.isArray(known) && separator !== undefined ? asText(known.join(separator)) : undefined;
}

async function listValue(node: ts.ArrayLiteralExpression, scope: RowScope): Promise<Value | undefined> {
  const items: Value[] = [];
  for (const element of node.elements) {
    const item = ts.isSpreadElement(element) ? undefined : await rowValue(element, scope);
    if (item === undefined) return undefined;
    items.push(item);
  }
  return { kind: 'array', items };
}

/** The one value that the name has in the row. */
async function tracedValue(
  node: ts.Identifier | ts.PropertyAccessExpression | ts.ElementAccessExpression,
  { candidate, tree, world }: RowScope,
): Promise<Value | undefined> {
  const found = await traceValues(node, tree, world);
  if (isRefusal(found)) return undefined;
  const rows = new Map(candidate.links.flatMap(({ row }) => (row ? [[row.origin, row.index] as const] : [])));
  const here = found.filter(({ links }) =>
    links.every(({ row }) => row === undefined || (rows.get(row.origin) ?? row.index) === row.index),
  );
  const [only] = here;
  if (only === undefined || here.length > 1) return undefined;
  return only.key === undefined ? literalValue(only.node) : { kind: 'string', value: only.key };
}

/** Also of lists and objects, as long as every part is written out. */
function literalValue(expression: ts.Expression): Value | undefined {
  const node = unwrap(expression);
  const value = staticValue(node);
  if (value !== undefined) return value;
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map(literalValue);
    const known = items.flatMap((item) => item ?? []);
    return known.length === items.length ? { kind: 'array', items: known } : undefined;
  }
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const entries: (readonly [string, Value])[] = [];
  for (const property of node.properties) {
    const key = ts.isPropertyAssignment(property) ? propertyKey(property.name) : undefined;
    const inner = ts.isPropertyAssignment(property) ? literalValue(property.initializer) : undefined;
    if (key === undefined || inner === undefined) return undefined;
    entries.push([key, inner]);
  }
  return { kind: 'object', entries };
}

function asText(text: string | undefined): Value | undefined {
  return text === undefined ? undefined : { kind: 'string', value: text };
}

/** JSON.stringify gives undefined for undefined, whatever its type says. */
function jsonText(value: unknown): string | undefined {
  const text: unknown = JSON.stringify(value);
  return typeof text === 'string' ? text : undefined;
}

/** The value itself, wrapped since it may be undefined; nothing for what prints differently from process to process. */
function plain(value: Value): { readonly value: unknown } | undefined {
  switch (value.kind) {
    case 'undefined':
      return { value: undefined };
    case 'null':
      return { value: null };
    case 'string':
    case 'boolean':
      return { value: value.value };
    case 'number':
      return { value: Number(value.text) };
    case 'array': {
      const items = value.items.map(plain);
      const known = items.flatMap((item) => item ?? []);
      return known.length === items.length ? { value: known.map((item) => item.value) } : undefined;
    }
    case 'object': {
      const entries = value.entries.map(([key, item]) => [key, plain(item)] as const);
      const known = entries.flatMap(([key, item]) =>
        item === undefined ? [] : [[key, item.value] as const],
      );
      return known.length === entries.length ? { value: Object.fromEntries(known) } : undefined;
    }
    default:
      return undefined;
  }
}
