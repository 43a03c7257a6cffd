// The functions that take their arguments in another way since a change, for each test file, with the way in which.
import type ts from 'typescript';
import { changesReaching } from '../../diagnosis/stops.ts';
import { parseTree } from '../../syntax/javascript/sourceTree.ts';
import type { Callable } from '../calls/callTarget.ts';
import type { FixContext } from '../fixProvider.ts';
import { callerValue, type SourcePair } from './callerValues.ts';
import { planCall, type CallPlan } from './callPlan.ts';
import { signaturesOf, typesOf, type NamedTypes } from './sourceSignatures.ts';

export interface SignatureMigration extends Callable {
  /** How old calls are written now, or why nobody can tell. */
  readonly plan: CallPlan | { readonly reason: string };
}

export interface Migrations {
  readonly all: readonly SignatureMigration[];
  /** "since the last commit" */
  readonly when: string;
  /** Of a source, also of one that did not change; undefined for a new one. */
  readonly textBefore: (file: string, now: string) => Promise<string | undefined>;
}

/** Reads each changed source once for all tests of a file. */
export function createMigrationReader(context: FixContext): (testFile: string) => Promise<Migrations> {
  const pairs = new Map<string, Promise<SourcePair | undefined>>();
  const files = new Map<string, Promise<Migrations>>();
  const read = async (testFile: string): Promise<Migrations> => {
    const { when, base, reaching } = await changesReaching(testFile, context.changes);
    const open = (file: string, from: string): Promise<SourcePair | undefined> => {
      const known = pairs.get(file) ?? readPair(context, base, file, from);
      pairs.set(file, known);
      return known;
    };
    const isRead = ({ file, status }: (typeof base.files)[number]): boolean =>
      /\.[cm]?[jt]sx?$/.test(file) && status !== 'added' && status !== 'deleted' && !context.isTestFile(file);
    const sources = await Promise.all(
      base.files.filter(isRead).map(async ({ file, from = file }) => open(file, from)),
    );
    const known = sources.filter((one) => one !== undefined);
    const own = reaching.filter(isRead).map(({ file }) => file);
    const textBefore = async (file: string, now: string): Promise<string | undefined> => {
      const changed = base.files.find((one) => one.file === file);
      if (changed === undefined) return now;
      return changed.status === 'added' ? undefined : base.baseText(changed.from ?? file);
    };
    return { all: migrationsIn(known, own), when, textBefore };
  };
  return (testFile) => {
    const known = files.get(testFile) ?? read(testFile);
    files.set(testFile, known);
    return known;
  };
}

async function readPair(
  context: FixContext,
  base: FixContext['changes'],
  file: string,
  from: string,
): Promise<SourcePair | undefined> {
  const [before, now] = await Promise.all([base.baseText(from), context.readText(file)]);
  return before === undefined || now === undefined || before.length + now.length > 2_000_000
    ? undefined
    : { before: parseTree(file, before), now: parseTree(file, now) };
}

/** What the functions of `own` take now, with `sources` as the callers and types beside them. */
function migrationsIn(sources: readonly SourcePair[], own: readonly string[]): readonly SignatureMigration[] {
  const join = (all: readonly NamedTypes[]): NamedTypes => new Map(all.flatMap((one) => [...one]));
  const typesBefore = join(sources.map(({ before }) => typesOf(before)));
  const typesNow = join(sources.map(({ now }) => typesOf(now)));
  return sources
    .filter(({ now }) => own.includes(now.file))
    .flatMap(({ before, now }) => {
      const old = signaturesOf(before, typesBefore);
      return [...signaturesOf(now, typesNow)].flatMap(([key, signature]): readonly SignatureMigration[] => {
        const was = old.get(key);
        if (was === undefined) return [];
        const literalFor = (index: number): string | undefined => callerValue(signature, index, sources);
        const plan = planCall(was, signature, literalFor);
        const { name, owner, isDefault } = signature;
        return plan === undefined
          ? []
          : [{ name, isDefault, ...(owner !== undefined && { owner }), file: now.file, plan }];
      });
    });
}

export type AnyCall = ts.CallExpression | ts.NewExpression;
