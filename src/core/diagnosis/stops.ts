// Reasons in a test's history and values that lower a changed expectation to a proposal (REPAIR "History stops").
import type { Fix } from '../model/fix.ts';
import type { TestResult } from '../model/testResult.ts';
import type { ChangedSource, SourceChanges } from './sourceChanges.ts';
import type { Stop } from './valueStops.ts';

/** `source-is-right`: the user has said so for everything (INTERFACES, `--assume`). */
type Assume = 'ask' | 'source-is-right';

interface HistoryQuestion {
  readonly result: Pick<TestResult, 'file'>;
  readonly changes: SourceChanges;
  readonly assume: Assume;
  /** The test did not exist at the base: it has no history that could speak against it. */
  readonly isNewTest: boolean;
  /** Known to have failed on the old source. */
  readonly redAtBase?: boolean;
}

/**
 * History stops of a test; none without git, where nothing is known (such a fix is *unconfirmed*, never taken in bulk). That the test
 * was red before holds also when the user says that the source is right.
 */
export async function historyStops(question: HistoryQuestion): Promise<Stop[]> {
  const { result, changes, assume, isNewTest, redAtBase = false } = question;
  if (isNewTest || changes.unavailable !== undefined) return [];
  // What was red before says nothing about this change, whoever is right about it.
  if (redAtBase) return [{ kind: 'history', reason: 'The test failed before the source changed.' }];
  if (assume === 'source-is-right') return [];
  const stops: Stop[] = [];
  const { reaching, when } = await changesReaching(result.file, changes);
  if (reaching.length === 0)
    stops.push({ kind: 'history', reason: `No source file that this test uses changed ${when}.` });
  return stops;
}

/** Source changes that reach a test; of the last commit itself when the sources are as committed. */
export async function changesReaching(
  testFile: string,
  changes: SourceChanges,
): Promise<{
  readonly reaching: readonly ChangedSource[];
  readonly when: string;
  readonly base: SourceChanges;
}> {
  const previous = changes.files.length === 0 ? await changes.sincePreviousCommit?.() : undefined;
  const base = previous ?? changes;
  const when = previous ? 'since the commit before the last' : 'since the last commit';
  return { reaching: await base.reaching(testFile), when, base };
}

/** The fix with the stops that hold: an oracle fix becomes a proposal; other fixes change no expectation and stay. */
export function applyStops(fix: Fix, further: readonly Stop[]): Fix {
  if (fix.trust === 'mechanical') return fix;
  const all = [...(fix.stops ?? []), ...further];
  const stops = all.filter((stop, index) => all.findIndex((one) => one.reason === stop.reason) === index);
  return stops.length === 0 ? fix : { ...fix, trust: 'propose', stops };
}
