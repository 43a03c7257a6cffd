// The panel's life: one webview, its messages parsed, its content sent anew whenever its script starts.
import * as vscode from 'vscode';
import type { CycleEvent } from '../../core/model/cycle.ts';
import {
  emptyPanelState,
  fromPanelSchema,
  lastingEvents,
  type FromPanel,
  type PanelState,
  type ToPanel,
} from '../../webview/messages.ts';
import { panelViewType } from '../contributions.ts';
import { panelHtml } from './panelHtml.ts';

/** Events and states are sent together, at most this old, ms: nobody reads faster. */
const sendAfterMs = 100;

export class CyclePanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #messages = new vscode.EventEmitter<FromPanel>();
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposed = new vscode.EventEmitter<void>();
  #root = '';
  #cycleId = '';
  #state = emptyPanelState;
  #events: CycleEvent[] = [];
  #isOpen = true;
  /** Its script runs. */
  #ready = false;
  #unsent: CycleEvent[] = [];
  #isStateUnsent = false;
  #timer: NodeJS.Timeout | undefined;

  readonly onMessage = this.#messages.event;
  /** Content or visibility; not oftener than the content is sent. */
  readonly onChanged = this.#changed.event;
  readonly onDisposed = this.#disposed.event;

  /** Takes over a panel that was just created, or one that VS Code restored. */
  constructor(extensionUri: vscode.Uri, panel: vscode.WebviewPanel) {
    const media = vscode.Uri.joinPath(extensionUri, 'media');
    this.#panel = panel;
    this.#panel.iconPath = vscode.Uri.joinPath(media, 'icon.png');
    this.#panel.webview.options = { enableScripts: true, localResourceRoots: [media] };
    this.#panel.webview.onDidReceiveMessage((message: unknown) => this.#receive(message));
    this.#panel.onDidChangeViewState(() => this.#changed.fire());
    this.#panel.onDidDispose(() => this.dispose());
    this.#panel.webview.html = panelHtml(this.#panel.webview, media);
  }

  get events(): readonly CycleEvent[] {
    return this.#events;
  }

  get state(): PanelState {
    return this.#state;
  }

  /** Of the cycle that is shown; empty before the first. */
  get cycleId(): string {
    return this.#cycleId;
  }

  /** Open, and the foremost of its tabs. */
  get isVisible(): boolean {
    return this.#isOpen && this.#panel.visible;
  }

  reveal(): void {
    this.#panel.reveal(undefined, true);
  }

  /** Starts afresh with the state and the events of a cycle. */
  reset(root: string, cycleId: string, state: PanelState, events: readonly CycleEvent[]): void {
    this.#root = root;
    this.#cycleId = cycleId;
    this.#state = state;
    this.#events = [...events];
    this.#sendAll();
  }

  addEvents(events: readonly CycleEvent[]): void {
    for (const event of events) {
      this.#events.push(event);
      this.#unsent.push(event);
    }
    this.#sendSoon();
  }

  setState(change: Partial<PanelState>): void {
    this.#state = { ...this.#state, ...change };
    this.#isStateUnsent = true;
    this.#sendSoon();
  }

  dispose(): void {
    this.#isOpen = false;
    this.#ready = false;
    clearTimeout(this.#timer);
    this.#disposed.fire();
    for (const emitter of [this.#disposed, this.#changed, this.#messages]) emitter.dispose();
    this.#panel.dispose();
  }

  #receive(message: unknown): void {
    const parsed = fromPanelSchema.safeParse(message);
    if (!parsed.success) return;
    if (parsed.data.type === 'ready') {
      this.#ready = true;
      this.#sendAll();
      return;
    }
    this.#messages.fire(parsed.data);
  }

  #sendSoon(): void {
    this.#timer ??= setTimeout(() => this.#send(), sendAfterMs);
  }

  #send(): void {
    this.#timer = undefined;
    if (this.#unsent.length > 0) this.#post({ type: 'events', events: this.#unsent });
    if (this.#isStateUnsent) this.#post({ type: 'state', state: this.#state });
    this.#forgetUnsent();
    this.#changed.fire();
  }

  #sendAll(): void {
    this.#forgetUnsent();
    const isRecording = this.#state.recording !== undefined;
    this.#post({
      type: 'reset',
      root: this.#root,
      cycleId: this.#cycleId,
      state: this.#state,
      events: isRecording ? this.#events : lastingEvents(this.#events),
    });
  }

  #forgetUnsent(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unsent = [];
    this.#isStateUnsent = false;
  }

  /** Before the script has asked there is nobody to hear. */
  #post(message: ToPanel): void {
    if (this.#ready) void this.#panel.webview.postMessage(message);
  }
}

/** For a cycle that runs; where the panel of an earlier window still waits behind another tab, it takes its place. */
export function createCyclePanel(): vscode.WebviewPanel {
  const leftOver = vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    // VS Code puts its own prefix before the type.
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(panelViewType));
  const column = leftOver[0]?.group.viewColumn ?? vscode.ViewColumn.Beside;
  const panel = vscode.window.createWebviewPanel(panelViewType, 'Testmend: Fix Cycle', column, {});
  if (leftOver.length > 0) void vscode.window.tabGroups.close(leftOver, true);
  return panel;
}
