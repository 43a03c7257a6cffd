// The pack that is handed over with a failure that nothing mended: all that the cycle learnt of it, short enough to be read.
import { redactTold } from '../base/redactSecrets.ts';
import { cut, failurePack } from '../diagnosis/failurePack.ts';
import type { CycleFix, HandOver } from '../model/cycle.ts';
import { doubtsOf } from '../model/fix.ts';
import type { TestResult } from '../model/testResult.ts';
import type { CycleBench } from './cycleBench.ts';
import type { CycleState } from './cycleState.ts';

/** Limits in characters, so that many failures stay readable, and small enough for a model. */
const limits = { reason: 2_000, diff: 3_000 };

/** Runs nothing: what was not recorded is left out. Secrets are blotted out, and no text names the sandbox. */
export async function handOverOf(
  result: TestResult,
  bench: CycleBench,
  state: CycleState,
): Promise<HandOver> {
  const told = (text: string): string => bench.told(text);
  const secrets = new Set<string>();
  const hide = (text: string): string => redactTold(text, secrets);
  const clean = (text: string, limit: number): string => cut(hide(told(text)), limit);
  const fixes = state.attempts.fixes.filter(({ failures }) => failures.includes(result.id));
  const changes = await bench.changes();
  const write = async (): Promise<HandOver> => ({
    ...(await failurePack({
      result,
      captured: bench.recorded(result),
      changes,
      reached: state.reached.get(result.id),
      readText: (file) => bench.readText(file),
      told,
      hide,
    })),
    refusals: (state.refusals.get(result.id) ?? []).map((reason) => clean(reason, limits.reason)),
    candidates: fixes.map((fix) => candidateOf(fix, clean)),
  });
  // Twice: what its name gives away in one text stands without it in another.
  hide(told(result.failure?.message ?? ''));
  await write();
  return write();
}

function candidateOf(
  fix: CycleFix,
  clean: (text: string, limit: number) => string,
): HandOver['candidates'][number] {
  const { title, provider, trust, verdict, otherSide, diff } = fix;
  const reasons = [verdict.reason, ...doubtsOf(fix), otherSide].flatMap((reason) => reason ?? []);
  return {
    title: clean(title, limits.reason),
    provider,
    trust,
    verdict: verdict.verdict,
    reasons: [...new Set(reasons)].map((reason) => clean(reason, limits.reason)),
    diff: clean(diff, limits.diff),
  };
}
