// Writes one call of a test for the new signature, or tells why it cannot be written.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import { propertyKey } from '../../syntax/javascript/literalSource.ts';
import { startOf, styleOf, textOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { CallPlan, KeyMove, Slot } from './callPlan.ts';

type Call = ts.CallExpression | ts.NewExpression;

/** No changes when the call fits already. */
export function rewriteCall(
  tree: SourceTree,
  call: Call,
  plan: CallPlan,
): readonly TextChange[] | { readonly reason: string } {
  const given = call.arguments ?? [];
  if (given.some((one) => ts.isSpreadElement(one)))
    return { reason: 'a call spreads its arguments, so they cannot be told apart.' };
  if (hasComments(tree, call)) return { reason: 'there is a comment between the arguments of a call.' };
  if (isMigrated(given, plan)) return [];
  const texts: (string | undefined)[] = [];
  for (const [at, slot] of plan.slots.entries()) {
    const isRest = slot.kind === 'argument' && at === plan.slots.length - 1 && plan.takesRest;
    const text = isRest
      ? given.slice(slot.index).map((one) => textOf(tree, one))
      : textOfSlot(slot, given, tree);
    if (Array.isArray(text)) texts.push(...text);
    else if (typeof text === 'object') return text;
    else texts.push(text);
  }
  while (texts.length > 0 && texts.at(-1) === undefined) texts.pop();
  const next = texts.map((text) => text ?? 'undefined');
  return [...constructChanges(tree, call, plan), ...argumentChanges(tree, call, next)];
}

/** Written for the new signature already: an object with the new keys where a plain value was. */
function isMigrated(given: readonly ts.Expression[], { slots }: CallPlan): boolean {
  return slots.some((slot, index) => {
    const argument = given[index];
    const literal = argument === undefined ? undefined : unwrap(argument);
    if (literal === undefined || !ts.isObjectLiteralExpression(literal)) return false;
    const keys = new Set(literal.properties.map((one) => one.name && propertyKey(one.name)));
    if (slot.kind === 'object')
      return slot.entries.some(({ key }) => keys.has(key)) && given.length <= slots.length;
    return (
      slot.kind === 'nested' && slot.moves.every(({ from, to }) => keys.has(to[0]) && !keys.has(from[0]))
    );
  });
}

function textOfSlot(
  slot: Slot,
  given: readonly ts.Expression[],
  tree: SourceTree,
): string | undefined | string[] | { readonly reason: string } {
  switch (slot.kind) {
    case 'absent':
      return undefined;
    case 'literal':
      return slot.text;
    case 'argument': {
      const argument = given[slot.index];
      return argument && textOf(tree, argument);
    }
    case 'spread': {
      const argument = given[slot.index];
      const inner = argument === undefined ? undefined : unwrap(argument);
      if (inner === undefined) return undefined;
      return ts.isArrayLiteralExpression(inner)
        ? inner.elements.map((one) => textOf(tree, one))
        : `...${textOf(tree, inner)}`;
    }
    case 'gather':
      return `[${given
        .slice(slot.index)
        .map((one) => textOf(tree, one))
        .join(', ')}]`;
    case 'key':
      return keyText(given[slot.index], slot.key, tree);
    case 'object': {
      const parts = slot.entries.flatMap(({ key, index }) => {
        const argument = given[index];
        const text = argument && textOf(tree, argument);
        return text === undefined || text === 'undefined' ? [] : [text === key ? key : `${key}: ${text}`];
      });
      return parts.length === 0 ? undefined : inBraces(parts, tree);
    }
    case 'nested':
      return nestedText(given[slot.index], slot.moves, tree);
  }
}

const inBraces = (parts: readonly string[], tree: SourceTree): string =>
  styleOf(tree).spaced ? `{ ${parts.join(', ')} }` : `{${parts.join(', ')}}`;

function keyText(
  argument: ts.Expression | undefined,
  key: string,
  tree: SourceTree,
): string | undefined | { readonly reason: string } {
  if (argument === undefined) return undefined;
  const inner = unwrap(argument);
  if (ts.isIdentifier(inner)) return `${inner.text}.${key}`;
  if (!ts.isObjectLiteralExpression(inner))
    return { reason: 'the options of a call are neither an object literal nor a variable.' };
  const value = valueOf(inner, key);
  if (value === 'open') return { reason: 'the options of a call contain a spread or a computed key.' };
  return value === undefined ? undefined : textOf(tree, value);
}

/** `open`: it may be there or not. */
function valueOf(literal: ts.ObjectLiteralExpression, key: string): ts.Expression | 'open' | undefined {
  for (const property of literal.properties) {
    const name = property.name && propertyKey(property.name);
    if (name === undefined) return 'open';
    if (name !== key) continue;
    if (ts.isPropertyAssignment(property)) return property.initializer;
    return ts.isShorthandPropertyAssignment(property) ? property.name : 'open';
  }
  return undefined;
}

/** The object with its properties in the old order; what moved stands where the first of its new group stood. */
function nestedText(
  argument: ts.Expression | undefined,
  moves: readonly KeyMove[],
  tree: SourceTree,
): string | undefined | { readonly reason: string } {
  if (argument === undefined) return undefined;
  const literal = unwrap(argument);
  const unknown = { reason: 'the options of a call are not an object literal.' };
  if (!ts.isObjectLiteralExpression(literal)) return unknown;
  const flat: { readonly path: readonly string[]; readonly text: string }[] = [];
  const read = (object: ts.ObjectLiteralExpression, prefix: readonly string[]): boolean =>
    object.properties.every((property) => {
      const key = property.name && propertyKey(property.name);
      if (key === undefined) return false;
      const path = [...prefix, key];
      const value = ts.isPropertyAssignment(property) ? unwrap(property.initializer) : undefined;
      const goesIn = moves.some(({ from }) => from.length > path.length && startsWith(from, path));
      if (goesIn && value !== undefined) return ts.isObjectLiteralExpression(value) && read(value, path);
      const move = moves.find(({ from }) => from.join('.') === path.join('.'));
      flat.push({ path: move?.to ?? path, text: propertyText(property, tree) });
      return true;
    });
  if (!read(literal, [])) return unknown;
  if (literal.properties.length === 0) return textOf(tree, argument);
  return inBraces(groupText(flat, 0, tree), tree);
}

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.every((key, index) => path[index] === key);

/** Without its key. */
function propertyText(property: ts.ObjectLiteralElementLike, tree: SourceTree): string {
  if (ts.isPropertyAssignment(property)) return `: ${textOf(tree, property.initializer)}`;
  if (ts.isShorthandPropertyAssignment(property)) return '';
  // A method or an accessor keeps all that stands after its name.
  return property.name === undefined ? '' : tree.text.slice(property.name.end, property.end);
}

function groupText(
  flat: readonly { readonly path: readonly string[]; readonly text: string }[],
  depth: number,
  tree: SourceTree,
): readonly string[] {
  const groups = new Map<string, (typeof flat)[number][]>();
  for (const one of flat) {
    const key = one.path[depth] ?? '';
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].map(([key, members]) => {
    const [only] = members;
    const name = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? key : `'${key}'`;
    return only !== undefined && members.length === 1 && only.path.length === depth + 1
      ? name + only.text
      : `${name}: ${inBraces(groupText(members, depth + 1, tree), tree)}`;
  });
}

function constructChanges(tree: SourceTree, call: Call, { construct }: CallPlan): readonly TextChange[] {
  const start = startOf(tree, call);
  if (construct === 'add' && ts.isCallExpression(call)) return [{ start, end: start, newText: 'new ' }];
  return construct === 'remove' && ts.isNewExpression(call)
    ? [{ start, end: startOf(tree, call.expression), newText: '' }]
    : [];
}

function argumentChanges(tree: SourceTree, call: Call, next: readonly string[]): readonly TextChange[] {
  const given = call.arguments ?? [];
  const [first, last] = [given[0], given.at(-1)];
  const joined = next.join(separatorOf(tree, call));
  if (first === undefined || last === undefined) {
    if (joined === '') return [];
    const close = call.end - 1;
    return tree.text[close] === ')' && call.arguments !== undefined
      ? [{ start: close, end: close, newText: joined }]
      : [{ start: call.end, end: call.end, newText: `(${joined})` }];
  }
  const start = startOf(tree, first);
  if (tree.text.slice(start, last.end) === joined) return [];
  // Only the arguments that differ, where their number stays: smaller changes.
  if (next.length === given.length)
    return given.flatMap((argument, index) => {
      const text = next[index] ?? '';
      return textOf(tree, argument) === text
        ? []
        : [{ start: startOf(tree, argument), end: argument.end, newText: text }];
    });
  return [{ start, end: last.end, newText: joined }];
}

/** What stands between two arguments of this call: line ends stay. */
function separatorOf(tree: SourceTree, call: Call): string {
  const [first, second] = call.arguments ?? [];
  return first === undefined || second === undefined
    ? ', '
    : tree.text.slice(first.end, startOf(tree, second));
}

function hasComments(tree: SourceTree, call: Call): boolean {
  const given = call.arguments ?? [];
  return given.some((argument, index) => {
    const before = given[index - 1];
    const from = before?.end ?? argument.pos;
    return /\/[/*]/.test(tree.text.slice(from, startOf(tree, argument)));
  });
}
