// Did the source of this commit break tests of its parent, and do the commit's own tests pass? Only then it is a case.
import path from 'node:path';
import { isInside, toRelativePosix } from '../base/paths.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import type { Workspace } from '../model/settings.ts';
import { fullName } from '../model/testName.ts';
import { changesOf, isInert, type ChangedPath, type Commit } from './commits.ts';
import type { Environments } from './environments.ts';
import type { BrokenTest } from './replayReport.ts';
import { reversed, type Scratch } from './scratch.ts';
import { openTestBed, type TestBed } from './testBed.ts';

/** What one commit is examined with. */
export interface Examination {
  readonly commit: Commit;
  readonly scratch: Scratch;
  readonly environments: Environments;
  /** The workspace in the scratch. */
  readonly workspace: Workspace;
  /** Ends the work on this commit: cancelled, or out of time. */
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

/** Which tree stands in the scratch: tests and source, each of the parent or of the commit. */
type Tree = 'parent' | 'old tests, new source' | 'commit' | 'new tests, old source';

export interface Case {
  readonly kind: 'case';
  readonly broken: readonly BrokenTest[];
  /** What the commit changes that is no test, relative to the top of the repository. */
  readonly source: readonly ChangedPath[];
  /** Lays out a tree, with texts (relative to the root) over it, and reads it anew. */
  layOut(tree: Tree): Promise<TestBed>;
  /** Is this file (relative to the root) one of the tests, before or after the commit? */
  isTestFile(file: string): boolean;
  readonly notes: readonly string[];
}

interface NoCase {
  readonly kind: 'intact' | 'irrelevant' | 'skipped';
  readonly reason: string;
}

/** Throws `CannotPrepare` and the errors of git and of cancellation. */
export async function findCase(examination: Examination): Promise<Case | NoCase> {
  const { commit, scratch, signal, progress } = examination;
  const changes = await changesOf(scratch.top, commit, signal);
  if (changes.length < 2) return irrelevant('It changes one file only.');
  const { head, over } = { head: commit.commit, over: { commit: commit.commit, changes: [] } };
  await scratch.layOut(head, over, signal);
  const after = await ruleOf(examination);
  await scratch.layOut(commit.parent, { commit: commit.parent, changes: [] }, signal);
  const before = await ruleOf(examination);
  const isTestFile = (file: string): boolean => before(file) || after(file);
  const own = divide(changes, scratch, isTestFile);
  if (own.tests.length === 0) return irrelevant('It changes no test.');
  if (own.source.every(({ file }) => isInert(file))) return irrelevant('It changes no source.');
  const layOut = (tree: Tree): Promise<TestBed> => layOutTree(tree, own.source, examination);

  progress('running the old tests on the new source');
  const old = await layOut('old tests, new source');
  if (old.problem !== undefined) return skipped(old.problem);
  const files = await old.reachedBy(
    relative(
      own.tests.filter(({ status }) => status !== 'added'),
      scratch,
    ),
  );
  if (files?.length === 0) return { kind: 'intact', reason: 'It changes no test that was there before.' };
  const first = await old.run(files);
  if (first.ended !== 'complete')
    return skipped('The run of the old tests did not finish within its time limit.');
  if (first.total === 0) return skipped('No test ran.');
  if (failingIn(first).length === 0)
    return { kind: 'intact', reason: 'The old tests pass on the new source.' };
  return confirm({ ...examination, isTestFile, layOut, ...own }, old, first);
}

interface Suspect extends Examination {
  readonly isTestFile: (file: string) => boolean;
  readonly layOut: (tree: Tree) => Promise<TestBed>;
  readonly tests: readonly ChangedPath[];
  readonly source: readonly ChangedPath[];
}

/** Takes away what fails by chance, what failed before the commit, and what still fails with the commit's own tests. */
async function confirm(suspect: Suspect, old: TestBed, first: RunSummary): Promise<Case | NoCase> {
  const { scratch, layOut, isTestFile, progress, tests, source } = suspect;
  const suspects = failingIn(first);
  const files = [...new Set(suspects.map(({ file }) => file))];
  const again = new Set(failingIn(await old.run(files)).map(({ id }) => id));
  const steady = suspects.filter(({ id }) => again.has(id));
  progress('running the tests of the parent');
  const red = new Map(failingIn(await (await layOut('parent')).run(files)).map((test) => [test.id, test]));
  const fresh = steady.filter(({ id }) => !red.has(id));
  if (fresh.length === 0) {
    if (steady.length === 0) return skipped('Its tests pass and fail without any change.');
    const [test] = red.values();
    return skipped(`The tests that fail were red before it: ${nameOf(test)}${messageOf(test)}`);
  }
  progress("running the commit's own tests");
  const commit = await layOut('commit');
  if (commit.problem !== undefined) return skipped(commit.problem);
  const changed = relative(
    tests.filter(({ status }) => status !== 'deleted'),
    scratch,
  );
  const own = await commit.run(await scopeOf(commit, changed, files));
  if (own.ended !== 'complete')
    return skipped("The run of the commit's own tests did not finish within its time limit.");
  const wrong = failingIn(own).find(({ id }) => !red.has(id));
  if (wrong !== undefined) return skipped(`The commit's own tests fail: ${nameOf(wrong)}${messageOf(wrong)}`);
  if (!own.tests.some(({ outcome }) => outcome === 'passed') && changed.length > 0)
    return skipped("None of the commit's own tests ran.");
  const broken = fresh.map(({ id, file, suites, title }) => ({
    id,
    file,
    title: fullName({ suites, title }),
  }));
  const notes: string[] = [];
  if (steady.length < suspects.length)
    notes.push(`${suspects.length - steady.length} more tests failed only once and are left out.`);
  if (fresh.length < steady.length)
    notes.push(`${steady.length - fresh.length} more tests were red before the commit and are left out.`);
  return { kind: 'case', broken, source, layOut, isTestFile, notes };
}

/** Test files of the commit to run: what it changed, and what failed before and is still there. */
async function scopeOf(
  bed: TestBed,
  changed: readonly string[],
  failing: readonly string[],
): Promise<readonly string[] | undefined> {
  const there = new Set(bed.testFiles.map((file) => toRelativePosix(bed.workspace.root, file)));
  const reached = await bed.reachedBy(changed.filter((file) => bed.isTestFile(file)));
  return reached === undefined
    ? undefined
    : [...new Set([...reached, ...failing.filter((file) => there.has(file))])];
}

async function ruleOf({ workspace, signal }: Examination): Promise<(file: string) => boolean> {
  const bed = await openTestBed(workspace, signal);
  return (file) => bed.isTestFile(file);
}

async function layOutTree(
  tree: Tree,
  source: readonly ChangedPath[],
  { commit, scratch, environments, workspace, signal, progress }: Examination,
): Promise<TestBed> {
  const isOld = tree === 'parent' || tree === 'old tests, new source';
  const head = isOld ? commit.parent : commit.commit;
  const over = {
    parent: { commit: commit.parent, changes: [] },
    commit: { commit: commit.commit, changes: [] },
    'old tests, new source': { commit: commit.commit, changes: source },
    'new tests, old source': { commit: commit.parent, changes: reversed(source) },
  }[tree];
  await scratch.layOut(head, over, signal);
  const { problem, installed } = await environments.prepare(signal);
  if (problem !== undefined) throw new CannotPrepare(problem);
  // A package manager may have written into what is tracked; what it wrote beside that is put back.
  if (installed) {
    await scratch.layOut(head, over, signal);
    await environments.prepare(signal);
  }
  progress(`reading ${tree}`);
  return openTestBed(workspace, signal);
}

/** The packages of a commit cannot be had. */
export class CannotPrepare extends Error {}

function divide(
  changes: readonly ChangedPath[],
  scratch: Scratch,
  isTestFile: (file: string) => boolean,
): { readonly tests: readonly ChangedPath[]; readonly source: readonly ChangedPath[] } {
  const isTest = ({ file }: ChangedPath): boolean => {
    const absolute = path.join(scratch.top, file);
    return isInside(scratch.root, absolute) && isTestFile(toRelativePosix(scratch.root, absolute));
  };
  return { tests: changes.filter(isTest), source: changes.filter((change) => !isTest(change)) };
}

const relative = (changes: readonly ChangedPath[], { top, root }: Scratch): string[] =>
  changes.map(({ file }) => toRelativePosix(root, path.join(top, file)));

export const failingIn = ({ tests }: RunSummary): readonly TestResult[] =>
  tests.filter(({ outcome }) => outcome === 'failed' || outcome === 'errored');
const nameOf = (test: TestResult | undefined): string => (test === undefined ? '' : `"${fullName(test)}"`);
const messageOf = (test: TestResult | undefined): string => {
  const message = test?.failure?.message.split('\n')[0] ?? '';
  return message === '' ? '.' : `: ${message.slice(0, 200)}`;
};
const irrelevant = (reason: string): NoCase => ({ kind: 'irrelevant', reason });
const skipped = (reason: string): NoCase => ({ kind: 'skipped', reason });
