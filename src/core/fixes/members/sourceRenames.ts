// The members that changed sources lost, for each test file, with the functions that lead from a test to their owners.
import { changesReaching } from '../../diagnosis/stops.ts';
import { parseTree } from '../../syntax/javascript/sourceTree.ts';
import type { FixContext } from '../fixProvider.ts';
import {
  givesMember,
  isRenameConfirmed,
  usesMember,
  type ChangedText,
} from '../renameDoubts/confirmingLine.ts';
import { staleMemberUse } from '../renameDoubts/staleMemberUse.ts';
import { sourcesOf, type WorkspaceSources } from '../renameDoubts/workspaceSources.ts';
import { memberMigrations, type MemberMigration } from './memberMigration.ts';
import { ownersOf, type FunctionShape } from './owners.ts';

export interface SourceRenames {
  readonly byMember: ReadonlyMap<string, readonly MemberMigration[]>;
  readonly functions: ReadonlyMap<string, FunctionShape>;
  /** "since the last commit" */
  readonly when: string;
}

interface ChangedSourceText extends ChangedText {
  readonly file: string;
}

interface RenamesOfSource {
  readonly functions: ReadonlyMap<string, FunctionShape>;
  readonly lost: readonly MemberMigration[];
}

/** Reads each changed source once, whatever number of tests reaches it. */
export function createRenameReader(context: FixContext): (testFile: string) => Promise<SourceRenames> {
  const everywhere = sourcesOf(context);
  const sources = new Map<string, Promise<RenamesOfSource>>();
  const files = new Map<string, Promise<SourceRenames>>();
  const readSource = async (
    file: string,
    base: FixContext['changes'],
    from: string,
  ): Promise<RenamesOfSource> => {
    const [before, now] = await Promise.all([base.baseText(from), context.readText(file)]);
    if (before === undefined || now === undefined || before.length + now.length > 2_000_000)
      return { functions: new Map(), lost: [] };
    const [old, tree] = [parseTree(file, before), parseTree(file, now)];
    // A test names functions as they were, too.
    const functions = new Map([...ownersOf(old).functions, ...ownersOf(tree).functions]);
    const texts = (): Promise<readonly ChangedSourceText[]> => changedTexts(base, context);
    const lost: MemberMigration[] = [];
    for (const one of memberMigrations(old, tree))
      lost.push(await confirmed(one, { texts, functions, everywhere }));
    return { functions, lost };
  };
  const read = async (testFile: string): Promise<SourceRenames> => {
    const { reaching, when, base } = await changesReaching(testFile, context.changes);
    const byMember = new Map<string, MemberMigration[]>();
    const functions = new Map<string, FunctionShape>();
    for (const { file, from, status } of reaching) {
      if (!/\.[cm]?[jt]sx?$/.test(file) || status === 'added' || status === 'deleted') continue;
      const source = sources.get(file) ?? readSource(file, base, from ?? file);
      sources.set(file, source);
      const { functions: own, lost } = await source;
      for (const [name, shape] of own) functions.set(name, shape);
      for (const one of lost) byMember.set(one.member, [...(byMember.get(one.member) ?? []), one]);
    }
    return { byMember, functions, when };
  };
  return (testFile) => {
    const known = files.get(testFile) ?? read(testFile);
    files.set(testFile, known);
    return known;
  };
}

/** A rename with what the sources say of it: a text that says little needs one that went along, and none may stay behind. */
async function confirmed(
  one: MemberMigration,
  known: {
    readonly texts: () => Promise<readonly ChangedSourceText[]>;
    readonly functions: ReadonlyMap<string, FunctionShape>;
    readonly everywhere: WorkspaceSources;
  },
): Promise<MemberMigration> {
  const { member, to, because, others = [] } = one;
  if (to === undefined || (because !== 'renamed' && because !== 'forwards' && because !== 'weak')) return one;
  // Of options what reads them is what was renamed: who gives them, or another file, has to have gone along.
  const isFollowed = async (name: string): Promise<boolean> => {
    const texts = await known.texts();
    if (one.owner.kind !== 'options') return isRenameConfirmed(texts, member, name, usesOf(one));
    const others = texts.filter(({ file }) => file !== one.file);
    return (
      isRenameConfirmed(texts, member, name, givesMember(member)) ||
      isRenameConfirmed(others, member, name, usesMember(member))
    );
  };
  const isTold = await isFollowed(to);
  for (const other of isTold ? [] : others)
    if (await isFollowed(other))
      return { ...one, because: 'another', doubt: `a changed source file uses ${other} instead` };
  if (because === 'weak' && !isTold && one.doubt === undefined) return one;
  const left = await staleMemberUse(one, known.functions, known.everywhere);
  if (left !== undefined) return { ...one, because: 'partly', doubt: left };
  return because === 'weak' && isTold ? { ...one, because: 'renamed' } : one;
}

/** What gives such a member its value declares it, wherever it stands. */
function usesOf({ member, owner }: MemberMigration): (line: string) => boolean {
  const isUse = usesMember(member);
  const gives = new RegExp(`\\.${member.replaceAll('$', '\\$')}\\s*=(?!=)`);
  return (line) => isUse(line) && !(owner.isAssigned === true && gives.test(line));
}

/** Of the sources that changed; at most 50. */
async function changedTexts(
  base: FixContext['changes'],
  context: FixContext,
): Promise<readonly ChangedSourceText[]> {
  const meant = base.files.filter(
    ({ file, status }) =>
      /\.[cm]?[jt]sx?$/.test(file) && status !== 'added' && status !== 'deleted' && !context.isTestFile(file),
  );
  return Promise.all(
    meant.slice(0, 50).map(async ({ file, from = file }) => ({
      file,
      before: (await base.baseText(from)) ?? '',
      now: (await context.readText(file)) ?? '',
    })),
  );
}
