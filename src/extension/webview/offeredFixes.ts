// Which fixes of a cycle there are, and which of them the user may still take.
import type { CycleEvent, CycleFix } from '../../core/model/cycle.ts';
import { ownFailures, type Fix } from '../../core/model/fix.ts';
import type { PanelState } from '../../webview/messages.ts';

/** Fixes as last told: the report's at the end, else as they were judged. */
export function fixesOf(events: readonly CycleEvent[]): readonly CycleFix[] {
  const fixes = new Map<string, CycleFix>();
  for (const event of events) {
    if (event.type === 'cycleStarted') fixes.clear();
    if (event.type === 'fixJudged') fixes.set(event.fix.id, event.fix);
    if (event.type === 'fixRolledBack') fixes.delete(event.fixId);
    if (event.type === 'cycleEnded') return event.report.fixes;
  }
  return [...fixes.values()];
}

/** Did the cycle prove anything by then? */
export function canBeTakenUp(events: readonly CycleEvent[]): boolean {
  return fixesOf(events).some(
    ({ verdict, trust, state }) =>
      verdict.verdict === 'verified' && trust !== 'propose' && state !== 'declined',
  );
}

/**
 * together: proven and not decided · any: not decided, also what a person may take at their own risk · singly: these, and what was
 * out of date once. What the cycle rejected is never on offer.
 */
export function isOnOffer(
  fix: CycleFix,
  { decisions }: PanelState,
  how: 'together' | 'any' | 'singly' = 'together',
): boolean {
  const decision = decisions[fix.id];
  const { verdict, violations } = fix.verdict;
  if (decision !== undefined && !(how === 'singly' && decision === 'stale')) return false;
  if (verdict === 'verified') return true;
  return how !== 'together' && fix.trust === 'propose' && verdict !== 'rejected' && violations.length === 0;
}

/** Proven fixes that were applied, and none of whose tests passes since, though one ran: they do not help in the workspace. */
export function helpless(fixes: readonly CycleFix[], { decisions, rerun }: PanelState): readonly CycleFix[] {
  return fixes.filter((fix) => {
    if (decisions[fix.id] !== 'applied' || fix.verdict.verdict !== 'verified') return false;
    const outcomes = ownFailures(fix).map((id) => rerun.outcomes[id]);
    return outcomes.includes('failed') && !outcomes.includes('passed');
  });
}

/** The fix without what the cycle added; unknown keys do not cross. */
export function plainFix({ verdict: _verdict, diff: _diff, state: _state, ...fix }: CycleFix): Fix {
  return fix;
}
