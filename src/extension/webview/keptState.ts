// The state of the panel for a cycle of an earlier window.
import { emptyPanelState, type PanelState } from '../../webview/messages.ts';
import type { KeptCycle } from './cycleJournal.ts';
import { canBeTakenUp } from './offeredFixes.ts';

/** What the panel shows of a cycle that was read; one that nobody saw end was cut off with its window. */
export function stateOf(
  { folder, decisions, outcomes, over, events }: KeptCycle,
  isInPlace: boolean,
): PanelState {
  const ended = events.some((event) => event.type === 'cycleEnded');
  const state: PanelState = {
    ...emptyPanelState,
    phase: over?.phase ?? 'ended',
    folder,
    decisions: { ...decisions },
    rerun: { running: false, outcomes },
  };
  if (over?.message !== undefined) return { ...state, message: over.message };
  if (over !== undefined || ended) return state;
  const text = cutOffText(
    'The window was closed or reloaded, or the engine stopped, before the cycle ended.',
    isInPlace,
  );
  return { ...state, cutOff: canBeTakenUp(events), message: { level: 'info', text } };
}

/** `what` cut it off; `isInPlace`: fixes are tried in the workspace itself. */
export function cutOffText(what: string, isInPlace: boolean): string {
  const files = isInPlace
    ? 'Files in which fixes were tried are restored'
    : 'Nothing in the workspace was changed';
  return `${what} ${files}; the results until then are below.`;
}
