// The TestController and all that hangs on it; creating it starts nothing and reads nothing.
import * as vscode from 'vscode';
import { controllerId } from '../contributions.ts';
import type { EngineClient } from '../engineClient.ts';
import { Discovery, looksLikeTest } from './discovery.ts';
import { itemData } from './itemData.ts';
import { TestRuns } from './runs.ts';
import { TestTree } from './tree.ts';

export class Testing implements vscode.Disposable {
  readonly controller: vscode.TestController;
  readonly tree: TestTree;
  readonly discovery: Discovery;
  readonly #runs: TestRuns;
  readonly #subscriptions: vscode.Disposable[];

  constructor(engine: EngineClient, log: vscode.LogOutputChannel) {
    const controller = vscode.tests.createTestController(controllerId, 'Testmend');
    this.controller = controller;
    this.tree = new TestTree(controller);
    this.discovery = new Discovery(engine, this.tree, log);
    this.#runs = new TestRuns(controller, engine, this.discovery, this.tree, log);
    controller.resolveHandler = (item) => this.#resolve(item);
    controller.refreshHandler = () => this.discovery.refresh();
    const profile = controller.createRunProfile(
      'Run',
      vscode.TestRunProfileKind.Run,
      (request, token) => this.#runs.run(request, token),
      true,
    );
    const discoverOpen = (document: vscode.TextDocument): void =>
      void this.discovery.discoverDocument(document);
    this.#subscriptions = [
      controller,
      profile,
      this.discovery,
      vscode.workspace.onDidOpenTextDocument(discoverOpen),
      engine.onRestarted(() => void this.discovery.refresh().catch(() => undefined)),
    ];
    // Test files that were open when the window was: after activation, so that it stays short.
    setImmediate(() => {
      for (const editor of vscode.window.visibleTextEditors)
        if (looksLikeTest(editor.document.uri)) discoverOpen(editor.document);
    });
  }

  /** Runs tests of one root by their ids, as if picked in the view. */
  async runIds(root: string, ids: readonly string[]): Promise<void> {
    const include = ids.map((id) => this.tree.get(root, id)).filter((item) => item !== undefined);
    if (include.length === 0) return;
    const source = new vscode.CancellationTokenSource();
    await this.#runs.run(new vscode.TestRunRequest(include), source.token);
    source.dispose();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions.reverse()) subscription.dispose();
  }

  async #resolve(item: vscode.TestItem | undefined): Promise<void> {
    if (item === undefined) {
      await this.discovery.listed().catch(() => undefined);
      return;
    }
    const data = itemData(item);
    if (data?.kind !== 'file' || data.resolved) return;
    item.busy = true;
    try {
      await this.discovery.discover([data]);
    } finally {
      item.busy = false;
    }
  }
}
