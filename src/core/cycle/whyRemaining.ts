// Why a test still fails at the end of a cycle: who is at fault, how far it came, and why nothing mends it. Never without a reason.
import { asSentences, sentence } from '../base/asSentences.ts';
import type { CycleFix, CycleReport, Remaining } from '../model/cycle.ts';
import type { Diagnosis } from '../model/fix.ts';
import type { TestResult } from '../model/testResult.ts';
import type { CycleState } from './cycleState.ts';

/** Sentences that say what is known and what became of every attempt; what is offered to a person is told as an offer. */
export function whyRemaining(
  test: TestResult,
  state: CycleState,
  { flaky }: { readonly flaky: ReadonlySet<string> },
): Pick<Remaining, 'fault' | 'reason'> {
  const { id } = test;
  if (state.attempts.bugs.has(id))
    return { fault: 'source', reason: 'You said that this is a bug in the source.' };
  if (flaky.has(id)) return { fault: 'flaky', reason: 'It passes and fails without any change.' };
  if (!state.isWanted(test)) return { fault: 'unknown', reason: 'It was not among the tests to mend.' };
  const own = state.attempts.fixes.filter(({ failures }) => failures.includes(id));
  const known = state.diagnoses.get(id);
  if (known === undefined) return { fault: 'unknown', reason: notLookedAt[state.ended] };
  const reached = state.advanced.get(id);
  const cause = reached === undefined ? outdatedNoMore(known, own) : known;
  const further = reached?.reason ?? '';
  // What is known last of a test that came further is the cause of where it stands then.
  const first = further.includes(cause.reason) ? '' : cause.reason;
  const sentences = [
    first,
    further,
    whyNotMended(`${first} ${further}`, own, state.refusals.get(id) ?? []),
    advice(id, state),
  ];
  return {
    fault: reached?.fault ?? cause.fault,
    reason: asSentences(sentences),
  };
}

/** A failure that no iteration has seen. */
const notLookedAt: Readonly<Record<CycleReport['ended'], string>> = {
  cancelled: 'The cycle was stopped before it looked for the cause.',
  budget: 'What the cycle may take was used up before it looked for the cause.',
  timeout: 'The time was over before the cycle looked for the cause.',
  'max-iterations': 'It was first seen after the last iteration, so no fix was sought for it.',
  target: 'It was first seen when the target was reached already, so no fix was sought for it.',
  stuck: 'It was first seen after the last iteration, so no fix was sought for it.',
  'no-progress': 'It was first seen after the last iteration, so no fix was sought for it.',
  'no-tests': 'No fix was sought for it, since no test ran.',
};

/** The test was to be outdated, and is no better for what should mend it. */
function outdatedNoMore(cause: Diagnosis, own: readonly CycleFix[]): Diagnosis {
  if (cause.fault !== 'test') return cause;
  const failed = own.find(({ trust, verdict }) => trust === 'mechanical' && verdict.verdict === 'rejected');
  const isMended = own.some(({ trust, verdict }) => trust !== 'propose' && verdict.verdict === 'verified');
  if (failed === undefined || isMended) return cause;
  return {
    fault: 'unknown',
    reason: `${cause.reason} That alone does not mend it: ${failed.verdict.reason ?? ''}`,
  };
}

function whyNotMended(said: string, own: readonly CycleFix[], refusals: readonly string[]): string {
  const proven = own.find(({ verdict }) => verdict.verdict === 'verified');
  if (proven !== undefined)
    return proven.trust === 'propose'
      ? `Only you may apply what was tried: ${sentence(proven.title)}`
      : `It was turned down: ${sentence(proven.title)}`;
  // What led further is told of already.
  const misses = own.filter(
    ({ verdict, title }) => !said.includes(title) && !said.includes(verdict.reason ?? ' '),
  );
  // What ran came nearer than what the gate or a changed text refused.
  const miss = misses.find(({ verdict }) => verdict.runs > 0) ?? misses[0];
  if (miss !== undefined) return `Tried: ${miss.title}. ${miss.verdict.reason ?? ''}`.trim();
  if (own.length > 0 || refusals.some((refusal) => said.includes(refusal))) return '';
  const [refusal] = refusals;
  return refusal === undefined ? nothingKnown : `No fix: ${refusal}`;
}

const nothingKnown = 'No fix: none of the fixers knows a change of the test that follows from this failure.';

/** T9: what nothing moved is said to be stuck, with the advice to go another way. */
function advice(id: string, state: CycleState): string {
  return state.stuck.isStuck(id)
    ? 'It failed the same way in three iterations: try a different approach, by hand or with a model.'
    : '';
}
