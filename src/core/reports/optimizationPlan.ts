// What to do about the tests of a history, the most pressing first, each line with its evidence (CONTRACTS Q7).
import { inlineCode } from '../base/codeBlock.ts';
import { cutEnd, plainLine, plural } from './paint.ts';
import { isRemarkable, testTrends, type HistoryRun, type TestTrend } from './testHistory.ts';

export const planPriorities = ['high', 'medium', 'low'] as const;

interface PlanAction {
  readonly priority: (typeof planPriorities)[number];
  /** Id of a test. */
  readonly target: string;
  readonly evidence: string;
  readonly suggestion: string;
}

/** `runs` are in the order in which they ended, without secrets. */
export function optimizationPlan(runs: readonly HistoryRun[]): readonly PlanAction[] {
  return testTrends(runs)
    .filter(isRemarkable)
    .map(actionOf)
    .sort((a, b) => planPriorities.indexOf(a.priority) - planPriorities.indexOf(b.priority));
}

function actionOf(trend: TestTrend): PlanAction {
  const { id: target, category, runs, failed, reruns, flakeScore, outcomes, lastMessage } = trend;
  const said = lastMessage === '' ? '' : ` Last: ${cutEnd(plainLine(lastMessage), 200)}`;
  if (category === 'broken')
    return {
      priority: 'high',
      target,
      evidence: `The last three runs failed in the same way (${outcomes}).${said}`,
      suggestion: 'Find out whether test or source is at fault: testmend fix --dry-run.',
    };
  if (category === 'flaky')
    return {
      priority: flakeScore >= 0.5 ? 'high' : 'medium',
      target,
      evidence: `Flake score ${flakeScore.toFixed(2)} in ${plural(runs, 'run')}: ${failed} failed, ${reruns} passed on a retry (${outcomes}).${said}`,
      suggestion: 'Look for state, time or order that it shares with others: testmend run --repeat 10.',
    };
  const [recent, average] = [trend.recentDuration.toFixed(2), trend.meanDuration.toFixed(2)];
  return {
    priority: 'low',
    target,
    evidence: `The last three runs took ${recent} s on average, all ${runs} took ${average} s.`,
    suggestion: 'Find what has become slow, in the test or in what it calls.',
  };
}

/** `optimization-plan.md`. What tests say ends no line and no quote. */
export function planMarkdown(runs: readonly HistoryRun[]): string {
  const actions = optimizationPlan(runs);
  return [
    '# Optimization plan',
    `From ${plural(runs.length, 'run')}${runs.length === 0 ? '' : `, ${runs[0]?.endedAt} to ${runs.at(-1)?.endedAt}`}.`,
    ...(actions.length === 0 ? ['Nothing to do: no test is broken, flaky or slower.'] : []),
    ...planPriorities.flatMap((priority) => {
      const own = actions.filter((action) => action.priority === priority);
      const lines = own.map(
        ({ target, evidence, suggestion }) =>
          `- ${inlineCode(plainLine(target))}\n  - Evidence: ${inlineCode(evidence)}\n  - Suggestion: ${suggestion}`,
      );
      return own.length === 0 ? [] : [`## Priority: ${priority}`, lines.join('\n')];
    }),
    '',
  ].join('\n\n');
}
