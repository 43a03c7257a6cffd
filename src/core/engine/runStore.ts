// The last runs of a root by their ids, with all that was told of each test, so that any later process can answer for them.
import { z } from 'zod';
import { errorMessage } from '../base/humanError.ts';
import { linesByFolder } from '../model/coverage.ts';
import { runSummarySchema, type RunSummary, type TestResult } from '../model/testResult.ts';
import { isQuiet, tellable } from '../diagnosis/toldSecrets.ts';
import type { RepeatedRun } from '../run/repeats.ts';
import { EntryStore, newId } from './entryStore.ts';
import { addToHistory, hasReports } from './runHistory.ts';

const storedRunSchema = z.object({
  runId: z.string(),
  /** When it ended: ISO 8601, UTC. */
  endedAt: z.string(),
  summary: runSummarySchema,
  /** Ids of the tests that both passed and failed. */
  flaky: z.array(z.string()),
  /** Lines by folder, of a run with coverage. */
  coverage: z
    .array(z.object({ folder: z.string(), lines: z.object({ covered: z.number(), total: z.number() }) }))
    .optional(),
});
export type StoredRun = z.infer<typeof storedRunSchema>;

/** Of a test that did not pass; nobody asks what the others printed. */
const mostOutput = 10_000;

/**
 * What is kept, and what may be told: secrets are blotted out, in titles and ids too. `begins`: it is added to the history in the root too, else only where there are reports already; `keeps`: so many runs. A note says where it cannot be
 * written.
 */
export async function keepRun(
  root: string,
  { summary, flaky }: RepeatedRun,
  { begins, keeps }: { readonly begins: boolean; readonly keeps?: number | undefined },
): Promise<StoredRun> {
  const { coverage, ...rest } = summary;
  const run: StoredRun = {
    runId: newId('run'),
    endedAt: new Date().toISOString(),
    summary: told(rest, root),
    flaky: [...flaky],
    ...(coverage && { coverage: linesByFolder(coverage.files) }),
  };
  const tried = [
    ['This run cannot be asked for later', storeOf(root).keep(run.runId, run)],
    ...(begins || hasReports(root)
      ? [['This run is not in the history', addToHistory(root, run, keeps)] as const]
      : []),
  ] as const;
  const notes = await Promise.all(
    tried.map(([what, done]) =>
      done.then(
        () => [],
        (error: unknown) => [`${what}: ${errorMessage(error)}`],
      ),
    ),
  );
  return { ...run, summary: { ...run.summary, notes: [...run.summary.notes, ...notes.flat()] } };
}

/** Undefined for a run that is not known any more. */
export const storedRun = (root: string, runId: string): Promise<StoredRun | undefined> =>
  storeOf(root).read(runId);

/** Undefined where none is known. */
export const lastRun = (root: string): Promise<StoredRun | undefined> => storeOf(root).newest('', () => true);

/** Raise the number when the content of the files changes its meaning. */
const storeOf = (root: string): EntryStore<StoredRun> =>
  new EntryStore(root, 'runs-1', (data) => storedRunSchema.safeParse(data).data);

function told(summary: RunSummary, root: string): StoredRun['summary'] {
  const { tests, notes, ...rest } = summary;
  const plain = tests.map(({ output, ...test }) => ({
    ...test,
    ...(output !== undefined && isTelling(test) && { output: output.slice(-mostOutput) }),
  }));
  const hidden = tellable({ tests: plain.filter((test) => !isQuiet(test)), notes }, root);
  const shown = hidden.tests[Symbol.iterator]();
  return {
    ...rest,
    notes: hidden.notes,
    tests: plain.map((test) => (isQuiet(test) ? test : (shown.next().value ?? test))),
  };
}

const isTelling = ({ failure, flaky }: TestResult): boolean => failure !== undefined || flaky !== undefined;
