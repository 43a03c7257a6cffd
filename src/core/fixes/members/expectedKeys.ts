// Renamed keys of an expected object: where the result has the same value under a name that the source gave it instead.
import ts from 'typescript';
import { hashText } from '../../base/hash.ts';
import { valueStops } from '../../diagnosis/valueStops.ts';
import { fileEdit, type TextChange } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { CapturedAssertion, Value } from '../../model/value.ts';
import { bindingOf, isReassigned } from '../../syntax/javascript/declarations.ts';
import { parseTree, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { AssertionSite } from '../assertion/assertionSite.ts';
import { assertionAt } from '../assertion/locateAssertion.ts';
import { sameValue } from '../assertion/sameValue.ts';
import { stackPlaces } from '../assertion/stackPlaces.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';
import { madeBy, ownerText, type MemberMigration } from './memberMigration.ts';
import { renameKey } from './memberUses.ts';
import { keyOf } from './receivers.ts';
import type { SourceRenames } from './sourceRenames.ts';

/** One fix for the test when renamed keys are all that keeps its expectations from holding; the values stay as written. */
export async function proposeExpectedKeys(
  { result, captured }: FailingTest,
  known: SourceRenames,
  context: FixContext,
): Promise<readonly Fix[]> {
  const found: Found = { changes: new Map(), renames: new Map(), stops: [] };
  if (captured.length === 0 || known.byMember.size === 0) return [];
  for (const assertion of captured) if (!(await renameIn(assertion, known, context, found))) return [];
  const edits = [...found.changes].map(([{ file, text }, changes]) => fileEdit(file, text, changes));
  const renames = [...found.renames.values()];
  const [first, ...others] = renames;
  if (first === undefined) return [];
  const side = (pick: (one: MemberMigration) => string | undefined): string =>
    renames.map((one) => pick(one) ?? '').join('\n');
  return [
    {
      id: hashText(JSON.stringify([madeBy.provider, edits])),
      title: `expect key ${first.to} (was ${first.member})${others.length > 0 ? ` and ${others.length} more` : ''}`,
      grade: renames.length === 1 ? 'surgical' : 'conservative',
      trust: found.stops.length > 0 ? 'propose' : 'oracle',
      edits,
      failures: [result.id],
      ...madeBy,
      confidence: 0.92,
      evidence: renames.map(
        (one) =>
          `${ownerText(one)} was removed from ${one.file} ${known.when}: it is now ${one.to}, and the result has the same value under that key.`,
      ),
      expectation: { old: side((one) => one.member), new: side((one) => one.to) },
      ...(found.stops.length > 0 && { stops: found.stops }),
    },
  ];
}

interface Found {
  readonly changes: Map<SourceTree, TextChange[]>;
  readonly renames: Map<string, MemberMigration>;
  readonly stops: NonNullable<Fix['stops']>;
}

/** False when the assertion fails for another reason as well, or cannot be found. */
async function renameIn(
  captured: CapturedAssertion,
  known: SourceRenames,
  context: FixContext,
  found: Found,
): Promise<boolean> {
  if (captured.negated) return false;
  const site = await siteOf(captured, context, found);
  if (site === undefined || !context.isTestFile(site.tree.file)) return false;
  const [expected, actual] = site.swapped
    ? [captured.actual, captured.expected]
    : [captured.expected, captured.actual];
  const changes: TextChange[] = [];
  const renamed = renameKeys(site.expected, expected, actual, {
    tree: site.tree,
    known,
    changes,
    renames: found.renames,
  });
  if (renamed === undefined || changes.length === 0 || !sameValue(renamed, actual, site.mode)) return false;
  const all = found.changes.get(site.tree) ?? [];
  const isNew = (change: TextChange): boolean => !all.some(({ start }) => start === change.start);
  found.changes.set(site.tree, [...all, ...changes.filter(isNew)]);
  found.stops.push(...valueStops({ matcher: site.matcher, expected: renamed, actual }));
  return true;
}

async function siteOf(
  captured: CapturedAssertion,
  context: FixContext,
  found: Found,
): Promise<AssertionSite | undefined> {
  for (const place of stackPlaces(captured.stack, context.root).slice(0, 4)) {
    const text = await context.readText(place.file);
    if (text === undefined) continue;
    const tree =
      [...found.changes.keys()].find(({ file }) => file === place.file) ?? parseTree(place.file, text);
    const site = assertionAt(tree, place, captured);
    if (site !== undefined) return site;
  }
  return undefined;
}

interface Place {
  readonly tree: SourceTree;
  readonly known: SourceRenames;
  readonly changes: TextChange[];
  readonly renames: Map<string, MemberMigration>;
}

/** The expected value with its keys renamed, noting the changes of its literal; undefined when a literal is not found. */
function renameKeys(
  expression: ts.Expression,
  expected: Value,
  actual: Value,
  place: Place,
): Value | undefined {
  const node = literalOf(expression, place.tree);
  if (expected.kind === 'array' && actual.kind === 'array') {
    const items = expected.items.map((item, index) => {
      const other = actual.items[index];
      const element = node && ts.isArrayLiteralExpression(node) ? node.elements[index] : undefined;
      if (other === undefined || sameValue(item, other, 'loose')) return item;
      return element === undefined || ts.isSpreadElement(element)
        ? undefined
        : renameKeys(element, item, other, place);
    });
    return items.includes(undefined)
      ? undefined
      : { kind: 'array', items: items.flatMap((item) => item ?? []) };
  }
  if (expected.kind !== 'object' || actual.kind !== 'object') return expected;
  const now = new Map(actual.entries);
  const before = new Map(expected.entries);
  const entries: (readonly [string, Value])[] = [];
  for (const [key, value] of expected.entries) {
    const property =
      node && ts.isObjectLiteralExpression(node)
        ? node.properties.find((one) => keyOf(one) === key)
        : undefined;
    const other = now.get(key);
    if (other !== undefined) {
      const inner =
        sameValue(value, other, 'loose') || property === undefined || !ts.isPropertyAssignment(property)
          ? value
          : renameKeys(property.initializer, value, other, place);
      if (inner === undefined) return undefined;
      entries.push([key, inner]);
      continue;
    }
    const migration = targetOf(key, place.known);
    const moved = migration === undefined ? undefined : now.get(migration.to);
    if (migration === undefined || moved === undefined || before.has(migration.to)) return undefined;
    if (property?.name === undefined || ts.isComputedPropertyName(property.name)) return undefined;
    // A matcher was held against what is not there any more: only a run can tell.
    const isMatcher = value.kind === 'opaque' && value.description.startsWith('asymmetric');
    if (!isMatcher && !sameValue(value, moved, 'loose')) return undefined;
    place.changes.push(renameKey(place.tree, property, property.name, migration.to));
    place.renames.set(`${key}\0${migration.to}`, migration);
    entries.push([migration.to, isMatcher ? { kind: 'opaque', description: 'asymmetric matched' } : value]);
  }
  return { ...expected, entries };
}

/** The literal, also behind a constant of the file. */
function literalOf(expression: ts.Expression, tree: SourceTree): ts.Expression | undefined {
  const node = unwrap(expression);
  if (!ts.isIdentifier(node)) return node;
  const binding = bindingOf(node);
  const declaration = binding?.declaration;
  const isConstant =
    binding?.path?.length === 0 &&
    declaration !== undefined &&
    ts.isVariableDeclaration(declaration) &&
    !isReassigned(tree, binding);
  return isConstant && declaration.initializer ? unwrap(declaration.initializer) : undefined;
}

function targetOf(
  member: string,
  { byMember }: SourceRenames,
): (MemberMigration & { readonly to: string }) | undefined {
  const all = (byMember.get(member) ?? []).filter(({ because }) => because === 'renamed');
  const [first] = all;
  const isOne = new Set(all.map(({ to }) => to)).size === 1;
  return isOne && first?.to !== undefined ? { ...first, to: first.to } : undefined;
}
