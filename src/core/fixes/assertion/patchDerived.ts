// Patches the literal behind a value that is derived from it in one step which can be undone: trim, dedent, join, JSON.stringify, 2 * 1000.
import ts from 'typescript';
import type { Value } from '../../model/value.ts';
import { numberSource, staticValue } from '../../syntax/javascript/literalSource.ts';
import { startOf, textOf, unwrap } from '../../syntax/javascript/sourceTree.ts';
import { indentedLike } from './indentedText.ts';
import { isRefusal, refuse, type Patch, type Refusal } from './literalChange.ts';
import { at, shorten, type PatchContext, type PatchInner, type PatchRequest } from './patchRequest.ts';

const text = (value: string): Value => ({ kind: 'string', value });

function isComputed(request: PatchRequest): Refusal {
  const { node, path, tree } = request;
  return refuse(`The expected value${at(path)} is computed by \`${shorten(textOf(tree, node))}\`.`);
}

/** `'…'.trim()`, `list.join('\n')`, `JSON.stringify(x)`, `dedent('…')`; undefined for all other calls. */
export async function patchDerivedCall(
  node: ts.CallExpression,
  request: PatchRequest,
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch | undefined> {
  const { actual, expected, tree } = request;
  if (actual.kind !== 'string' || expected?.kind !== 'string') return undefined;
  const sides: Sides = { expected: expected.value, actual: actual.value };
  const callee = unwrap(node.expression);
  const [argument] = node.arguments;
  if (ts.isPropertyAccessExpression(callee)) {
    const method = callee.name.text;
    if (method === 'join') return patchJoin(callee.expression, argument, sides, request, context, patchInner);
    if (trims.has(method) && argument === undefined)
      return patchTrimmed(callee.expression, method, sides, request, context, patchInner);
    if (textOf(tree, callee) === 'JSON.stringify' && argument !== undefined)
      return patchJson(node, argument, sides, request, context, patchInner);
  }
  const isOnly = argument !== undefined && node.arguments.length === 1;
  return isOnly && isDedent(callee)
    ? patchDedented(argument, sides, request, context, patchInner)
    : undefined;
}

/** `String.raw` and tags that take the indentation away, where nothing is put in. */
export async function patchTagged(
  node: ts.TaggedTemplateExpression,
  request: PatchRequest,
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const { actual, expected, path, tree } = request;
  const { template, tag } = node;
  if (
    !ts.isNoSubstitutionTemplateLiteral(template) ||
    actual.kind !== 'string' ||
    expected?.kind !== 'string'
  )
    return isComputed(request);
  if (isDedent(unwrap(tag)))
    return patchDedented(
      template,
      { expected: expected.value, actual: actual.value },
      request,
      context,
      patchInner,
    );
  if (textOf(tree, tag) !== 'String.raw') return isComputed(request);
  // Nothing can be escaped in there.
  if (/`|\$\{|\r|(?:^|[^\\])(?:\\\\)*\\$/.test(actual.value))
    return refuse(`The actual text${at(path)} cannot be written in String.raw.`);
  const start = startOf(tree, template) + 1;
  const end = template.end - 1;
  return [{ tree, start, end, newText: actual.value, path, old: expected.value, new: actual.value }];
}

/** `60 * 1000`: the first factor changes where the others divide the new number, else the number is written out. */
export function patchProduct(node: ts.BinaryExpression, request: PatchRequest): Patch | undefined {
  const { actual, path, tree } = request;
  const operands = operandsOf(node);
  if (operands === undefined || actual.kind !== 'number') return undefined;
  const values = operands.map((operand) => staticValue(operand));
  const numbers = values.flatMap((value) => (value?.kind === 'number' ? Number(value.text) : []));
  const [first] = operands;
  if (numbers.length !== operands.length || first === undefined || !isPlainNumber(actual.text))
    return undefined;
  const isProduct = node.operatorToken.kind === ts.SyntaxKind.AsteriskToken;
  const unit = numbers.slice(1).reduce((product, number) => product * number, 1);
  const count = Number(actual.text) / unit;
  const change = (place: ts.Node, newText: string): Patch => [
    {
      tree,
      start: startOf(tree, place),
      end: place.end,
      newText,
      path,
      old: textOf(tree, place),
      new: newText,
    },
  ];
  if (isProduct && Number.isInteger(count) && count * unit === Number(actual.text))
    return change(first, numberSource(String(count), textOf(tree, first)));
  return change(node, actual.text);
}

interface Sides {
  readonly expected: string;
  readonly actual: string;
}

const trims: ReadonlySet<string> = new Set(['trim', 'trimStart', 'trimEnd']);

/** Space that the source has around the text and the test takes away stays. */
async function patchTrimmed(
  inner: ts.Expression,
  method: string,
  { expected, actual }: Sides,
  request: PatchRequest,
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const literal = await literalText(inner, request, context);
  if (isRefusal(literal)) return literal;
  const start = literal.value.indexOf(expected);
  const around = [literal.value.slice(0, start), literal.value.slice(start + expected.length)] as const;
  const trimmed = (value: string): string =>
    method === 'trim' ? value.trim() : method === 'trimStart' ? value.trimStart() : value.trimEnd();
  if (start < 0 || around.join('').trim() !== '' || trimmed(literal.value) !== expected)
    return isComputed(request);
  const now = around[0] + actual + around[1];
  if (trimmed(now) !== actual)
    return refuse('The actual text starts or ends with whitespace, which the test trims.');
  return patchInner(
    { ...request, ...literal.place, expected: text(literal.value), actual: text(now) },
    context,
  );
}

async function patchJoin(
  list: ts.Expression,
  argument: ts.Expression | undefined,
  { expected, actual }: Sides,
  request: PatchRequest,
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const separator = argument === undefined ? text(',') : staticValue(argument);
  const node = unwrap(list);
  const isList = ts.isArrayLiteralExpression(node) || ts.isIdentifier(node);
  if (!isList || separator?.kind !== 'string' || separator.value === '') return isComputed(request);
  const split = (joined: string): Value => ({
    kind: 'array',
    items: joined.split(separator.value).map(text),
  });
  return patchInner(
    { ...request, node, expected: split(expected), actual: split(actual) },
    { ...context, mode: 'strict' },
  );
}

/** The value that was written as JSON, when both texts are exactly what JSON.stringify makes. */
async function patchJson(
  node: ts.CallExpression,
  argument: ts.Expression,
  { expected, actual }: Sides,
  request: PatchRequest,
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const [, replacer, space] = node.arguments;
  const indent = space === undefined ? text('') : staticValue(space);
  if (
    replacer !== undefined &&
    staticValue(replacer)?.kind !== 'null' &&
    staticValue(replacer)?.kind !== 'undefined'
  )
    return isComputed(request);
  const width =
    indent?.kind === 'number' ? Number(indent.text) : indent?.kind === 'string' ? indent.value : undefined;
  const [was, now] = [parsed(expected, width), parsed(actual, width)];
  if (was === undefined || now === undefined || width === undefined) return isComputed(request);
  return patchInner(
    { ...request, node: argument, expected: was, actual: now },
    { ...context, mode: 'loose' },
  );
}

function parsed(json: string, width: number | string | undefined): Value | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return JSON.stringify(value, null, width) === json ? jsonValue(value) : undefined;
  } catch {
    return undefined;
  }
}

function jsonValue(value: unknown): Value {
  if (value === null) return { kind: 'null' };
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (Array.isArray(value)) return { kind: 'array', items: value.map(jsonValue) };
  return {
    kind: 'object',
    entries: Object.entries(value ?? {}).map(
      ([key, item]: [string, unknown]) => [key, jsonValue(item)] as const,
    ),
  };
}

/** `dedent`, `stripIndent`, `outdent`: known by name, and held against what they really gave. */
function isDedent(callee: ts.Expression): boolean {
  const name = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
  return ts.isIdentifier(name) && /dedent|outdent|undent|endent|stripIndent|unindent/i.test(name.text);
}

async function patchDedented(
  inner: ts.Expression,
  { expected, actual }: Sides,
  request: PatchRequest,
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const literal = await literalText(inner, request, context);
  if (isRefusal(literal)) return literal;
  const now = indentedLike(literal.value, expected, actual);
  if (now === undefined) return isComputed(request);
  return patchInner(
    { ...request, ...literal.place, expected: text(literal.value), actual: text(now) },
    context,
  );
}

/** The text of a literal, or of the one that a name stands for. */
async function literalText(
  expression: ts.Expression,
  request: PatchRequest,
  context: PatchContext,
): Promise<{ readonly value: string; readonly place: Pick<PatchRequest, 'node' | 'tree'> } | Refusal> {
  const node = unwrap(expression);
  const traced = ts.isIdentifier(node) ? await context.trace(node, request.tree, undefined) : undefined;
  if (traced !== undefined && isRefusal(traced)) return traced;
  const place = traced ?? { node, tree: request.tree };
  const value = staticValue(place.node);
  return value?.kind === 'string' ? { value: value.value, place } : isComputed(request);
}

/** The operands of a chain of one operator; undefined for other operators than `*`, `+`, `-` and `/`. */
function operandsOf(node: ts.BinaryExpression): readonly ts.Expression[] | undefined {
  const { kind } = node.operatorToken;
  const isKnown =
    kind === ts.SyntaxKind.AsteriskToken ||
    kind === ts.SyntaxKind.PlusToken ||
    kind === ts.SyntaxKind.MinusToken ||
    kind === ts.SyntaxKind.SlashToken;
  if (!isKnown) return undefined;
  const left = unwrap(node.left);
  const before = ts.isBinaryExpression(left) ? operandsOf(left) : [left];
  return before === undefined || (ts.isBinaryExpression(left) && left.operatorToken.kind !== kind)
    ? undefined
    : [...before, unwrap(node.right)];
}

const isPlainNumber = (source: string): boolean => /^-?\d+(?:\.\d+)?$/.test(source);
