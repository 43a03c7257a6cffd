// Proposes new names for members that tests still use under the old one, for each failing test and for all of a file together.
import ts from 'typescript';
import { hashText } from '../../base/hash.ts';
import type { TextChange } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { ReachedChange } from '../../diagnosis/reachedChange.ts';
import type { TestResult } from '../../model/testResult.ts';
import { offsetOf, startOf, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';
import { editsOf } from '../sharedEdits.ts';
import { proposeExpectedKeys } from './expectedKeys.ts';
import { madeBy, ownerText, type MemberMigration } from './memberMigration.ts';
import { memberUses, type MemberUse } from './memberUses.ts';
import { testTreesOf } from '../testTrees.ts';
import { proposeSpelling } from './misspelt.ts';
import { isOwner, isUnknown } from './receivers.ts';
import { createRenameReader, type SourceRenames } from './sourceRenames.ts';
import { statementAt, testScope } from './testScope.ts';

export async function proposeMemberRenames(context: FixContext): Promise<readonly Fix[]> {
  const readRenames = createRenameReader(context);
  const repairs: Repair[] = [];
  const fixes: Fix[] = [];
  for (const test of context.failing) {
    if (context.signal.aborted) break;
    if (!isCandidate(test.result)) continue;
    const renames = await readRenames(test.result.file);
    const found = renames.byMember.size === 0 ? undefined : await repairsOf(test, renames, context);
    if (found?.reached !== undefined) context.reach?.(test.result.id, found.reached);
    if (found?.refusal !== undefined) context.refuse?.(test.result.id, found.refusal);
    if (found !== undefined && found.renames.length > 0) repairs.push(found);
    else fixes.push(...(await proposeSpelling(test, context)));
    fixes.push(...(await proposeExpectedKeys(test, renames, context)));
  }
  return [...joinByFile(repairs), ...repairs.map((repair) => toFix([repair])), ...fixes];
}

/** What a file does while it loads may miss a member, too. */
const isCandidate = ({ failure }: TestResult): boolean =>
  failure !== undefined &&
  (failure.kind === 'load'
    ? /\.[\p{ID_Continue}$]+ is not a function/u.test(failure.message)
    : !['empty', 'crash'].includes(failure.kind));

interface Rename {
  readonly migration: MemberMigration;
  readonly kind: MemberUse['kind'];
  readonly when: string;
}

/** What one failing test needs. */
interface Repair {
  readonly result: TestResult;
  readonly renames: readonly Rename[];
  readonly changes: ReadonlyMap<SourceTree, readonly TextChange[]>;
  readonly refusal?: string;
  /** A member that the failure itself is about. */
  readonly reached?: ReachedChange;
}

async function repairsOf(test: FailingTest, known: SourceRenames, context: FixContext): Promise<Repair> {
  const renames: Rename[] = [];
  const changes = new Map<SourceTree, readonly TextChange[]>();
  let refusal: string | undefined;
  let reached: ReachedChange | undefined;
  for (const tree of await testTreesOf(test.result, context)) {
    const own: TextChange[] = [];
    for (const [member, migrations] of known.byMember) {
      if (!tree.text.includes(member)) continue;
      for (const use of usesFor(test, tree, member, known)) {
        const chosen = choose(use, migrations);
        if (namedBy(test, tree, member)(use)) reached ??= reachedBy(use, migrations, chosen, known.when);
        if ('reason' in chosen) {
          refusal ??= chosen.reason(known.when);
          continue;
        }
        renames.push({ migration: chosen, kind: use.kind, when: known.when });
        own.push(use.rename(chosen.to));
      }
    }
    if (own.length > 0) changes.set(tree, own);
  }
  return {
    result: test.result,
    renames,
    changes,
    ...(refusal !== undefined && { refusal }),
    ...(reached !== undefined && { reached }),
  };
}

/** What the failure runs into: a member that is known under another name now, or one that is gone. */
function reachedBy(
  { owners }: MemberUse,
  migrations: readonly MemberMigration[],
  chosen: Target | Refused,
  when: string,
): ReachedChange | undefined {
  const own = migrations.find((one) => owners?.some((owner) => isOwner(owner, one.owner))) ?? migrations[0];
  if (own === undefined) return undefined;
  const { file, member } = own;
  if ('reason' in chosen) return { file, name: member, account: chosen.reason(when), isSame: false };
  const { because, doubt } = chosen;
  const isWeak = because === 'weak' && doubt === undefined;
  const isSame = !isDoubtful(chosen) || (isWeak && chosen.owner.kind === 'class');
  const account = evidenceOf({ migration: chosen, kind: 'read', when });
  return { file: chosen.file, name: member, account, isSame };
}

/** Uses that surely are of an owner that lost the member, those that the failure names, and others of the same thing. */
function usesFor(
  test: FailingTest,
  tree: SourceTree,
  member: string,
  { byMember, functions }: SourceRenames,
): readonly MemberUse[] {
  const scope = testScope(tree, test.result);
  const migrations = byMember.get(member) ?? [];
  const uses = memberUses(member, { tree, functions }).filter(({ node }) => scope.reaches(node));
  const isSure = ({ owners }: MemberUse): boolean =>
    owners?.some((owner) => migrations.some((one) => isOwner(owner, one.owner))) === true;
  const isNamed = namedBy(test, tree, member);
  const first = uses.filter((use) => isSure(use) || (isUnknown(use.owners) && isNamed(use)));
  const receivers = new Set(
    first.map(({ receiver, node }) => JSON.stringify([receiver, functionAround(node).pos])),
  );
  return uses.filter(
    (use) =>
      first.includes(use) ||
      (isUnknown(use.owners) &&
        use.receiver !== '' &&
        receivers.has(JSON.stringify([use.receiver, functionAround(use.node).pos]))),
  );
}

function functionAround(node: ts.Node): ts.Node {
  let current = node;
  while (current.parent !== undefined && !ts.isFunctionLike(current)) current = current.parent;
  return current;
}

/** Does the failure say that this use has no value? */
function namedBy(test: FailingTest, tree: SourceTree, member: string): (use: MemberUse) => boolean {
  const { failure } = test.result;
  const place = failure?.location;
  const offset = place?.file === tree.file ? offsetOf(tree, place) : undefined;
  const statement = offset === undefined ? undefined : statementAt(tree, offset);
  const message = failure?.message ?? '';
  // An imported function that is gone is called that way, too.
  const isImport = /\(0 ?, ?[^)]*\) is not a function/.test(message);
  const called = /\.(?<name>[\p{ID_Start}$_][\p{ID_Continue}$]*) is not a function/u.exec(message)?.groups?.[
    'name'
  ];
  const isMissing =
    called === undefined &&
    (/\bof undefined\b|\bis undefined\b|\bis not (?:iterable|a function|a constructor)\b/.test(message) ||
      test.captured.some(
        ({ actual, expected }) => actual.kind === 'undefined' || expected.kind === 'undefined',
      ));
  if (statement === undefined || offset === undefined || isImport || !(called === member || isMissing))
    return () => false;
  return ({ kind, node, local }) => {
    if (kind === 'given') return false;
    if (called === member) return kind === 'call' && isAt(tree, node, offset, statement);
    if (holds(statement, node)) return true;
    return local !== undefined && mentions(statement, local.text);
  };
}

const holds = (outer: ts.Node, inner: ts.Node): boolean => outer.pos <= inner.pos && inner.end <= outer.end;

/** The call at the place; the only one on its line when the place is rough. */
function isAt(tree: SourceTree, name: ts.Node, offset: number, statement: ts.Statement): boolean {
  const access = name.parent;
  if (startOf(tree, name) === offset || startOf(tree, access) === offset) return true;
  if (!holds(statement, name)) return false;
  let others = 0;
  visitNodes(statement, (node) => {
    if (ts.isPropertyAccessExpression(node) && node.name.getText(tree.ast) === name.getText(tree.ast))
      others++;
  });
  return others === 1;
}

function mentions(node: ts.Node, name: string): boolean {
  let found = false;
  visitNodes(node, (inner) => {
    found ||= ts.isIdentifier(inner) && inner.text === name;
  });
  return found;
}

type Target = MemberMigration & { readonly to: string };

interface Refused {
  readonly reason: (when: string) => string;
}

/** The one place that the member went to; two that differ are refused. */
function choose(use: MemberUse, migrations: readonly MemberMigration[]): Target | Refused {
  const own = migrations.filter((one) => use.owners?.some((owner) => isOwner(owner, one.owner)));
  const possible = own.length > 0 ? own : migrations;
  const targets = new Set(possible.map(({ to }) => to));
  const sure = possible.find((one) => !isDoubtful(one)) ?? possible[0];
  if (sure === undefined) return { reason: () => 'No replacement was found.' };
  if (targets.size > 1)
    return {
      reason: (when) =>
        `Several ${own.length > 0 ? 'declarations' : 'things'} lost ${sure.member} ${when}, with different replacements.`,
    };
  const { to } = sure;
  return to === undefined
    ? {
        reason: (when) =>
          `${ownerText(sure)} was removed from ${sure.file} ${when}, and no replacement was found.`,
      }
    : { ...sure, to };
}

/** Tests of one file that need the same rename get it together. */
function joinByFile(repairs: readonly Repair[]): readonly Fix[] {
  const groups: Repair[][] = [];
  const keysOf = (repair: Repair): readonly string[] => [
    ...new Set(
      repair.renames.map(({ migration }) => `${repair.result.file}\0${migration.member}\0${migration.to}`),
    ),
  ];
  for (const repair of repairs) {
    const mine = new Set(keysOf(repair));
    const group = groups.find((others) => others.some((other) => keysOf(other).some((key) => mine.has(key))));
    if (group === undefined) groups.push([repair]);
    else group.push(repair);
  }
  return groups.filter((group) => group.length > 1).map(toFix);
}

function toFix(repairs: readonly Repair[]): Fix {
  const edits = editsOf(repairs.flatMap((repair) => [...repair.changes]));
  const renames = repairs.flatMap((repair) => repair.renames);
  // A test that still names what is gone may pass because of just that: where it expects something to be thrown.
  const left = repairs.flatMap(({ refusal }) => refusal ?? []);
  const isGuess = left.length > 0 || renames.some(({ migration }) => isDoubtful(migration));
  const count = edits.reduce((sum, { changes }) => sum + changes.length, 0);
  return {
    id: hashText(JSON.stringify([madeBy.provider, edits])),
    title: titleOf(renames),
    grade: count === 1 ? 'surgical' : 'conservative',
    trust: isGuess ? 'propose' : 'mechanical',
    edits,
    failures: [...new Set(repairs.map(({ result }) => result.id))],
    ...madeBy,
    confidence: isGuess ? 0.5 : repairs.length > 1 ? 0.92 : 0.9,
    evidence: [...new Set([...renames.map(evidenceOf), ...left])],
  };
}

const isDoubtful = ({ because }: MemberMigration): boolean =>
  because !== undefined && because !== 'renamed' && because !== 'forwards';

function titleOf(renames: readonly Rename[]): string {
  const titles = new Map<string, Rename[]>();
  for (const rename of renames) {
    const key = `${rename.migration.to} (was ${rename.migration.member})`;
    titles.set(key, [...(titles.get(key) ?? []), rename]);
  }
  const [first, ...others] = titles;
  if (first === undefined) return 'follow a renamed member';
  const kinds = new Set(first[1].map(({ kind }) => kind));
  const verb = kinds.size > 1 ? 'use' : kinds.has('call') ? 'call' : kinds.has('given') ? 'give' : 'use';
  return `${verb} ${first[0]}${others.length === 0 ? '' : ` and ${others.length} more`}`;
}

function evidenceOf({ migration, when }: Rename): string {
  const {
    to = '',
    because,
    file,
    doubt = because === 'weak' ? 'that is too little code for certainty' : '',
  } = migration;
  const how = {
    forwards: `it only called ${to} with its own arguments`,
    renamed: `it is ${to} now`,
    another: `${to} now has the same code, but ${doubt}`,
    weak: `${to} now has the same code, but ${doubt}, and no changed source file switched to the new name`,
    redirected: `it only called ${to}, but ${to} changed as well`,
    similar: `${to} is the only new name there, but its code differs`,
    partly: `it is ${to} now, but ${doubt}`,
  }[because ?? 'similar'];
  return `${ownerText(migration)} was removed from ${file} ${when}: ${how.replace(/\.$/, '')}.`;
}
