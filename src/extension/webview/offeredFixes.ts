// Which fixes of a cycle there are, and which of them the user may still take.
import type { CycleEvent, CycleFix } from '../../core/model/cycle.ts';
import type { Fix } from '../../core/model/fix.ts';
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

/**
 * together: proven and not decided · singly: also what a person may take at their own risk, and what was out of date once ·
 * any: not decided and not known to break something.
 */
export function isOnOffer(
  fix: CycleFix,
  { decisions }: PanelState,
  how: 'together' | 'singly' | 'any' = 'together',
): boolean {
  const decision = decisions[fix.id];
  if (fix.verdict.verdict === 'rejected') return false;
  if (how === 'any') return decision === undefined;
  if (how === 'singly')
    return (
      (decision === undefined || decision === 'stale') &&
      (fix.verdict.verdict === 'verified' || fix.trust === 'propose')
    );
  return decision === undefined && fix.verdict.verdict === 'verified';
}

/** The fix without what the cycle added; unknown keys do not cross. */
export function plainFix({ verdict: _verdict, diff: _diff, state: _state, ...fix }: CycleFix): Fix {
  return fix;
}
