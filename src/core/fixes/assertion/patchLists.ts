// Leaf patches of object and array literals: what did not change stays byte for byte, spreads and computed keys are not guessed at.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import type { Value } from '../../model/value.ts';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { hasKeySource, keySource, propertyKey, valueSource } from '../../syntax/javascript/literalSource.ts';
import {
  startOf,
  styleOf,
  textOf,
  unwrap,
  type SourceTree,
  type TextStyle,
} from '../../syntax/javascript/sourceTree.ts';
import { isBareMark } from '../../syntax/javascript/bareObjects.ts';
import { alignItems } from './alignItems.ts';
import { isRefusal, joinPatches, refuse, type LiteralChange, type Patch } from './literalChange.ts';
import { listEdits, type ListInsertion, type ListLiteral } from './listEdits.ts';
import { at, type PatchContext, type PatchInner, type PatchRequest } from './patchRequest.ts';
import { patchPrototype } from './patchPrototype.ts';
import { isNoKey, sameValue } from './sameValue.ts';

export async function patchObject(
  node: ts.ObjectLiteralExpression,
  request: PatchRequest,
  actual: Value & { kind: 'object' },
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const { tree, path } = request;
  const style = { ...styleOf(tree), json: quotesKeys(tree, node) };
  const before = request.expected?.kind === 'object' ? new Map(request.expected.entries) : undefined;
  const after = new Map(actual.entries);
  const mark = node.properties.findIndex((property) => isBareMark(property));
  const prototype = patchPrototype(node, request, actual, context);
  if (isRefusal(prototype)) return prototype;

  const explicit = new Map<string, { index: number; value: ts.Expression }>();
  let lastSpread = -1;
  let hasUnreadableKeys = false;
  for (const [index, property] of node.properties.entries()) {
    if (ts.isSpreadAssignment(property)) lastSpread = index;
    if (index === mark) continue;
    const key = property.name === undefined ? undefined : propertyKey(property.name);
    if (key === undefined) hasUnreadableKeys ||= !ts.isSpreadAssignment(property);
    else if (ts.isPropertyAssignment(property)) explicit.set(key, { index, value: property.initializer });
    else if (ts.isShorthandPropertyAssignment(property)) explicit.set(key, { index, value: property.name });
  }

  const patches: Patch[] = [];
  const removed = new Set<number>();
  const overridden = new Set<string>();
  for (const [key, { index, value }] of explicit) {
    const now = after.get(key);
    const was = before?.get(key);
    const inner = childPath(path, key);
    if (now === undefined) {
      if (isNoKey(key, was, context.mode)) continue;
      if (context.mode === 'subset')
        return refuse(`${inner} is missing; without it, the test would check less.`);
      if (lastSpread >= 0) return refuse(`${inner} is missing, and a spread may add it again.`);
      removed.add(index);
      continue;
    }
    const patch = await patchInner({ node: value, tree, expected: was, actual: now, path: inner }, context);
    if (index < lastSpread && 'length' in patch && patch.length > 0)
      return refuse(`${inner} may come from a spread.`);
    patches.push(patch);
  }
  for (const [key, was] of before ?? []) {
    const now = after.get(key);
    const same = now === undefined ? isNoKey(key, was, context.mode) : sameValue(was, now, context.mode);
    if (explicit.has(key) || same) continue;
    const inner: PatchRequest = {
      ...request,
      node,
      expected: was,
      actual: now ?? was,
      path: childPath(path, key),
    };
    const patch = now && (await patchSpread(node, key, inner, context, patchInner));
    // What others share stays; the object says for itself what is different.
    if (patch === 'shared' && !hasUnreadableKeys) overridden.add(key);
    else if (patch !== undefined && patch !== 'shared') patches.push(patch);
    if (patch !== undefined) continue;
    return refuse(
      `The difference${key.startsWith('@@') ? ' is in a symbol key' : ` of ${childPath(path, key)} comes from a spread or a computed key`}.`,
    );
  }

  const added = actual.entries.filter(
    ([key, value]) =>
      overridden.has(key) ||
      (context.mode !== 'subset' &&
        !explicit.has(key) &&
        before?.has(key) !== true &&
        !isNoKey(key, value, context.mode)),
  );
  if (added.length > 0 && (hasUnreadableKeys || lastSpread >= 0) && before === undefined)
    return refuse('Not all keys of the expected object are written out.');
  const insertions: ListInsertion[] = [...prototype.insertions];
  const order = actual.entries.map(([key]) => key);
  for (const [key, value] of added) {
    if (!hasKeySource(key, style))
      return refuse(
        `The actual value${at(path)} now has a symbol key (${key.slice(2)}), which a literal cannot contain.`,
      );
    if (valueSource(value, style) === undefined)
      return refuse(`The new value of ${childPath(path, key)} cannot be written as a literal.`);
    const anchor = order
      .slice(0, order.indexOf(key))
      .flatMap((earlier) => explicit.get(earlier)?.index ?? [])
      .at(-1);
    insertions.push({
      after:
        lastSpread >= 0 || hasUnreadableKeys
          ? lastKept(node, removed)
          : (anchor ?? (mark >= 0 ? mark : lastKeptWhenNone(node, removed))),
      render: (indent) => `${keySource(key, style)}: ${valueSource(value, style, indent) ?? ''}`,
    });
  }
  insertions.sort((a, b) => a.after - b.after);
  patches.push(listChanges(tree, node, removed, insertions, style, path), prototype.changes);
  return joinPatches(patches);
}

/** Follows a key into the last spread that holds it: a literal with a name, or what a helper is called with. */
async function patchSpread(
  node: ts.ObjectLiteralExpression,
  key: string,
  request: PatchRequest,
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch | 'shared' | undefined> {
  for (const property of node.properties.toReversed()) {
    if (!ts.isSpreadAssignment(property)) continue;
    const traced = await context.trace(property.expression, request.tree, undefined);
    if (isRefusal(traced)) return holdsKey(writtenOut(property.expression), key) ? 'shared' : undefined;
    const source = unwrap(traced.node);
    if (!ts.isObjectLiteralExpression(source)) return undefined;
    const held = holdsKey(source, key);
    if (held !== undefined)
      return ts.isPropertyAssignment(held)
        ? patchInner({ ...request, node: held.initializer, tree: traced.tree }, context)
        : undefined;
    // A spread inside may bring it.
    if (source.properties.some((other) => ts.isSpreadAssignment(other))) return undefined;
  }
  return undefined;
}

function holdsKey(source: ts.Expression | undefined, key: string): ts.ObjectLiteralElementLike | undefined {
  return source && ts.isObjectLiteralExpression(source)
    ? source.properties.find(({ name }) => name !== undefined && propertyKey(name) === key)
    : undefined;
}

/** The object that a constant of this file was given. */
function writtenOut(expression: ts.Expression): ts.Expression | undefined {
  const node = unwrap(expression);
  const declaration = ts.isIdentifier(node) ? bindingOf(node)?.declaration : undefined;
  return declaration && ts.isVariableDeclaration(declaration) && declaration.initializer
    ? unwrap(declaration.initializer)
    : undefined;
}

/** New keys before all that stays go to the beginning. */
function lastKeptWhenNone(node: ts.ObjectLiteralExpression, removed: ReadonlySet<number>): number {
  return node.properties.length === removed.size ? lastKept(node, removed) : -1;
}

function lastKept(node: ts.ObjectLiteralExpression, removed: ReadonlySet<number>): number {
  return node.properties.findLastIndex((_, index) => !removed.has(index));
}

export async function patchArray(
  node: ts.ArrayLiteralExpression,
  request: PatchRequest,
  actual: readonly Value[],
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const { tree, path } = request;
  const expected = request.expected?.kind === 'array' ? request.expected.items : undefined;
  const elements: readonly ts.Expression[] = node.elements;
  const child = (element: ts.Expression, was: Value | undefined, now: Value, index: number): Promise<Patch> =>
    patchInner({ node: element, tree, expected: was, actual: now, path: `${path}[${index}]` }, context);

  const spread = elements.findIndex((element) => ts.isSpreadElement(element));
  if (spread >= 0) {
    const tail = elements.length - spread - 1;
    const middleEnd = actual.length - tail;
    if (
      expected === undefined ||
      expected.length !== actual.length ||
      elements.findLastIndex((e) => ts.isSpreadElement(e)) !== spread
    )
      return refuse('The expected list contains a spread.');
    const patches: Patch[] = [];
    for (const [index, now] of actual.entries()) {
      const was = expected[index];
      const element = index < spread ? elements[index] : elements[index - actual.length + elements.length];
      if (was === undefined || sameValue(was, now, context.mode)) continue;
      if ((index >= spread && index < middleEnd) || element === undefined)
        return refuse('The difference comes from a spread.');
      patches.push(await child(element, was, now, index));
    }
    return joinPatches(patches);
  }

  if (elements.some((element) => ts.isOmittedExpression(element)))
    return refuse('The expected list has holes.');
  if (expected !== undefined && expected.length !== elements.length)
    return refuse('The expected list differs from the literal in the test.');
  if (expected === undefined && elements.length !== actual.length)
    return refuse('The items of the expected list are not known.');
  const style = styleOf(tree);
  const steps = alignItems(expected ?? [], actual, (was, now) => sameValue(was, now, context.mode));
  const patches: Patch[] = [];
  const removed = new Set<number>();
  const insertions: ListInsertion[] = [];
  for (const step of expected === undefined
    ? actual.map((_, index) => ({ expected: index, actual: index }))
    : steps) {
    const element = step.expected === undefined ? undefined : elements[step.expected];
    const now = step.actual === undefined ? undefined : actual[step.actual];
    if (element !== undefined && step.expected !== undefined && now !== undefined)
      patches.push(await child(element, expected?.[step.expected], now, step.expected));
    else if (step.expected !== undefined) removed.add(step.expected);
    else if (now !== undefined) {
      if (valueSource(now, style) === undefined)
        return refuse(`A new item${path === '' ? '' : ` of ${path}`} cannot be written as a literal.`);
      insertions.push({
        after: lastStaying(steps, step),
        render: (indent) => valueSource(now, style, indent) ?? '',
      });
    }
  }
  patches.push(listChanges(tree, node, removed, insertions, style, path));
  return joinPatches(patches);
}

/** Index of the element that stays right before an inserted one. */
function lastStaying(
  steps: readonly { expected?: number; actual?: number }[],
  step: { expected?: number; actual?: number },
): number {
  const before = steps.slice(0, steps.indexOf(step));
  return (
    before.findLast((other) => other.expected !== undefined && other.actual !== undefined)?.expected ?? -1
  );
}

function listChanges(
  tree: SourceTree,
  node: ListLiteral,
  removed: ReadonlySet<number>,
  insertions: readonly ListInsertion[],
  style: TextStyle,
  path: string,
): LiteralChange[] {
  const edits: TextChange[] = listEdits(tree, node, removed, insertions, style);
  const elements: readonly ts.Node[] = ts.isArrayLiteralExpression(node) ? node.elements : node.properties;
  const shown = {
    old: [...removed]
      .flatMap((index) => elements[index] ?? [])
      .map((element) => textOf(tree, element))
      .join(', '),
    new: insertions.map((insertion) => insertion.render('')).join(', '),
  };
  return edits.map((edit) => ({ tree, ...edit, path, ...shown }));
}

function quotesKeys(tree: SourceTree, node: ts.ObjectLiteralExpression): boolean {
  const names = node.properties.flatMap((property) => property.name ?? []);
  return (
    tree.file.endsWith('.json') ||
    (names.length > 0 && names.every((name) => /^['"]/.test(tree.text.charAt(startOf(tree, name)))))
  );
}

function childPath(path: string, key: string): string {
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}
