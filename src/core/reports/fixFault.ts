// Who is at fault for what a fix mends, with what speaks for it: told beside the fix, since a mended test is no failure any more.
import type { CycleFix, Remaining } from '../model/cycle.ts';
import type { Diagnosis } from '../model/fix.ts';

/**
 * test: nothing but the test is outdated, or somebody accepted the new expectation · source: the user called it a bug · unknown: a
 * changed expectation that nobody decided about, which never says by itself who is right.
 */
export function faultOfFix(fix: CycleFix, remaining: readonly Remaining[]): Diagnosis {
  const left = remaining.find(({ id, fault }) => fix.failures.includes(id) && fault !== 'unknown');
  if (left !== undefined) return { fault: left.fault, reason: left.reason };
  const { trust, state, verdict, cause } = fix;
  const because = cause?.reason ?? fix.evidence[0] ?? 'The test no longer fits the source.';
  if (trust === 'mechanical') return { fault: 'test', reason: because };
  const steady =
    verdict.verdict === 'verified' && verdict.runs > 1 ? [`It holds in ${verdict.runs} runs.`] : [];
  const alike = fix.evidence.filter((sentence) => /\bshow the same change\b/.test(sentence));
  const reason = [because, ...steady, ...alike].join(' ');
  if (state === 'accepted') return { fault: 'test', reason: `The new expectation was accepted. ${reason}` };
  return { fault: cause?.fault ?? 'unknown', reason };
}
