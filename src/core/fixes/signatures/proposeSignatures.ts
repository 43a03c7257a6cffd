// Proposes, for each failing test and for all of a file together, to write calls as the changed functions take them now.
import ts from 'typescript';
import { hashText } from '../../base/hash.ts';
import { applyChanges, type TextChange } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import { unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { targetOf } from '../calls/callTarget.ts';
import type { FixContext } from '../fixProvider.ts';
import { ownersOfExpression } from '../members/receivers.ts';
import { testScope } from '../members/testScope.ts';
import { staleCall } from '../renameDoubts/staleCall.ts';
import { sourcesOf } from '../renameDoubts/workspaceSources.ts';
import { editsOf } from '../sharedEdits.ts';
import { isTypeError } from '../types/typeErrors.ts';
import type { CallPlan } from './callPlan.ts';
import { rewriteCall } from './rewriteCall.ts';
import {
  createMigrationReader,
  type AnyCall,
  type Migrations,
  type SignatureMigration,
} from './signatureMigrations.ts';
import { testTreesOf } from '../testTrees.ts';

export const providerId = 'signatures';

export async function proposeSignatures(context: FixContext): Promise<readonly Fix[]> {
  const readMigrations = createMigrationReader(context);
  const everywhere = sourcesOf(context);
  const repairs: Repair[] = [];
  const doubts = new Map<string, string | undefined>();
  for (const { result } of context.failing) {
    if (context.signal.aborted) break;
    if (!isCandidate(result) || !context.isTestFile(result.file)) continue;
    const migrations = await readMigrations(result.file);
    if (migrations.all.length === 0) continue;
    const found = await repairOf(result, migrations, context);
    if (found.refusal !== undefined) context.refuse?.(result.id, found.refusal);
    else if (found.changes.size > 0) repairs.push(found);
    for (const target of found.targets) {
      const key = keyOf(target);
      if (!doubts.has(key)) doubts.set(key, await staleCall(target, everywhere, migrations.textBefore));
    }
  }
  const groups = [...joinByFile(repairs), ...repairs.map((repair) => [repair])];
  return groups.map((group) => toFix(group, doubts));
}

/** A file that does not load says nothing of a call, unless it is the compiler that stops it. */
const isCandidate = ({ failure }: TestResult): boolean =>
  failure !== undefined &&
  !['empty', 'crash'].includes(failure.kind) &&
  (failure.kind !== 'load' || isTypeError(failure.message));

/** What one failing test needs. */
interface Repair {
  readonly result: TestResult;
  readonly when: string;
  readonly targets: ReadonlySet<SignatureMigration & { readonly plan: CallPlan }>;
  readonly changes: ReadonlyMap<SourceTree, readonly TextChange[]>;
  /** A call that needs to change cannot be written: then nothing is. */
  readonly refusal?: string;
}

async function repairOf(result: TestResult, { all, when }: Migrations, context: FixContext): Promise<Repair> {
  const targets = new Set<SignatureMigration & { readonly plan: CallPlan }>();
  const changes = new Map<SourceTree, readonly TextChange[]>();
  for (const tree of await testTreesOf(result, context)) {
    const scope = testScope(tree, result);
    const isWhole = result.failure?.kind === 'load';
    const own: TextChange[] = [];
    for (const call of callsIn(tree)) {
      if (!isWhole && !scope.reaches(call)) continue;
      const migration = targetOfCall(call, tree, all);
      if (migration === undefined) continue;
      const { plan, name } = migration;
      const refuse = (refusal: string): Repair => ({ result, when, targets, changes: new Map(), refusal });
      if ('reason' in plan) return refuse(plan.reason);
      const found = rewriteCall(tree, call, plan);
      if ('reason' in found) return refuse(`${name}() ${plan.what} ${when}, but ${found.reason}`);
      if (found.length > 0) targets.add({ ...migration, plan });
      own.push(...found);
    }
    if (own.length === 0) continue;
    try {
      applyChanges(own, tree.text);
    } catch {
      const [first] = targets;
      const refusal = `${first?.name ?? 'A function'}() is called inside its own arguments.`;
      return { result, when, targets, changes: new Map(), refusal };
    }
    changes.set(tree, own);
  }
  return { result, when, targets, changes };
}

function callsIn(tree: SourceTree): readonly AnyCall[] {
  const calls: AnyCall[] = [];
  visitNodes(tree.ast, (node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) calls.push(node);
  });
  return calls;
}

function targetOfCall(
  call: AnyCall,
  tree: SourceTree,
  all: readonly SignatureMigration[],
): SignatureMigration | undefined {
  const isNew = ts.isNewExpression(call);
  const isFitting = ({ owner, plan }: SignatureMigration): boolean =>
    !isNew || owner === undefined || 'reason' in plan;
  const callee = unwrap(call.expression);
  // A static method is called on the class itself, which is no receiver with a declared type.
  if (!isNew && ts.isPropertyAccessExpression(callee) && ts.isIdentifier(unwrap(callee.expression))) {
    const owners = ownersOfExpression(callee.expression, { tree, functions: new Map() });
    if (owners?.length === 0) return undefined;
  }
  return targetOf(call.expression, tree, all.filter(isFitting));
}

/** Tests of one file that call the same functions get their calls together. */
function joinByFile(repairs: readonly Repair[]): readonly (readonly Repair[])[] {
  const groups = new Map<string, Repair[]>();
  for (const repair of repairs) {
    const names = [...repair.targets].map(({ owner, name }) => `${owner ?? ''}.${name}`).sort();
    const key = JSON.stringify([repair.result.file, names]);
    groups.set(key, [...(groups.get(key) ?? []), repair]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** `doubts`: by the function, which source still calls it as before. */
function toFix(repairs: readonly Repair[], doubts: ReadonlyMap<string, string | undefined>): Fix {
  const edits = editsOf(repairs.flatMap((repair) => [...repair.changes]));
  const migrations = new Map(
    repairs.flatMap(({ targets, when }) => [...targets].map((one) => [nameOf(one), { one, when }] as const)),
  );
  const [first] = migrations.keys();
  const count = edits.reduce((sum, { changes }) => sum + changes.length, 0);
  const reasons = [...migrations.values()].flatMap(({ one }) =>
    [swapsPlaces(one.plan) ? swapped : undefined, doubts.get(keyOf(one))].filter(
      (reason) => reason !== undefined,
    ),
  );
  const onlyNew = [...migrations.values()].every(({ one: { plan } }) => isOnlyNew(plan));
  return {
    id: hashText(JSON.stringify([providerId, edits])),
    title: `call ${first ?? 'it'}() with its new signature${migrations.size > 1 ? ` and ${migrations.size - 1} more` : ''}`,
    grade: count === 1 ? 'surgical' : 'conservative',
    trust: reasons.length > 0 ? 'propose' : onlyNew ? 'mechanical' : 'oracle',
    edits,
    mendsCalls: true,
    failures: [...new Set(repairs.map(({ result }) => result.id))],
    provider: providerId,
    confidence: repairs.length > 1 ? 0.92 : 0.9,
    evidence: [...migrations].flatMap(([name, { one, when }]) => [
      `${name}() in ${one.file} ${one.plan.what} ${when}.`,
      ...(one.plan.fromCallers ? [`All its callers in the source pass the new argument.`] : []),
    ]),
    ...(reasons.length > 0 && {
      stops: [...new Set(reasons)].map((reason) => ({ kind: 'value' as const, reason })),
    }),
  };
}

/** A function became a class or the other way round, and nothing else. */
const isOnlyNew = ({ construct, slots }: CallPlan): boolean =>
  construct !== 'keep' && slots.every((slot, index) => slot.kind === 'argument' && slot.index === index);

/** Do arguments stand in another order? Who exchanged two names by mistake gets the same plan. */
function swapsPlaces({ slots }: CallPlan): boolean {
  const places = slots.flatMap((slot) => (slot.kind === 'argument' ? [slot.index] : []));
  return places.some((place, at) => at > 0 && place < (places[at - 1] ?? 0));
}

const swapped =
  'The arguments change places: a person must decide whether the source intends this or swapped two names.';

const keyOf = ({ file, owner, name }: SignatureMigration): string => JSON.stringify([file, owner, name]);

const nameOf = ({ owner, name }: SignatureMigration): string =>
  owner === undefined ? name : `${owner}.${name}`;
