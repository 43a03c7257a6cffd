// Everything that is known about failing tests and everything that is proposed for them, before anything is tried.
import { errorMessage, HumanError, throwIfCancelled } from '../base/humanError.ts';
import type { ReachedChange } from '../diagnosis/reachedChange.ts';
import { changesReaching } from '../diagnosis/stops.ts';
import type { FailingTest, FixContext, FixProvider } from '../fixes/fixProvider.ts';
import { withoutGenerated } from '../fixes/generatedFiles.ts';
import { askedProviders } from '../fixes/providers.ts';
import { createWorkspaceSources } from '../fixes/renameDoubts/workspaceSources.ts';
import { rankFixes } from '../fixes/rankFixes.ts';
import type { Diagnosis, Fix, Grade } from '../model/fix.ts';
import { isFileId } from '../model/testId.ts';
import type { Failure, TestResult } from '../model/testResult.ts';
import type { CycleBench } from './cycleBench.ts';
import type { BenchRequest, CycleRequest } from './cycleRequest.ts';
import { gateAhead } from './gateAhead.ts';
import { judgeFailures } from './judgeFailures.ts';
import { unfitTests } from './unfitTests.ts';

export interface Proposals {
  /** Best first, at most three for a failure. */
  readonly fixes: readonly Fix[];
  readonly diagnoses: ReadonlyMap<string, Diagnosis>;
  /** Tests that the base revision does not have. */
  readonly newTests: ReadonlySet<string>;
  /** Why fixers had nothing for a test, by its id. */
  readonly refusals: ReadonlyMap<string, readonly string[]>;
  /** The change of the source that a test runs into, by its id. */
  readonly reached: ReadonlyMap<string, ReachedChange>;
  /** Trouble with providers, for people. */
  readonly notes: readonly string[];
}

interface GatherRequest extends BenchRequest, Pick<CycleRequest, 'onProgress'> {
  /** Has this fix its verdict, so that nothing more needs to be found out for it? */
  readonly isSettled?: (fix: Fix) => boolean;
}

/** Records values, diagnoses, and asks every provider; a provider that fails twice is left out and noted (CONTRACTS F6). */
export async function gatherProposals(
  results: readonly TestResult[],
  bench: CycleBench,
  request: GatherRequest,
  strategy: Grade,
): Promise<Proposals> {
  if (results.length === 0) return nothingToMend;
  const { progress } = request;
  progress?.begin('recording', 'recording the values of failing tests');
  const unfit = await unfitTests(results, bench, request);
  const captured = await bench.capture(results.filter(({ id }) => !unfit.has(id)));
  const failing = results.map((result) => ({ result, captured: captured.get(result.id) ?? [] }));
  const open = failing.filter(
    ({ result: { id } }) => !bench.flaky.has(id) && request.bugs?.has(id) !== true && !unfit.has(id),
  );
  const refusals = new Map<string, readonly string[]>([...unfit].map(([id, { reason }]) => [id, [reason]]));
  const reached = new Map<string, ReachedChange>();
  const doubts = new Map<string, string>();
  const notes: string[] = [];
  const proposed: Fix[] = [];
  const context = await contextOf({
    failing: open,
    bench,
    request,
    refusals,
    reached,
    doubts,
    proposed,
    notes,
  });
  const providers = request.providers ?? askedProviders();
  progress?.begin('asking', 'looking for fixes', providers.length);
  for (const [index, provider] of providers.entries()) {
    proposed.push(...(await withoutGenerated(await ask(provider, context, notes), context)));
    progress?.advance(index + 1);
  }
  const testsOf = (isAsked: (fix: Fix) => boolean): readonly TestResult[] => {
    const ids = new Set(proposed.filter(isAsked).flatMap(({ failures }) => failures));
    return results.filter(({ id }) => ids.has(id));
  };
  progress?.begin('comparing', 'looking at what the tests did before the change');
  const { known } = bench;
  const ahead = await gateAhead(proposed, { ...context, known });
  await bench.meanwhile.beside(ahead, async () => {
    // A test without a fix is told why it fails: not by this change, when it failed before.
    const helped = new Set(proposed.flatMap(({ failures }) => failures));
    const unhelped: TestResult[] = [];
    for (const { result } of open) {
      const isAsked = !helped.has(result.id) && !reached.has(result.id) && endsByItself(result.failure);
      // What no changed source reaches may run what was built of it: written back, the sources would change nothing.
      if (isAsked && (await changesReaching(result.file, context.changes)).reaching.length > 0)
        unhelped.push(result);
    }
    // A file that loads again may hold fewer tests than it did: how many it held is known there.
    const unloaded = testsOf(({ trust }) => trust === 'mechanical').filter(({ id }) => isFileId(id));
    const asked = new Set([...testsOf(({ trust }) => trust !== 'mechanical'), ...unhelped, ...unloaded]);
    await bench.elsewhere.runOnBase([...asked]);
    // What only a person may apply already need not be run in other company to become that.
    const isAsked = (fix: Fix): boolean => fix.trust === 'oracle' && request.isSettled?.(fix) !== true;
    await bench.elsewhere.runOutsideCompany(testsOf(isAsked).filter(({ id }) => !bench.elsewhere.wasRed(id)));
  });
  const found = { failing, proposed, unfit, refusals, reached, doubts };
  const judged = await judgeFailures({ ...found, context, bench, request });
  return { ...judged, fixes: rankFixes(judged.fixes, { strategy }), refusals, reached, notes };
}

/** No fixer, and no git, is asked about tests of which none fails. */
const nothingToMend: Proposals = {
  fixes: [],
  diagnoses: new Map(),
  newTests: new Set(),
  refusals: new Map(),
  reached: new Map(),
  notes: [],
};

/** What hung or broke down would do so for the whole time limit again, and says nothing when it does. */
const endsByItself = (failure: Failure | undefined): boolean =>
  failure !== undefined && failure.kind !== 'timeout' && failure.kind !== 'crash' && failure.kind !== 'empty';

interface Asked {
  readonly failing: readonly FailingTest[];
  readonly bench: CycleBench;
  readonly request: BenchRequest & Pick<CycleRequest, 'onProgress'>;
  readonly refusals: Map<string, readonly string[]>;
  readonly reached: Map<string, ReachedChange>;
  readonly doubts: Map<string, string>;
  readonly proposed: readonly Fix[];
  readonly notes: string[];
}

async function contextOf(asked: Asked): Promise<FixContext> {
  const { failing, bench, request, refusals, reached, doubts, proposed, notes } = asked;
  const seen = {
    root: bench.root,
    readText: (file: string) => bench.readText(file),
    isTestFile: (file: string) => request.isTestFile(file),
    changes: await bench.changes(),
    signal: bench.signal,
  };
  return {
    ...seen,
    failing,
    testFiles: bench.testFiles,
    sources: createWorkspaceSources(seen),
    updateSnapshots: (tests, times) => bench.updateSnapshots(tests, times),
    prove: (fixes) => bench.prove(fixes),
    passingAlone: (tests) => bench.elsewhere.passingAlone(tests),
    tryOnFormer: (texts, tests) => bench.tryOnFormer(texts, tests),
    inOwnCopy: (isJailed, work) => bench.inOwnCopy(isJailed, work),
    told: (text) => bench.told(text),
    note: (text) => void notes.push(text),
    warn: (text) => {
      notes.push(text);
      request.progress?.tell({ type: 'warned', text });
    },
    progress: (text) => request.onProgress?.(text),
    proposed,
    doubt: (id, reason) => void doubts.set(id, reason),
    reach: (id, change) => {
      if (!reached.has(id)) reached.set(id, change);
    },
    refuse: (id, reason) => {
      const known = refusals.get(id) ?? [];
      if (!known.includes(reason)) refusals.set(id, [...known, reason]);
    },
  };
}

async function ask(provider: FixProvider, context: FixContext, notes: string[]): Promise<readonly Fix[]> {
  let trouble: unknown;
  for (let attempt = 0; attempt < 2; attempt++) {
    try {
      return await provider.propose(context);
    } catch (error) {
      throwIfCancelled(context.signal);
      if (error instanceof HumanError && error.code === 'cancelled') throw error;
      trouble = error;
    }
  }
  notes.push(`The fixer ${provider.id} failed twice and was left out: ${errorMessage(trouble)}`);
  return [];
}
