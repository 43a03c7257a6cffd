// The part of an expectation that says whether an object has a prototype, where the assertion compares that.
import type ts from 'typescript';
import type { Value } from '../../model/value.ts';
import { bareClass, isBareMark } from '../../syntax/javascript/bareObjects.ts';
import { startOf, styleOf } from '../../syntax/javascript/sourceTree.ts';
import type { ListInsertion } from './listEdits.ts';
import { refuse, type LiteralChange, type Patch, type Refusal } from './literalChange.ts';
import { at, type PatchContext, type PatchInner, type PatchRequest } from './patchRequest.ts';

interface PrototypePatch {
  readonly insertions: readonly ListInsertion[];
  readonly changes: readonly LiteralChange[];
}

/** What makes an object literal have the prototype of the actual value, or none, in the way this file writes that. */
export function patchPrototype(
  node: ts.ObjectLiteralExpression,
  { tree, path, expected }: PatchRequest,
  { className }: Value & { kind: 'object' },
  { mode }: PatchContext,
): PrototypePatch | Refusal {
  const was = expected?.kind === 'object' ? expected.className : undefined;
  if (mode !== 'strict') return nothing;
  if (className === undefined) return was === bareClass ? refuse(hasOneNow(path)) : nothing;
  if (className !== bareClass) return refuse(`The actual value${at(path)} is an instance of ${className}.`);
  if (was === bareClass || node.properties.some((property) => isBareMark(property))) return nothing;
  const { bare } = styleOf(tree);
  if (bare === 'mark') {
    const mark = '__proto__: null';
    return { ...nothing, insertions: [{ after: -1, render: () => mark }] };
  }
  if (bare === undefined)
    return refuse(
      `The actual value${at(path)} no longer has a prototype, which this assertion compares, and the test file cannot express that.`,
    );
  const change = { tree, path, old: '', new: 'Object.create(null)' };
  const start = startOf(tree, node);
  return {
    ...nothing,
    changes: [
      { ...change, start, end: start, newText: 'Object.assign(Object.create(null), ' },
      { ...change, start: node.end, end: node.end, newText: ')' },
    ],
  };
}

const nothing: PrototypePatch = { insertions: [], changes: [] };

const hasOneNow = (path: string): string =>
  `The actual value${at(path)} now has a prototype, but the expected value has none.`;

/** Patches X of `Object.assign(Object.create(null), X)`: what X holds is what the copy holds. */
export async function patchBareCopy(
  source: ts.Expression,
  request: PatchRequest,
  context: PatchContext,
  patchInner: PatchInner,
): Promise<Patch> {
  const { actual, expected, path } = request;
  if (isBare(expected) && actual.kind === 'object' && !isBare(actual)) return refuse(hasOneNow(path));
  const inner = { ...request, node: source, actual: withPrototype(actual) };
  return patchInner({ ...inner, expected: expected && withPrototype(expected) }, context);
}

function isBare(value: Value | undefined): boolean {
  return value?.kind === 'object' && value.className === bareClass;
}

function withPrototype(value: Value): Value {
  return value.kind === 'object' && isBare(value) ? { kind: 'object', entries: value.entries } : value;
}
