// The panel's life: one webview, its messages parsed, its content replayed whenever its script starts.
import * as vscode from 'vscode';
import type { CycleEvent } from '../../core/model/cycle.ts';
import { fromPanelSchema, type FromPanel, type PanelState, type ToPanel } from '../../webview/messages.ts';
import { panelViewType } from '../contributions.ts';
import { panelHtml } from './panelHtml.ts';

export class CyclePanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #messages = new vscode.EventEmitter<FromPanel>();
  readonly #disposed = new vscode.EventEmitter<void>();
  #root = '';
  #state: PanelState = { phase: 'starting', folder: '', decisions: {}, busy: false };
  #events: CycleEvent[] = [];
  #ready = false;

  readonly onMessage = this.#messages.event;
  readonly onDisposed = this.#disposed.event;

  /** Shows a new panel, or takes over one that VS Code restored. */
  constructor(extensionUri: vscode.Uri, restored?: vscode.WebviewPanel) {
    const media = vscode.Uri.joinPath(extensionUri, 'media');
    this.#panel =
      restored ??
      vscode.window.createWebviewPanel(panelViewType, 'Testmend: Fix Cycle', vscode.ViewColumn.Beside, {});
    this.#panel.iconPath = vscode.Uri.joinPath(media, 'icon.png');
    this.#panel.webview.options = { enableScripts: true, localResourceRoots: [media] };
    this.#panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message));
    this.#panel.onDidDispose(() => this.dispose());
    this.#panel.webview.html = panelHtml(this.#panel.webview, media);
  }

  get events(): readonly CycleEvent[] {
    return this.#events;
  }

  get state(): PanelState {
    return this.#state;
  }

  get root(): string {
    return this.#root;
  }

  reveal(): void {
    this.#panel.reveal(undefined, true);
  }

  /** Starts afresh with the state and the events of a cycle. */
  reset(root: string, state: PanelState, events: readonly CycleEvent[]): void {
    this.#root = root;
    this.#state = state;
    this.#events = [...events];
    this.#replay();
  }

  addEvents(events: readonly CycleEvent[]): void {
    this.#events.push(...events);
    this.#post({ type: 'events', events: [...events] });
  }

  setState(change: Partial<PanelState>): void {
    this.#state = { ...this.#state, ...change };
    this.#post({ type: 'state', state: this.#state });
  }

  dispose(): void {
    this.#ready = false;
    this.#disposed.fire();
    this.#disposed.dispose();
    this.#messages.dispose();
    this.#panel.dispose();
  }

  #receive(message: unknown): void {
    const parsed = fromPanelSchema.safeParse(message);
    if (!parsed.success) return;
    if (parsed.data.type === 'ready') {
      this.#ready = true;
      this.#replay();
      return;
    }
    this.#messages.fire(parsed.data);
  }

  #replay(): void {
    this.#post({ type: 'reset', root: this.#root, state: this.#state, events: this.#events });
  }

  /** Before the script has asked there is nobody to hear. */
  #post(message: ToPanel): void {
    if (this.#ready) void this.#panel.webview.postMessage(message);
  }
}
