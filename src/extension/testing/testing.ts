// All that hangs on the TestController: the tree, discovery and runs.
import * as vscode from 'vscode';
import { errorMessage } from '../../core/base/humanError.ts';
import type { EngineClient } from '../engineClient.ts';
import { workspaceRoots } from '../folders.ts';
import { RunCoverage } from './coverage.ts';
import { DebugSessions } from './debugSessions.ts';
import { ContinuousRun } from './continuousRun.ts';
import { Discovery } from './discovery.ts';
import { itemData } from './itemData.ts';
import { Outdating } from './outdating.ts';
import { restoreResults } from './restoreResults.ts';
import { TestRuns, type RunKind } from './runs.ts';
import { TestTree } from './tree.ts';

export class Testing implements vscode.Disposable {
  readonly tree: TestTree;
  readonly discovery: Discovery;
  readonly coverage: RunCoverage;
  readonly #runs: TestRuns;
  readonly #continuous: ContinuousRun;
  readonly #subscriptions: vscode.Disposable[];

  constructor(controller: vscode.TestController, engine: EngineClient, log: vscode.LogOutputChannel) {
    this.tree = new TestTree(controller);
    this.discovery = new Discovery(engine, this.tree, log);
    const debugSessions = new DebugSessions(engine);
    this.coverage = new RunCoverage(engine, this.tree);
    this.#runs = new TestRuns(
      controller,
      engine,
      this.discovery,
      this.tree,
      debugSessions,
      this.coverage,
      log,
    );
    this.#continuous = new ContinuousRun({
      controller,
      engine,
      log,
      discovery: this.discovery,
      tree: this.tree,
      run: (request, token) => this.#runs.run(request, token, { isUnattended: true }),
    });
    const discoverOpen = (document: vscode.TextDocument): void =>
      void this.discovery.discoverDocument(document);
    const restored = new Set<string>();
    let hasRestored = false;
    const restore = async (): Promise<void> => {
      const fresh = workspaceRoots().filter(({ path }) => !restored.has(path));
      for (const { path } of fresh) restored.add(path);
      const isLate = (): boolean => this.#runs.hasRun;
      const restoring = { controller, engine, tree: this.tree, discovery: this.discovery, isLate };
      for (const { path } of fresh) {
        try {
          hasRestored = (await restoreResults(path, restoring)) || hasRestored;
        } catch (error) {
          log.warn('The results of earlier windows are not shown.', errorMessage(error));
        }
      }
    };
    this.#subscriptions = [
      this.discovery,
      debugSessions,
      this.#continuous,
      new Outdating({
        controller,
        engine,
        log,
        tree: this.tree,
        hasResults: () => this.#runs.hasRun || hasRestored,
      }),
      this.discovery.onListed(() => void restore()),
      vscode.workspace.onDidOpenTextDocument(discoverOpen),
      engine.onRestarted(() => void this.discovery.refresh().catch(() => undefined)),
    ];
    // The document that made the house open may not be visible yet.
    for (const document of vscode.workspace.textDocuments) discoverOpen(document);
  }

  /** Children of an item when it is opened; the files when there is no item. */
  async resolve(item: vscode.TestItem | undefined): Promise<void> {
    if (item === undefined) {
      await this.discovery.listed().catch(() => undefined);
      return;
    }
    const data = itemData(item);
    if (data?.kind !== 'file' || data.resolved) return;
    item.busy = true;
    try {
      await this.discovery.discoverOnce([data]);
    } finally {
      item.busy = false;
    }
  }

  run(request: vscode.TestRunRequest, token: vscode.CancellationToken, kind?: RunKind): Promise<void> {
    return this.#runs.run(request, token, kind);
  }

  /** Runs tests of one root by their ids, as if picked in the view. */
  async runIds(root: string, ids: readonly string[]): Promise<void> {
    await this.runItems(ids.map((id) => this.tree.get(root, id)).filter((item) => item !== undefined));
  }

  /** Runs these items, of any roots, as if picked in the view; none of them is nothing to do. */
  async runItems(include: readonly vscode.TestItem[], kind?: RunKind): Promise<void> {
    if (include.length === 0) return;
    const source = new vscode.CancellationTokenSource();
    try {
      await this.run(new vscode.TestRunRequest(include), source.token, kind);
    } finally {
      source.dispose();
    }
  }

  /** Watches what the request names until the token is cancelled. */
  watch(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    return this.#continuous.start(request, token);
  }

  dispose(): void {
    for (const subscription of this.#subscriptions.reverse()) subscription.dispose();
  }
}
