// Finds out by runs since when a failing test depends on the tests around it, and which side of the change made it so.
import path from 'node:path';
import { isFileId } from '../model/testId.ts';
import type { SourceChanges } from '../diagnosis/sourceChanges.ts';
import type { OrderEvidence } from '../fixes/fixProvider.ts';
import type { Selection } from '../model/frameworkProject.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import type { Undo } from '../sandbox/sandbox.ts';
import { baseTexts } from '../verification/baseRuns.ts';
import { sameFailure } from '../failures/sameFailure.ts';

interface OrderQuestion {
  /** Absolute root that the files of the results belong to. */
  readonly root: string;
  readonly changes: SourceChanges;
  /** Those that run the former sources when these are written; the others run what was compiled of the present ones. */
  readonly former: readonly TestResult[];
  /** Writes texts into the sandbox, undefined removes the file. */
  readonly write: (contents: ReadonlyMap<string, string | undefined>) => Promise<Undo>;
  readonly run: (selection: Selection) => Promise<RunSummary>;
}

/**
 * Those of the failing tests that pass with no other test of their file beside them. A run for each such test of the file that has
 * most of them, at most six (what comes after them is left out), and at most two more; the sandbox is left as it was.
 */
export async function orderEvidence(
  failing: readonly TestResult[],
  question: OrderQuestion,
): Promise<ReadonlyMap<string, OrderEvidence>> {
  const alone = await passingByThemselves(failing, question);
  const base = await baseOf(question.changes);
  const former = alone.filter((test) => question.former.includes(test));
  const onBase = await outcomesOnBase(former, base, question);
  const ofTests = await redOnOldSources(former, base, question);
  return new Map(
    alone.map(({ id }) => [
      id,
      { onBase: onBase.get(id) ?? 'unknown', spoiltBy: ofTests.has(id) ? 'tests' : 'sources' },
    ]),
  );
}

const mostRounds = 6;

async function passingByThemselves(
  failing: readonly TestResult[],
  { root, run }: OrderQuestion,
): Promise<readonly TestResult[]> {
  const turn = (test: TestResult): number => failing.filter(({ file }) => file === test.file).indexOf(test);
  const passed: TestResult[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const tests = failing.filter((test) => turn(test) === round);
    if (tests.length === 0) break;
    const selected = tests.map(({ file, suites, title }) => ({
      file: path.join(root, file),
      names: [...suites, title],
    }));
    const { tests: results, ended } = await run({ tests: selected });
    if (ended !== 'complete') continue;
    const outcomes = new Map(results.map(({ id, outcome }) => [id, outcome]));
    passed.push(...tests.filter(({ id }) => outcomes.get(id) === 'passed'));
  }
  return passed;
}

/** The last commit; the one before it for who has just committed. Undefined where nothing changed, or that is not known. */
async function baseOf(changes: SourceChanges): Promise<SourceChanges | undefined> {
  const hasChanged = ({ files, testFiles = [] }: SourceChanges): boolean =>
    files.length + testFiles.length > 0;
  if (hasChanged(changes)) return changes;
  const previous = await changes.sincePreviousCommit?.();
  return previous !== undefined && hasChanged(previous) ? previous : undefined;
}

/** The tests and the sources of the base, both as they were. */
async function outcomesOnBase(
  tests: readonly TestResult[],
  base: SourceChanges | undefined,
  question: OrderQuestion,
): Promise<ReadonlyMap<string, OrderEvidence['onBase']>> {
  if (base === undefined) return new Map();
  const added = new Set(
    (base.testFiles ?? []).filter(({ status }) => status === 'added').map(({ file }) => file),
  );
  const known = tests.filter(({ file }) => !added.has(file));
  const then = await runWith(await baseTexts(base), known, question);
  return new Map(
    tests.map(({ id, file }) => {
      if (added.has(file)) return [id, 'new'];
      const before = then.get(id);
      if (before?.outcome === 'passed') return [id, 'green'];
      if (before !== undefined) return [id, before.outcome === 'skipped' ? 'unknown' : 'red'];
      const hasRun = [...then.values()].some((test) => test.file === file && !isFileId(test.id));
      return [id, hasRun ? 'new' : 'unknown'];
    }),
  );
}

/** The tests as they are now on the sources of the base: which of them fail there in the same way. */
async function redOnOldSources(
  tests: readonly TestResult[],
  base: SourceChanges | undefined,
  question: OrderQuestion,
): Promise<ReadonlySet<string>> {
  if (base === undefined) return new Set();
  if (base.files.length === 0) return new Set(tests.map(({ id }) => id));
  const then = await runWith({ sources: (await baseTexts(base)).sources }, tests, question);
  const fails = ({ id, failure }: TestResult): boolean => {
    const before = then.get(id)?.failure;
    return failure !== undefined && before !== undefined && sameFailure(failure, before);
  };
  return new Set(tests.filter(fails).map(({ id }) => id));
}

type Texts = ReadonlyMap<string, string | undefined>;

async function runWith(
  texts: { readonly sources: Texts; readonly tests?: Texts },
  tests: readonly TestResult[],
  { root, run, write }: OrderQuestion,
): Promise<ReadonlyMap<string, TestResult>> {
  if (tests.length === 0) return new Map();
  const undo = await write(new Map([...texts.sources, ...(texts.tests ?? [])]));
  try {
    const files = [...new Set(tests.map(({ file }) => path.join(root, file)))];
    const summary = await run({ files });
    return new Map(summary.ended === 'complete' ? summary.tests.map((test) => [test.id, test]) : []);
  } finally {
    await undo.undo();
  }
}
