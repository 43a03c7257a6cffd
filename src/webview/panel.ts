// The script of the fix-cycle panel: takes events and state from the extension, sends what the user decided.
import type { CycleEvent } from '../core/model/cycle.ts';
import { panelMementoSchema, toPanelSchema, type FromPanel, type PanelState } from './messages.ts';
import { emptyModel, reduceEvent, type PanelModel } from './panelModel.ts';
import { PanelView } from './renderPanel.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPanel): void;
  getState(): unknown;
  setState(state: unknown): void;
};

const vscode = acquireVsCodeApi();
const root = document.querySelector('main');
if (root !== null) startPanel(root);

function startPanel(main: Element): void {
  const view = new PanelView(main, (message) => vscode.postMessage(message));
  let folderRoot = '';
  let events: CycleEvent[] = [];
  let model: PanelModel = emptyModel;
  let state: PanelState | undefined;
  let scheduled = false;

  const draw = (): void => {
    scheduled = false;
    if (state === undefined) return;
    view.render(model, state);
    vscode.setState({ root: folderRoot, events, state });
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    requestAnimationFrame(draw);
  };
  const take = (more: readonly CycleEvent[]): void => {
    for (const event of more) {
      // Progress lines are for the moment only; keeping them would make the kept state grow without end.
      if (event.type !== 'progress') events.push(event);
      model = reduceEvent(model, event);
    }
  };

  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const parsed = toPanelSchema.safeParse(data);
    if (!parsed.success) return;
    const message = parsed.data;
    if (message.type !== 'state') {
      if (message.type === 'reset') {
        folderRoot = message.root;
        events = [];
        model = emptyModel;
        state = message.state;
      }
      take(message.events);
    } else state = message.state;
    schedule();
  });

  const kept = panelMementoSchema.safeParse(vscode.getState());
  if (kept.success) {
    folderRoot = kept.data.root;
    state = kept.data.state;
    take(kept.data.events);
    schedule();
  }
  vscode.postMessage({ type: 'ready' });
}
