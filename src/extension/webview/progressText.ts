// How a running cycle goes, in the few words that fit the status bar.
import type { CycleEvent } from '../../core/model/cycle.ts';
import type { PanelState } from '../../webview/messages.ts';
import { fixesOf } from './offeredFixes.ts';

/** `Fix cycle: iteration 2 of 10, 3 fixes proven, 4 tests failing` */
export function progressText(events: readonly CycleEvent[], { phase }: Pick<PanelState, 'phase'>): string {
  if (phase === 'stopping') return 'Fix cycle: stopping';
  const most = events.find((event) => event.type === 'cycleStarted')?.maxIterations;
  const iteration = events.findLast((event) => event.type === 'iterationStarted')?.iteration;
  if (most === undefined || iteration === undefined) return 'Fix cycle: starting';
  const proven = fixesOf(events).filter(({ verdict }) => verdict.verdict === 'verified').length;
  const failing = events.findLast((event) => event.type === 'testsFailing')?.tests.length ?? 0;
  const parts = [
    `Fix cycle: iteration ${iteration} of ${most}`,
    proven === 0 ? '' : `${proven} ${proven === 1 ? 'fix' : 'fixes'} proven`,
    failing === 0 ? '' : `${failing} ${failing === 1 ? 'test' : 'tests'} failing`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
