// Patches inside the calls that only build a value: dates, sets, maps, errors, frozen objects, objectContaining.
import ts from 'typescript';
import type { Value } from '../../model/value.ts';
import { bareCopy } from '../../syntax/javascript/bareObjects.ts';
import { numberSource, stringSource, quoteOf } from '../../syntax/javascript/literalSource.ts';
import { startOf, textOf, unwrap } from '../../syntax/javascript/sourceTree.ts';
import { refuse, unread, type Patch } from './literalChange.ts';
import { patchDerivedCall } from './patchDerived.ts';
import { patchHelperCall } from './patchHelperCall.ts';
import { patchAsymmetric } from './patchPart.ts';
import { patchBareCopy } from './patchPrototype.ts';
import { at, shorten, type PatchContext, type PatchInner, type PatchRequest } from './patchRequest.ts';

export async function patchNew(
  node: ts.NewExpression,
  request: PatchRequest,
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const { actual, expected, path } = request;
  const name = ts.isIdentifier(node.expression) ? node.expression.text : '';
  const [argument] = node.arguments ?? [];
  const single = node.arguments?.length === 1 ? argument : undefined;
  if (single !== undefined && name === 'Date' && actual.kind === 'date')
    return patchDate(single, request, actual.iso);
  if (single !== undefined && name === 'Set' && actual.kind === 'set' && expected?.kind === 'set') {
    const items = inOrderOf(expected.items, actual.items);
    return patchInner(
      {
        ...request,
        node: single,
        expected: { kind: 'array', items: expected.items },
        actual: { kind: 'array', items },
      },
      context,
    );
  }
  if (single !== undefined && name === 'Map' && actual.kind === 'map' && expected?.kind === 'map') {
    const pairs = (entries: readonly (readonly [Value, Value])[]): Value[] =>
      entries.map((pair) => ({ kind: 'array', items: pair }));
    const items = inOrderOf(pairs(expected.entries), pairs(actual.entries), firstItem);
    return patchInner(
      {
        ...request,
        node: single,
        expected: { kind: 'array', items: pairs(expected.entries) },
        actual: { kind: 'array', items },
      },
      context,
    );
  }
  if (
    argument !== undefined &&
    actual.kind === 'error' &&
    expected?.kind === 'error' &&
    actual.name === expected.name
  ) {
    const text = (value: string): Value => ({ kind: 'string', value });
    return patchInner(
      { ...request, node: argument, expected: text(expected.message), actual: text(actual.message) },
      context,
    );
  }
  return unread(
    refuse(`The expected value${at(path)} is built by \`${shorten(textOf(request.tree, node))}\`.`),
  );
}

export async function patchCall(
  node: ts.CallExpression,
  request: PatchRequest,
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const { tree, path } = request;
  const callee = textOf(tree, node.expression).replace(/\s/g, '');
  const [argument] = node.arguments;
  const copied = bareCopy(node);
  if (copied !== undefined) return patchBareCopy(copied, request, context, patchInner);
  if (callee === 'Object.freeze' && argument !== undefined)
    return patchInner({ ...request, node: argument }, context);
  if (
    callee === 'expect.objectContaining' &&
    argument !== undefined &&
    ts.isObjectLiteralExpression(unwrap(argument))
  )
    return patchInner({ ...request, node: argument, expected: undefined }, { ...context, mode: 'subset' });
  const derived = await patchDerivedCall(node, request, context, patchInner);
  if (derived !== undefined) return derived;
  const matcher = await patchAsymmetric(node, callee, request, context, patchInner);
  if (matcher !== undefined) return matcher;
  if (callee.startsWith('expect.'))
    return refuse(`The matcher \`${shorten(textOf(tree, node))}\`${at(path)} no longer holds.`);
  return patchHelperCall(node, request, context, patchInner);
}

/** A date's text keeps its precision where the new date has no more of it. */
function patchDate(argument: ts.Expression, { tree, path }: PatchRequest, iso: string): Patch {
  const literal = unwrap(argument);
  const start = startOf(tree, literal);
  const old = textOf(tree, literal);
  if (iso === 'Invalid Date') return refuse(`The actual date${at(path)} is invalid.`);
  let newText: string | undefined;
  if (ts.isNumericLiteral(literal)) newText = numberSource(String(Date.parse(iso)), old);
  else if (ts.isStringLiteralLike(literal)) newText = stringSource(dateText(literal.text, iso), quoteOf(old));
  if (newText === undefined) return refuse(`The expected date${at(path)} is computed.`);
  return [{ tree, start, end: literal.end, newText, path, old, new: newText }];
}

function dateText(old: string, iso: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(old) && iso.endsWith('T00:00:00.000Z')) return iso.slice(0, 10);
  if (/T\d{2}:\d{2}Z$/.test(old) && iso.endsWith(':00.000Z')) return iso.replace(/:00\.000Z$/, 'Z');
  if (/T\d{2}:\d{2}:\d{2}Z$/.test(old) && iso.endsWith('.000Z')) return iso.replace('.000Z', 'Z');
  return iso;
}

/** Sets and maps have no order for an assertion: what both sides hold stays where the source has it. */
function inOrderOf(
  expected: readonly Value[],
  actual: readonly Value[],
  keyOf: (value: Value) => Value = (value) => value,
): Value[] {
  const key = (value: Value): string => JSON.stringify(keyOf(value));
  const rest = new Map(actual.map((value) => [key(value), value]));
  const known = expected.flatMap((value) => {
    const found = rest.get(key(value));
    rest.delete(key(value));
    return found ?? [];
  });
  return [...known, ...rest.values()];
}

function firstItem(value: Value): Value {
  return value.kind === 'array' ? (value.items[0] ?? value) : value;
}
