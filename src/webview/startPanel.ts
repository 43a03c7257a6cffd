// The fix-cycle panel in any page that shows one: takes events and state from its host, sends what the user decided.
import { Announcer } from './announcer.ts';
import { listenToKeys } from './keyboard.ts';
import type { FromPanel, PanelState, ToPanel } from './messages.ts';
import { emptyModel, reduceEvents, type PanelModel } from './panelModel.ts';
import { followPlace, restoreFocus, restorePlace } from './place.ts';
import { spokenStep } from './recordingBar.ts';
import { PanelView, type Shown } from './renderPanel.ts';
import { Replay } from './replay.ts';
import { appliedText, standingOf } from './standing.ts';
import { KeptView } from './viewState.ts';

/** What is around the panel: an editor, or a chat. */
interface PanelHost {
  /** What the user decided. */
  readonly send: (message: FromPanel) => void;
  /** As `keep` was told last, also by a page before this one. */
  readonly kept: unknown;
  readonly keep: (state: unknown) => void;
}

/** Draws into `main`; what it gives takes each message of the host. */
export function startPanel(
  main: HTMLElement,
  { send, kept: before, keep }: PanelHost,
): (message: ToPanel) => void {
  const kept = new KeptView(before, keep);
  const announcer = new Announcer();
  let model: PanelModel = emptyModel;
  let state: PanelState | undefined;
  let replay: Replay | undefined;
  let isScheduled = false;
  /** The view as it was is still to be put back. */
  let isRestoring = true;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(draw);
  };
  const view = new PanelView(main, kept, send, schedule);
  main.append(announcer.element);
  listenToKeys(main);

  const draw = (): void => {
    isScheduled = false;
    if (state === undefined) return;
    const shown = replay === undefined ? { model, state, step: undefined } : replayed(replay, state, kept);
    const hadFocus = main.contains(document.activeElement);
    const { focus, place } = kept.state;
    const isWhole = view.render(shown);
    main.classList.remove('waiting');
    if (!isWhole) schedule();
    // Whoever pressed a button of a card finds the focus on what became of the card.
    if (hadFocus && !main.contains(document.activeElement)) restoreFocus(main, focus);
    if (isWhole && isRestoring) {
      isRestoring = false;
      void restorePlace(main, place).then(() => followPlace(main, kept));
      whenFocused(() => restoreFocus(main, focus));
    }
    announcer.say(spoken(shown));
  };
  const take = (message: ToPanel): void => {
    if (message.type === 'reset') {
      if (kept.show(message.root, message.cycleId)) window.scrollTo(0, 0);
      view.clear();
      const isRecording = message.state.recording !== undefined;
      replay = isRecording ? new Replay(message.events) : undefined;
      model = isRecording ? emptyModel : reduceEvents(emptyModel, message.events);
      state = message.state;
    } else if (message.type === 'events') model = reduceEvents(model, message.events);
    else state = message.state;
    schedule();
  };

  window.addEventListener('pagehide', () => kept.flush());
  return take;
}

/** Never takes the focus from the editor: only once the panel itself has it, and nothing in it. */
function whenFocused(restore: () => void): void {
  if (document.hasFocus()) restore();
  else
    window.addEventListener(
      'focus',
      () => {
        if (document.activeElement === document.body) restore();
      },
      { once: true },
    );
}

/** The panel as it was at the step of the recording that was gone to. */
function replayed(replay: Replay, state: PanelState, kept: KeptView): Shown {
  const step = replay.stepAt(kept.state.step);
  const model = replay.modelAt(step);
  const isOver = step === replay.length || model.report !== undefined;
  return {
    model,
    state: isOver ? state : { ...state, phase: 'running' },
    step: { step, length: replay.length, text: replay.textAt(step) },
  };
}

/** The headline and what was done last; not each step of a cycle that runs, which would never end. */
function spoken({ model, state, step }: Shown): string {
  const copied = state.copied === undefined ? '' : 'Copied as Markdown';
  const told = step === undefined ? '' : spokenStep(step);
  return [told, standingOf(model, state).text, appliedText(model, state), copied, state.message?.text ?? '']
    .filter((part) => part !== '')
    .join('. ');
}
