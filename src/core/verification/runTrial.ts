// One trial: runs tests with fixes in place, as often as asked, and says what is wrong, if anything.
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import type { Selection } from '../frameworks/framework.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import { Comparison, type Regression } from './compareRuns.ts';
import type { EndsWithSuite, VerificationContext } from './verification.ts';

export interface Trial<T> {
  /** Runs made. */
  readonly runs: number;
  /** Why nothing can be said. */
  readonly unverifiable?: string;
  /** What does not do what it should in every run, each with the reason. */
  readonly problems: ReadonlyMap<T, string>;
  /** What passed before and does not now, and files that the tests wrote though they may not. */
  readonly regressions: readonly Regression[];
  /** The last run. */
  readonly summary: RunSummary;
  /** Was that a run of the full suite? */
  readonly isSuite: boolean;
}

interface TrialRequest<T> {
  /** At most; the first run that shows something wrong is the last one. */
  readonly runs: number;
  readonly selection: Selection;
  /** The last run is one of the full suite. */
  readonly endsWithSuite?: EndsWithSuite;
  /** Most likely no other run follows the last one, when nothing is wrong. */
  readonly isEnd?: boolean | undefined;
  /** Must the run account for this test of the baseline? */
  inScope(test: TestResult): boolean;
  /** Tests of the baseline that the fixes in place take away. */
  readonly deleted?: readonly string[];
  /** Files (relative) that the fixes in place changed. */
  readonly edited: readonly string[];
  problemsIn(comparison: Comparison, summary: RunSummary): ReadonlyMap<T, string>;
  /** Asked once the first of several runs shows nothing wrong: is it known by now that the others prove nothing? */
  endsEarly?(): Promise<boolean>;
}

/** Throws only when cancelled or when the environment fails. */
export async function runTrial<T>(request: TrialRequest<T>, context: VerificationContext): Promise<Trial<T>> {
  const { edited, endsWithSuite } = request;
  const snapshots = await presentSnapshots(edited, context);
  const look = async (run: number, selection: Selection): Promise<Omit<Trial<T>, 'isSuite'>> => {
    const isLast = request.isEnd === true && run >= request.runs;
    const summary = await context.run(selection, context.signal, { isLast });
    throwIfCancelled(context.signal);
    if (summary.ended !== 'complete') {
      const unverifiable = `The run with the fix did not finish (${summary.ended}).`;
      await context.sandbox.restoreStrays();
      return { runs: run, unverifiable, problems: new Map(), regressions: [], summary };
    }
    const comparison = new Comparison(
      context.baseline,
      summary,
      (test) => request.inScope(test),
      request.deleted,
    );
    const problems = new Map(
      [...request.problemsIn(comparison, summary)].map(([subject, reason]) => [
        subject,
        run === 1 ? reason : `The test passes only sometimes. ${reason}`,
      ]),
    );
    const regressions = [
      ...comparison.regressions(),
      ...(await writtenFiles(context, edited)),
      ...(await newSnapshots(edited, snapshots, context)),
    ];
    return { runs: run, problems, regressions, summary };
  };
  for (let run = 1; ; run++) {
    const isLast = run >= request.runs;
    if (isLast && endsWithSuite !== undefined) {
      const ofAll = await look(run, {});
      // What else is in the suite says nothing of the fix.
      const isOthers = ofAll.unverifiable !== undefined || (endsWithSuite === 'new' && isWrong(ofAll));
      if (!isOthers) return { ...ofAll, isSuite: true };
    }
    const trial = await look(run, request.selection);
    if (isLast || isWrong(trial)) return { ...trial, isSuite: false };
    if (run === 1 && (await request.endsEarly?.()) === true) return { ...trial, isSuite: false };
  }
}

const isWrong = <T>({ problems, regressions, unverifiable }: Omit<Trial<T>, 'isSuite'>): boolean =>
  unverifiable !== undefined || problems.size > 0 || regressions.length > 0;

/**
 * Copied files that the run wrote: sources may never change, and an edited test that rewrites itself has checked nothing. Caches
 * and the like, which git ignores, are what runs write. In place, code that changed during the first runs may as well be what the user
 * corrected meanwhile: no fix is proven by it.
 */
async function writtenFiles(
  context: VerificationContext,
  edited: readonly string[],
): Promise<readonly Regression[]> {
  const isRecord = (file: string): boolean => edited.includes(file) || file.endsWith('.snap');
  const strays = await context.sandbox.restoreStrays();
  return strays
    .filter((file) => !context.drift?.has(file) || (context.sandbox.inPlace && isCode.test(file)))
    .filter((file) => isRecord(file) || !(context.isTestFile(file) || context.sandbox.isIgnored(file)))
    .map((file) => ({
      id: file,
      file,
      reason: isRecord(file)
        ? `The run rewrote ${file}: it stored a snapshot instead of comparing with it.`
        : context.sandbox.inPlace
          ? `${file}, which is not a test file, changed during the fix cycle: a test or another program wrote it.`
          : `The run changed ${file}, which is not a test file.`,
    }));
}

const isCode = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|pyi?|go)$/;

const snapshotOf = (file: string): string =>
  path.posix.join(path.posix.dirname(file), '__snapshots__', `${path.posix.basename(file)}.snap`);

async function presentSnapshots(
  edited: readonly string[],
  { sandbox }: VerificationContext,
): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  for (const file of edited.map(snapshotOf)) {
    if ((await sandbox.readText(file).catch(() => '')) !== undefined) present.add(file);
  }
  return present;
}

/** Snapshot files that were not there before: whatever they hold, nothing was compared with it. */
async function newSnapshots(
  edited: readonly string[],
  before: ReadonlySet<string>,
  context: VerificationContext,
): Promise<readonly Regression[]> {
  const now = await presentSnapshots(edited, context);
  const added = [...now].filter((file) => !before.has(file));
  await context.sandbox.removeExtra(added);
  return edited
    .filter((file) => added.includes(snapshotOf(file)))
    .map((file) => ({
      id: snapshotOf(file),
      file,
      reason: `The run stored new snapshots for ${file} instead of comparing with the old ones.`,
    }));
}
