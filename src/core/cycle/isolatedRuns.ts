// Runs failing tests without the tests around them: what passes or fails otherwise then depends on its company, not on the source.
import path from 'node:path';
import { sameFailure } from '../failures/sameFailure.ts';
import type { Selection } from '../model/frameworkProject.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';

/** green: the test passes without its company · other: it fails there in another way. */
export type IsolatedOutcome = 'green' | 'other';

interface IsolationQuestion {
  /** What each test did in the suite. */
  readonly results: ReadonlyMap<string, TestResult>;
  /** Absolute root that the files of the results belong to. */
  readonly root: string;
  readonly run: (selection: Selection) => Promise<RunSummary>;
  /** It is known that they fail as in the suite when they are run at once, without the tests that pass. */
  readonly failByThemselves?: boolean;
}

/**
 * Which of these failing tests do something else without the tests around them; the others fail alone as in the suite, or could not
 * be run alone. All are run at once, without the tests that pass; then, where several of one file still fail, in halves, so that
 * neighbours that spoil each other are told apart. At most three runs, none where there is no company.
 */
export async function runIsolated(
  suspects: readonly TestResult[],
  question: IsolationQuestion,
): Promise<ReadonlyMap<string, IsolatedOutcome>> {
  const found = new Map<string, IsolatedOutcome>();
  const compare = async (tests: readonly TestResult[]): Promise<void> => {
    if (tests.length === 0) return;
    const { tests: alone, ended } = await question.run(selectionOf(tests, question.root));
    if (ended !== 'complete') return;
    const now = new Map(alone.map((result) => [result.id, result]));
    for (const test of tests) {
      const outcome = compared(test, now.get(test.id));
      if (outcome !== undefined && found.get(test.id) !== 'green') found.set(test.id, outcome);
    }
  };
  const hasNeighbour = ({ file, id }: TestResult): boolean =>
    suspects.some((other) => other.file === file && other.id !== id);
  // Those that run in no half are run here, whatever was seen of them with our hooks.
  const isSeen = question.failByThemselves === true && suspects.every(hasNeighbour);
  if (!isSeen && hasCompany(suspects, question.results)) await compare(suspects);
  const neighbours = suspects.filter((test) => !found.has(test.id) && hasNeighbour(test));
  // Every second test of a file: a test that is spoilt is most often so by the one before it.
  for (const half of [0, 1])
    await compare(neighbours.filter((test) => turnIn(test, neighbours) % 2 === half));
  return found;
}

/** Tests in order of their place in the file. */
function turnIn(test: TestResult, tests: readonly TestResult[]): number {
  return tests.filter(({ file }) => file === test.file).indexOf(test);
}

/** Does anything else run that could spoil them? A skipped test does nothing. */
export function hasCompany(
  suspects: readonly TestResult[],
  results: ReadonlyMap<string, TestResult>,
): boolean {
  const own = new Set(suspects.map(({ id }) => id));
  return [...results.values()].some(({ id, outcome }) => outcome !== 'skipped' && !own.has(id));
}

function selectionOf(tests: readonly TestResult[], root: string): Selection {
  return {
    tests: tests.map(({ file, suites, title }) => ({
      file: path.join(root, file),
      names: [...suites, title],
    })),
  };
}

function compared(before: TestResult, alone: TestResult | undefined): IsolatedOutcome | undefined {
  if (alone?.outcome === 'passed') return 'green';
  if (alone?.failure === undefined || before.failure === undefined) return undefined;
  return sameFailure(alone.failure, before.failure) ? undefined : 'other';
}
