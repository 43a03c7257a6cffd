// The script of the fix-cycle panel in the editor.
// oxlint-disable-next-line import/no-unassigned-import -- it must run before any schema is made
import './withoutEval.ts';
import { toPanelSchema, type FromPanel } from './messages.ts';
import { startPanel } from './startPanel.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPanel): void;
  getState(): unknown;
  setState(state: unknown): void;
};

const vscode = acquireVsCodeApi();
const main = document.querySelector('main');
if (main !== null) {
  const take = startPanel(main, {
    send: (message) => vscode.postMessage(message),
    kept: vscode.getState(),
    keep: (state) => vscode.setState(state),
  });
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const parsed = toPanelSchema.safeParse(data);
    if (parsed.success) take(parsed.data);
  });
  vscode.postMessage({ type: 'ready' });
}
