// Results become outdated when their file, or one that it depends on, changes on the disk.
import * as vscode from 'vscode';
import { errorMessage } from '../../core/base/humanError.ts';
import { requests } from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { locateGone } from '../folders.ts';
import { descendants, type TestTree } from './tree.ts';

/** Changes are gathered so long, ms: less than a continuous run waits, whose results are newer. */
const gatherMs = 100;

interface OutdatingParts {
  readonly controller: vscode.TestController;
  readonly engine: EngineClient;
  readonly tree: TestTree;
  readonly log: vscode.LogOutputChannel;
  /** Some test has a state. */
  readonly hasResults: () => boolean;
}

export class Outdating implements vscode.Disposable {
  readonly #parts: OutdatingParts;
  readonly #subscriptions: vscode.Disposable[];
  readonly #changed = new Map<string, Set<string>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: OutdatingParts) {
    this.#parts = parts;
    const sources = vscode.workspace.createFileSystemWatcher(
      '**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts,vue,svelte,py,go,json}',
    );
    const changed = (uri: vscode.Uri): void => this.#note(uri);
    this.#subscriptions = [
      sources,
      sources.onDidChange(changed),
      sources.onDidCreate(changed),
      sources.onDidDelete(changed),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #note(uri: vscode.Uri): void {
    if (!this.#parts.engine.isStarted || !this.#parts.hasResults()) return;
    const place = locateGone(uri);
    if (place === undefined || /(?:^|\/)(?:node_modules|\.git)\//.test(place.file)) return;
    const known = this.#changed.get(place.root);
    if (known === undefined) this.#changed.set(place.root, new Set([place.file]));
    else known.add(place.file);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tell(), gatherMs);
  }

  async #tell(): Promise<void> {
    const changes = [...this.#changed];
    this.#changed.clear();
    for (const [root, files] of changes) {
      try {
        const written = [...files];
        const { ids } = await this.#parts.engine.request(requests.affectedTests, {
          root,
          written,
          purpose: 'state',
        });
        const items = ids.map((id) => this.#parts.tree.get(root, id)).filter((item) => item !== undefined);
        // Each of them, since VS Code leaves what is below an item as it was; and one call: a thousand would freeze the view.
        const all = items.flatMap((item) => [item, ...descendants(item)]);
        if (all.length > 0) this.#parts.controller.invalidateTestResults(all);
      } catch (error) {
        this.#parts.log.warn('Results were not marked as outdated.', errorMessage(error));
      }
    }
  }
}
