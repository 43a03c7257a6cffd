// Runs tests as they were on the sources as they were before the change: what failed there already is no question of this change.
import type { SourceChanges } from '../diagnosis/sourceChanges.ts';
import { isFileId, isInFile } from '../model/testId.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import type { Undo } from '../sandbox/sandbox.ts';

interface BaseQuestion {
  readonly changes: SourceChanges;
  /** Writes texts into the sandbox, undefined removes the file. */
  readonly write: (contents: ReadonlyMap<string, string | undefined>) => Promise<Undo>;
  readonly run: (files: readonly string[]) => Promise<RunSummary>;
  readonly readText: (file: string) => Promise<string | undefined>;
}

interface OnBase {
  /** Ids of the tests that were red before the change. */
  readonly red: ReadonlySet<string>;
  /** Of test files that do not load now, by their ids: the tests that ran in them before the change, without those that were deleted since. */
  readonly ran: ReadonlyMap<string, readonly TestResult[]>;
}

/** Runs failing tests on the sources before the change; leaves the sandbox as it was. */
export async function runOnBase(
  failing: readonly TestResult[],
  { changes, write, run, readText }: BaseQuestion,
): Promise<OnBase> {
  const previous = changes.files.length === 0 ? await changes.sincePreviousCommit?.() : undefined;
  const base = previous ?? changes;
  if (failing.length === 0 || base.files.length === 0) return { red: new Set(), ran: new Map() };
  const { sources, tests: formerTests } = await baseTexts(base);
  const texts = new Map<string, string | undefined>();
  for (const file of formerTests.keys()) texts.set(file, await readText(file));
  const isDeleted = ({ file, title }: TestResult): boolean => {
    const name = title.replace(/\[.*$/s, '');
    return formerTests.get(file)?.includes(name) === true && texts.get(file)?.includes(name) === false;
  };
  const undo = await write(new Map([...sources, ...formerTests]));
  try {
    const before = new Map(failing.map((test) => [test.id, test]));
    const { tests } = await run([...new Set(failing.map(({ file }) => file))]);
    const red = tests.filter((test) => wasRed(test, before.get(test.id)));
    const unloaded = failing.filter(({ id }) => isFileId(id));
    const ranIn = (id: string): readonly TestResult[] =>
      tests.filter((test) => isInFile(test.id, id) && test.outcome !== 'skipped' && !isDeleted(test));
    return {
      red: new Set(red.map(({ id }) => id)),
      ran: new Map(unloaded.map(({ id }) => [id, ranIn(id)])),
    };
  } finally {
    await undo.undo();
  }
}

/** What does not even load or breaks down says nothing, unless it does so in the same way now: the base may lack a package. */
function wasRed({ outcome, failure }: TestResult, now: TestResult | undefined): boolean {
  if (now === undefined || (outcome !== 'failed' && outcome !== 'errored')) return false;
  return failure?.kind === 'assertion' || failure?.message === now.failure?.message;
}

/** Sources as of the base, and tests that were there: a test that was edited since is asked with its own former text. */
export async function baseTexts(base: SourceChanges): Promise<{
  readonly sources: ReadonlyMap<string, string | undefined>;
  readonly tests: ReadonlyMap<string, string | undefined>;
}> {
  const sources = new Map<string, string | undefined>();
  const tests = new Map<string, string | undefined>();
  for (const { file, from, status } of base.files) {
    if (status === 'added' || status === 'renamed') sources.set(file, undefined);
    if (status !== 'added') sources.set(from ?? file, await base.baseText(from ?? file));
  }
  for (const { file, from, status } of base.testFiles ?? [])
    if (status === 'modified' || status === 'renamed') tests.set(file, await base.baseText(from ?? file));
  return { sources, tests };
}
