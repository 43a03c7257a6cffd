// The change of the literal inside a condition that lets it hold for another value, in the same place and manner.
import ts from 'typescript';
import { literalStops } from '../../diagnosis/valueStops.ts';
import type { Value } from '../../model/value.ts';
import { numberSource, staticValue } from '../../syntax/javascript/literalSource.ts';
import type { Predicate } from '../../syntax/javascript/predicates.ts';
import { startOf, textOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { isRefusal, refuse, withStops, type Patch } from '../assertion/literalChange.ts';
import { patchPart } from '../assertion/patchPart.ts';
import type { PatchContext } from '../assertion/patchRequest.ts';
import { patchValue } from '../assertion/patchValue.ts';
import { whyFailure } from './tellsFailure.ts';
import { nearestCentre, nearestLimit } from './nearestNumber.ts';

interface PredicateRequest {
  readonly tree: SourceTree;
  readonly predicate: Predicate;
  /** What the operand was while the test ran. */
  readonly actual: Value;
}

/** Never another answer, operator or method, never a shorter text or fewer words, never a larger distance. */
export async function patchPredicate(
  { tree, predicate, actual }: PredicateRequest,
  context: PatchContext,
): Promise<Patch> {
  if (predicate.of === 'operand') return patchQuestion({ tree, predicate, actual }, context);
  const items = itemsOf(actual);
  if (items === undefined) return refuse('What has to hold for one of its items is no list.');
  const asked = items.flatMap((item) => memberOf(item, predicate.path) ?? []);
  if (predicate.question.kind === 'equal')
    return patchListPart({ tree, literal: predicate.question.literal, items: asked }, context);
  const patches: (readonly [key: string, patch: Patch])[] = [];
  for (const item of asked) {
    const patch = await patchQuestion({ tree, predicate, actual: item }, context);
    if (isRefusal(patch) || patch.length === 0) continue;
    patches.push([JSON.stringify(patch.map(({ start, newText }) => [start, newText])), patch]);
  }
  const distinct = new Map(patches);
  const [only] = distinct.values();
  return only === undefined || distinct.size > 1
    ? refuse('Nothing tells which item of the list is meant now.')
    : only;
}

async function patchQuestion(
  { tree, predicate: { question, operand }, actual }: PredicateRequest,
  context: PatchContext,
): Promise<Patch> {
  const { literal } = question;
  const failure = whyNumberFails(tree, operand, question, actual);
  if (failure !== undefined) return refuse(failure);
  const request = { node: literal, tree, expected: staticValue(literal), actual, path: '' };
  switch (question.kind) {
    case 'part': {
      const items = actual.kind === 'string' ? undefined : itemsOf(actual);
      if (question.where === 'inside' && items !== undefined)
        return patchListPart({ tree, literal, items }, context);
      if (question.where === 'inside') return patchPart(request, context, patchValue);
      // The first item of a list is no beginning of a text.
      if (items !== undefined) return refuse('What is asked for its beginning or end is no text.');
      return patchPart({ ...request, held: question.where }, context, patchValue);
    }
    case 'pattern':
      return patchPart(request, context, patchValue);
    case 'equal':
      return patchEqual(request, context);
    case 'limit':
    case 'near':
      return patchNumber({ tree, question, actual });
  }
}

/** The item that says in other words what the list held before. */
function patchListPart(
  { tree, literal, items }: { tree: SourceTree; literal: ts.Expression; items: readonly Value[] },
  context: PatchContext,
): Promise<Patch> {
  const actual: Value = { kind: 'array', items };
  return patchPart(
    { node: literal, tree, expected: staticValue(literal), actual, path: '' },
    context,
    patchValue,
  );
}

async function patchEqual(request: Parameters<typeof patchValue>[0], context: PatchContext): Promise<Patch> {
  const { expected, actual } = request;
  if (expected === undefined) return refuse('What the value is compared with is not written there.');
  if (expected.kind !== actual.kind || (actual.kind !== 'string' && actual.kind !== 'number'))
    return refuse('The value is of another kind, or is true, false or nothing: no literal answers that.');
  if (actual.kind === 'string' ? actual.value.trim() === '' : !Number.isFinite(Number(actual.text)))
    return refuse('The value is empty, or no number any more.');
  return withStops(await patchValue(request, context), literalStops(expected, actual, ''));
}

function whyNumberFails(
  tree: SourceTree,
  operand: ts.Expression,
  { kind, literal }: Predicate['question'],
  actual: Value,
): string | undefined {
  const expected = staticValue(literal);
  if (expected?.kind !== 'number' || actual.kind !== 'number' || kind === 'part' || kind === 'pattern')
    return undefined;
  return whyFailure(textOf(tree, operand), kind, Number(expected.text), Number(actual.text));
}

interface NumberRequest {
  readonly tree: SourceTree;
  readonly question: Predicate['question'] & { kind: 'limit' | 'near' };
  readonly actual: Value;
}

function patchNumber({ tree, question, actual }: NumberRequest): Patch {
  const { literal } = question;
  const expected = staticValue(literal);
  if (expected?.kind !== 'number') return refuse('The number in the condition is not written there.');
  if (actual.kind !== 'number' || !Number.isFinite(Number(actual.text)))
    return refuse('What the condition asks for is no number any more.');
  const [was, now] = [Number(expected.text), Number(actual.text)];
  const old = textOf(tree, literal);
  if (question.kind === 'limit' && !isNear(was, now))
    return refuse(
      'The value is nothing, of another sign, or more than twice or less than half of its limit: no limit is moved so far.',
    );
  if (question.kind === 'near' && question.tolerance === undefined)
    return refuse('How near the number has to be is computed.');
  const text =
    question.kind === 'limit'
      ? nearestLimit(old, question.operator, now)
      : nearestCentre(old, question.tolerance ?? 0, question.inclusive, now);
  if (text === undefined) return refuse('No number written like this one lets the condition hold.');
  const newText = numberSource(text, old);
  const start = startOf(tree, literal);
  const change = { tree, start, end: literal.end, newText, path: '', old, new: newText };
  return withStops([change], literalStops(expected, actual, ''));
}

function isNear(was: number, now: number): boolean {
  const share = now / was;
  return share >= 0.5 && share <= 2;
}

function itemsOf(value: Value): readonly Value[] | undefined {
  return value.kind === 'array' || value.kind === 'set' ? value.items : undefined;
}

function memberOf(item: Value, path: readonly string[]): Value | undefined {
  let value: Value | undefined = item;
  for (const key of path)
    value = value?.kind === 'object' ? value.entries.find(([name]) => name === key)?.[1] : undefined;
  return value;
}

/** Is the literal of the condition one that can be changed at all, or a name that may lead to one? */
export function isOpen({ question }: Predicate): boolean {
  const literal = unwrap(question.literal);
  if (staticValue(literal) !== undefined || ts.isRegularExpressionLiteral(literal)) return true;
  const isName = ts.isIdentifier(literal) || ts.isPropertyAccessExpression(literal);
  return isName && (question.kind === 'part' || question.kind === 'pattern');
}
