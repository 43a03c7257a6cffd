// The members that changed sources lost, for each test file, with the functions that lead from a test to their owners.
import { changesReaching } from '../../diagnosis/stops.ts';
import { parseTree } from '../../syntax/javascript/sourceTree.ts';
import type { FixContext } from '../fixProvider.ts';
import { memberMigrations, type MemberMigration } from './memberMigration.ts';
import { ownersOf, type FunctionShape } from './owners.ts';

export interface SourceRenames {
  readonly byMember: ReadonlyMap<string, readonly MemberMigration[]>;
  readonly functions: ReadonlyMap<string, FunctionShape>;
  /** "since the last commit" */
  readonly when: string;
}

/** Reads each changed source once, whatever number of tests reaches it. */
export function createRenameReader(context: FixContext): (testFile: string) => Promise<SourceRenames> {
  const sources = new Map<
    string,
    Promise<Pick<SourceRenames, 'functions'> & { lost: readonly MemberMigration[] }>
  >();
  const files = new Map<string, Promise<SourceRenames>>();
  const readSource = async (
    file: string,
    readBefore: () => Promise<string | undefined>,
  ): Promise<Pick<SourceRenames, 'functions'> & { lost: readonly MemberMigration[] }> => {
    const [before, now] = await Promise.all([readBefore(), context.readText(file)]);
    if (before === undefined || now === undefined || before.length + now.length > 2_000_000)
      return { functions: new Map(), lost: [] };
    const [old, tree] = [parseTree(file, before), parseTree(file, now)];
    // A test names functions as they were, too.
    const functions = new Map([...ownersOf(old).functions, ...ownersOf(tree).functions]);
    return { functions, lost: memberMigrations(old, tree) };
  };
  const read = async (testFile: string): Promise<SourceRenames> => {
    const { reaching, when, base } = await changesReaching(testFile, context.changes);
    const byMember = new Map<string, MemberMigration[]>();
    const functions = new Map<string, FunctionShape>();
    for (const { file, from, status } of reaching) {
      if (!/\.[cm]?[jt]sx?$/.test(file) || status === 'added' || status === 'deleted') continue;
      const source = sources.get(file) ?? readSource(file, () => base.baseText(from ?? file));
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
