// Takes back the fixes after which a test fails that passed before; the others stay (CONTRACTS F5).
import type { CycleEvent, CycleFix, IterationRecord } from '../model/cycle.ts';
import type { Verdict } from '../model/fix.ts';
import type { TestResult } from '../model/testResult.ts';
import type { Undo } from '../sandbox/sandbox.ts';
import type { CycleBench } from './cycleBench.ts';
import type { CycleState } from './cycleState.ts';

type Events<T = void> = AsyncGenerator<CycleEvent, T>;

/** Fixes that were kept together. */
export interface Batch {
  readonly fixes: readonly CycleFix[];
  readonly undo: Undo;
}

interface RollBackRequest {
  readonly iteration: number;
  /** What the tests did before the batches. */
  readonly before: ReadonlyMap<string, TestResult>;
  /** In the order in which they were kept. */
  readonly batches: readonly Batch[];
  readonly scope: IterationRecord['scope'];
  readonly bench: CycleBench;
  readonly state: CycleState;
}

/** True when something was taken back. */
export async function* rollBack(request: RollBackRequest): Events<boolean> {
  const { before, batches, bench, state } = request;
  const worse = (): readonly TestResult[] => worseThan(before, bench);
  const suspects = worse();
  if (suspects.length === 0 || batches.length === 0) return false;
  const files = new Set(suspects.map(({ file }) => file));
  await bench.run([...files]);
  const stillWorse = worse();
  for (const test of suspects) if (!stillWorse.some(({ id }) => id === test.id)) noteFlaky(test, request);
  if (stillWorse.length === 0) return false;
  for (const [index, { fixes, undo }] of [...batches.entries()].reverse()) {
    const { files: reached } = await bench.scopeOf(fixes);
    for (const file of reached) files.add(file);
    await undo.undo();
    await bench.run([...files]);
    if (worse().length > 0) continue;
    // What was built on top is proposed anew for the text without it.
    for (const batch of batches.slice(index + 1)) for (const { id } of batch.fixes) state.attempts.forget(id);
    yield* sift(request, [...files], fixes);
    return true;
  }
  for (const test of worse()) noteFlaky(test, request);
  for (const { fixes } of batches) await bench.keep(fixes);
  return false;
}

/** Halves a batch that makes a test fail until the fixes are found that do it; they go, the rest stays. */
async function* sift(request: RollBackRequest, files: readonly string[], fixes: readonly CycleFix[]): Events {
  const [only] = fixes;
  if (only === undefined) return;
  const { iteration, before, scope, bench, state } = request;
  const undo = await bench.keep(fixes);
  await bench.run(files);
  const [broken] = worseThan(before, bench);
  if (broken === undefined) return;
  await undo.undo();
  await bench.run(files);
  if (fixes.length > 1) {
    const half = Math.ceil(fixes.length / 2);
    yield* sift(request, files, fixes.slice(0, half));
    return yield* sift(request, files, fixes.slice(half));
  }
  const reason = `"${broken.title}" passed before and fails with this fix.`;
  const { runs } = only.verdict;
  const verdict: Verdict = { verdict: 'rejected', reason, runs: runs + 1, scope, violations: [] };
  state.attempts.settle(only.id, 'declined', verdict);
  yield { type: 'fixRolledBack', iteration, fixId: only.id, reason };
}

/** Failing tests that passed when the iteration began, or in the original when they had not run yet. */
function worseThan(before: ReadonlyMap<string, TestResult>, bench: CycleBench): readonly TestResult[] {
  const { flaky, withoutFixes } = bench;
  return bench
    .failing()
    .filter(({ id }) => !flaky.has(id))
    .filter(({ id }) => (before.get(id)?.outcome ?? withoutFixes.originalOutcome(id)) === 'passed');
}

function noteFlaky({ id, title }: TestResult, { bench, state }: RollBackRequest): void {
  bench.flaky.add(id);
  state.note(`"${title}" passes and fails without any change.`);
}
