// Changes the source of an expected value so that it becomes the actual one: only the leaves that differ, as they are written.
import ts from 'typescript';
import { literalStops, mentioned } from '../../diagnosis/valueStops.ts';
import { propertiesOf, type Value } from '../../model/value.ts';
import {
  numberSource,
  rewriteText,
  staticValue,
  stringSource,
  valueSource,
  quoteInPlaceOf,
} from '../../syntax/javascript/literalSource.ts';
import { indentAt, startOf, styleOf, textOf, unwrap } from '../../syntax/javascript/sourceTree.ts';
import { differences } from './differences.ts';
import {
  isRefusal,
  joinPatches,
  refuse,
  unread,
  withStops,
  type Patch,
  type Refusal,
} from './literalChange.ts';
import { patchArray, patchObject } from './patchLists.ts';
import { patchCall, patchNew } from './patchCalls.ts';
import { at, shorten, type PatchContext, type PatchRequest } from './patchRequest.ts';
import { patchProduct, patchTagged } from './patchDerived.ts';
import { patchText } from './patchText.ts';
import { sameValue } from './sameValue.ts';
import { writtenValue } from './writtenValue.ts';

/** So many places of one value are tried at most. */
const mostParts = 4;

/** The changes that turn the value of the expression into `actual`; none when the assertion is content already. */
export async function patchValue(request: PatchRequest, context: PatchContext): Promise<Patch> {
  const read = await patchExpression(request, context);
  const patch = isRefusal(read) && read.unread ? await patchProbed(read, request, context) : read;
  // What was recorded is judged as a whole; where nothing was, as inside of asymmetric matchers, the source tells.
  if (request.expected !== undefined && request.expected.kind !== 'opaque') return patch;
  const was = writtenValue(request.node);
  const now = context.mode === 'subset' ? mentioned(was, request.actual) : request.actual;
  return withStops(patch, literalStops(was, now, request.path));
}

async function patchExpression(request: PatchRequest, context: PatchContext): Promise<Patch> {
  const { tree, actual, path } = request;
  const node = unwrap(request.node);
  const expected = request.expected ?? staticValue(node);
  if (expected !== undefined && sameValue(expected, actual, context.mode)) return [];
  if (actual.kind === 'opaque')
    return refuse(
      `The actual value${at(path)} is ${actual.description}, which cannot be written as a literal.`,
    );
  const inner: PatchRequest = { ...request, node, expected };
  if (ts.isObjectLiteralExpression(node) && actual.kind === 'object')
    return patchObject(node, inner, actual, context, patchValue);
  if (ts.isObjectLiteralExpression(node) && actual.kind === 'error' && context.mode === 'subset')
    return patchObject(node, inner, propertiesOf(actual), context, patchValue);
  if (ts.isArrayLiteralExpression(node) && actual.kind === 'array')
    return patchArray(node, inner, actual.items, context, patchValue);
  if (ts.isTemplateExpression(node) || isTextSum(node, expected)) {
    if (expected?.kind !== 'string' || actual.kind !== 'string')
      return refuse(`The expected text${at(path)} is computed.`);
    return patchText(node, inner, { expected: expected.value, actual: actual.value }, context, patchValue);
  }
  if (ts.isBinaryExpression(node)) {
    const product = patchProduct(node, inner);
    if (product !== undefined) return product;
  }
  if (ts.isTaggedTemplateExpression(node)) return patchTagged(node, inner, context, patchValue);
  if (isLiteral(node)) return replaceLiteral(node, inner);
  if (ts.isNewExpression(node)) return patchNew(node, inner, context, patchValue);
  if (ts.isCallExpression(node)) return patchCall(node, inner, context, patchValue);
  if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) {
    const traced = await context.trace(node, tree, expected);
    return isRefusal(traced) ? traced : patchValue({ ...inner, ...traced }, context);
  }
  return unread(refuse(`The expected value${at(path)} is computed by \`${shorten(textOf(tree, node))}\`.`));
}

/** Where reading does not tell which literals the parts that differ come from, trials may. */
async function patchProbed(refusal: Refusal, request: PatchRequest, context: PatchContext): Promise<Patch> {
  const { expected, actual, path } = request;
  if (context.probe === undefined || expected === undefined) return refusal;
  const rest: PatchContext = { mode: context.mode, trace: (...asked) => context.trace(...asked) };
  const parts = differences(expected, actual, context.mode);
  if (parts.length > mostParts) return refusal;
  const patches: Patch[] = [];
  for (const part of parts) {
    const literal = await context.probe(part.was);
    if (isRefusal(literal)) return refusal;
    patches.push(
      await patchValue({ ...literal, expected: part.was, actual: part.now, path: path + part.path }, rest),
    );
  }
  return joinPatches(patches);
}

function isTextSum(node: ts.Expression, expected: Value | undefined): node is ts.BinaryExpression {
  return (
    ts.isBinaryExpression(node) &&
    node.operatorToken.kind === ts.SyntaxKind.PlusToken &&
    expected?.kind === 'string'
  );
}

function isLiteral(node: ts.Expression): boolean {
  return (
    ts.isStringLiteralLike(node) ||
    ts.isNumericLiteral(node) ||
    ts.isBigIntLiteral(node) ||
    ts.isObjectLiteralExpression(node) ||
    ts.isArrayLiteralExpression(node) ||
    staticValue(node) !== undefined
  );
}

/** Another literal in the place of the whole one; a text keeps its quotes and whatever of it did not change. */
function replaceLiteral(node: ts.Expression, { tree, actual, path }: PatchRequest): Patch {
  const start = startOf(tree, node);
  const old = textOf(tree, node);
  const style = styleOf(tree);
  if (actual.kind === 'regexp' || actual.kind === 'error')
    return refuse(
      `The actual value${at(path)} is ${actual.kind === 'error' ? 'an error' : 'a regular expression'}.`,
    );
  let newText: string | undefined;
  if (actual.kind === 'string' && ts.isStringLiteralLike(node)) {
    const quote = quoteInPlaceOf(old, actual.value, style.json);
    const inside = rewriteText(old.slice(1, -1), quote, actual.value, style.eol);
    newText = inside === undefined ? stringSource(actual.value, quote) : quote + inside + quote;
  } else if (actual.kind === 'number') newText = numberSource(actual.text, old);
  else newText = valueSource(actual, style, indentAt(tree, start));
  if (newText === undefined) return refuse(`The actual value${at(path)} cannot be written as a literal.`);
  if (style.json && /^(?:undefined|NaN|-?Infinity|new )|n$/.test(newText) && actual.kind !== 'string')
    return refuse(`The actual value${at(path)} cannot be written in JSON.`);
  return [{ tree, start, end: node.end, newText, path, old, new: newText }];
}
