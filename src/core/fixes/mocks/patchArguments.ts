// Patches the written arguments of an expected call: only what differs, in place.
import ts from 'typescript';
import type { Value } from '../../model/value.ts';
import { valueSource } from '../../syntax/javascript/literalSource.ts';
import { indentAt, startOf, styleOf } from '../../syntax/javascript/sourceTree.ts';
import {
  isRefusal,
  joinPatches,
  refuse,
  type LiteralChange,
  type Patch,
} from '../assertion/literalChange.ts';
import type { PatchContext } from '../assertion/patchRequest.ts';
import { patchValue } from '../assertion/patchValue.ts';
import type { CallSite } from './callSite.ts';

/** The changes that turn the expected arguments into the actual ones; further ones are added and lost ones removed at the end. */
export async function patchArguments(
  site: CallSite,
  expected: readonly Value[],
  actual: readonly Value[],
  context: PatchContext,
): Promise<Patch> {
  const { args, tree } = site;
  if (args.some((arg) => ts.isSpreadElement(arg)) || args.length !== expected.length)
    return refuse('The expected arguments come from a spread list.');
  const patches: Patch[] = [];
  for (const [index, value] of actual.slice(0, args.length).entries()) {
    const node = args[index];
    if (node === undefined) continue;
    const path = pathOf(index, Math.max(args.length, actual.length));
    patches.push(await patchValue({ node, tree, expected: expected[index], actual: value, path }, context));
  }
  const patch = joinPatches(patches);
  if (isRefusal(patch)) return patch;
  const rest = actual.length < args.length ? removed(site, actual.length) : added(site, actual);
  return isRefusal(rest) ? rest : [...patch, ...rest];
}

function pathOf(index: number, count: number): string {
  return count === 1 ? '' : `argument ${index + 1}`;
}

function removed({ args, tree }: CallSite, count: number): LiteralChange[] {
  const [first, last] = [args[count], args.at(-1)];
  if (first === undefined || last === undefined) return [];
  const start = count === 0 ? startOf(tree, first) : (args[count - 1]?.end ?? first.pos);
  const old = tree.text.slice(startOf(tree, first), last.end);
  return [{ tree, start, end: last.end, newText: '', path: pathOf(count, args.length), old, new: '' }];
}

function added({ args, tree, call }: CallSite, actual: readonly Value[]): Patch {
  const values = actual.slice(args.length);
  if (values.length === 0) return [];
  const indent = indentAt(tree, startOf(tree, call));
  const sources: string[] = [];
  for (const value of values) {
    const source = valueSource(value, styleOf(tree), indent);
    if (source === undefined)
      return refuse('The call has an additional argument that cannot be written as a literal.');
    sources.push(source);
  }
  const source = sources.join(', ');
  const end = args.at(-1)?.end ?? call.arguments.pos;
  const newText = args.length === 0 ? source : `, ${source}`;
  return [{ tree, start: end, end, newText, path: pathOf(args.length, actual.length), old: '', new: source }];
}
