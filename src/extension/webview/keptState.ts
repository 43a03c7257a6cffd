// The state of the panel for a cycle of an earlier window.
import { emptyPanelState, type PanelState } from '../../webview/messages.ts';
import type { KeptCycle } from './cycleJournal.ts';

/** What the panel shows of a cycle that was read; one that nobody saw end was stopped with its window. */
export function stateOf({ folder, decisions, outcomes, over, events }: KeptCycle): PanelState {
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
  const text =
    'The window was closed or reloaded before the cycle ended. Nothing in the workspace was changed; what was found until then is below.';
  return { ...state, message: { level: 'info', text } };
}
