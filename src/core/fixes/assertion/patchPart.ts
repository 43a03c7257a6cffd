// Patches what an assertion or an asymmetric matcher expects to be a part of a text or of a list.
import ts from 'typescript';
import { literalStops, type Stop } from '../../diagnosis/valueStops.ts';
import type { Value } from '../../model/value.ts';
import {
  quoteInPlaceOf,
  rewriteText,
  staticValue,
  stringSource,
} from '../../syntax/javascript/literalSource.ts';
import { startOf, styleOf, textOf, unwrap } from '../../syntax/javascript/sourceTree.ts';
import { isRefusal, refuse, withStops, type Patch } from './literalChange.ts';
import { partOfText } from './partOfText.ts';
import { at, type PatchContext, type PatchInner, type PatchRequest } from './patchRequest.ts';
import { patternOf, plainPattern } from './plainPattern.ts';
import { sameValue } from './sameValue.ts';

/** Never asks for less than before: a part that is only a piece of the old one is refused. */
export async function patchPart(
  request: PatchRequest,
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const { actual, expected, path } = request;
  const node = unwrap(request.node);
  if (ts.isIdentifier(node) || ts.isPropertyAccessExpression(node)) {
    const traced = await context.trace(node, request.tree, expected);
    return isRefusal(traced) ? traced : patchPart({ ...request, ...traced }, context, patchInner);
  }
  if (actual.kind === 'array')
    return patchItem(
      { ...request, node, expected: expected ?? staticValue(node) },
      actual.items,
      context,
      patchInner,
    );
  if (actual.kind !== 'string') return refuse(`The actual value${at(path)} is not a string.`);
  return ts.isRegularExpressionLiteral(node)
    ? patchPattern(node, request, actual.value)
    : patchText(node, request, actual.value);
}

/** `expect.stringContaining`, `stringMatching` and `arrayContaining`; undefined for all other calls. */
export async function patchAsymmetric(
  node: ts.CallExpression,
  callee: string,
  request: PatchRequest,
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch | undefined> {
  const { actual } = request;
  const [argument] = node.arguments;
  if (argument === undefined) return undefined;
  const inner: PatchRequest = { ...request, node: argument, expected: undefined };
  if (/^expect\.string(?:Containing|Matching)$/.test(callee) && actual.kind === 'string')
    return patchPart(inner, context, patchInner);
  const list = unwrap(argument);
  if (callee !== 'expect.arrayContaining' || actual.kind !== 'array' || !ts.isArrayLiteralExpression(list))
    return undefined;
  const wanted = list.elements.map((element) => staticValue(element));
  const lost = list.elements.filter((_, index) => {
    const value = wanted[index];
    return value !== undefined && !isIn(value, actual.items);
  });
  const [only] = lost;
  // Of several items nobody knows which became which.
  if (wanted.includes(undefined) || only === undefined || lost.length > 1) return undefined;
  const others = actual.items.filter((item) => !isIn(item, wanted));
  return patchItem({ ...request, node: only, expected: staticValue(only) }, others, context, patchInner);
}

const isIn = (value: Value, items: readonly (Value | undefined)[]): boolean =>
  items.some((item) => item !== undefined && sameValue(item, value, 'loose'));

/** The item of a list that the expected one became: the only one that says it in other words. */
async function patchItem(
  request: PatchRequest,
  items: readonly Value[],
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const { expected, path } = request;
  const [only, ...others] = items.filter((item) => expected !== undefined && isLike(expected, item));
  if (only === undefined || others.length > 0)
    return refuse(`It is unclear which item of the actual list${at(path)} should be expected now.`);
  const patch = await patchInner({ ...request, actual: only }, context);
  return expected === undefined ? patch : withStops(patch, literalStops(expected, only, path));
}

function isLike(was: Value, now: Value): boolean {
  if (was.kind === 'string' && now.kind === 'string') return partOfText(was.value, now.value) !== undefined;
  if (was.kind !== 'object' || now.kind !== 'object' || now.className !== undefined) return false;
  const entries = new Map(now.entries);
  const same = was.entries.filter(([key, value]) => {
    const other = entries.get(key);
    return other !== undefined && sameValue(value, other, 'loose');
  });
  return same.length * 2 >= Math.max(was.entries.length, now.entries.length);
}

function patchText(node: ts.Expression, { tree, path }: PatchRequest, actual: string): Patch {
  const value = staticValue(node);
  if (value?.kind !== 'string' || !ts.isStringLiteralLike(node))
    return refuse(`The expected part${at(path)} is computed.`);
  const part = partOfText(value.value, actual);
  if (part === undefined) return unknownPart(path);
  const old = textOf(tree, node);
  const style = styleOf(tree);
  const quote = quoteInPlaceOf(old, part, style.json);
  const inside = rewriteText(old.slice(1, -1), quote, part, style.eol);
  const newText = inside === undefined ? stringSource(part, quote) : quote + inside + quote;
  const change = { tree, start: startOf(tree, node), end: node.end, newText, path, old, new: newText };
  return withStops([change], textStops(value.value, part, path));
}

const textStops = (was: string, now: string, path: string): Stop[] =>
  literalStops({ kind: 'string', value: was }, { kind: 'string', value: now }, path);

/** A pattern that is nothing but a text, with or without anchors. */
function patchPattern(
  node: ts.RegularExpressionLiteral,
  { tree, path }: PatchRequest,
  actual: string,
): Patch {
  const { text: old } = node;
  const end = old.lastIndexOf('/');
  const pattern = plainPattern(old.slice(1, end));
  if (pattern === undefined) return refuse(`The expected pattern${at(path)} is more than plain text.`);
  const part = pattern.fromStart && pattern.toEnd ? actual : partOfText(pattern.text, actual);
  const fits =
    part !== undefined &&
    !part.includes('\n') &&
    (!pattern.fromStart || actual.startsWith(part)) &&
    (!pattern.toEnd || actual.endsWith(part));
  if (!fits) return unknownPart(path);
  const newText = `/${patternOf({ ...pattern, text: part })}/${old.slice(end + 1)}`;
  const change = { tree, start: startOf(tree, node), end: node.end, newText, path, old, new: newText };
  return withStops([change], textStops(pattern.text, part, path));
}

const unknownPart = (path: string): Patch =>
  refuse(`It is unclear which part of the actual text${at(path)} should be expected now.`);
