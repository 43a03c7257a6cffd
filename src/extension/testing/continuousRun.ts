// Continuous run: on save, the tests that the saved files affect, of those that the user chose to watch.
import * as vscode from 'vscode';
import { errorMessage } from '../../core/base/humanError.ts';
import { requests } from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { locate, locateGone, workspaceRoots } from '../folders.ts';
import { setting } from '../settings.ts';
import type { Discovery } from './discovery.ts';
import { fileItemOf } from './discovery.ts';
import { itemData, itemsOf } from './itemData.ts';
import type { TestTree } from './tree.ts';
import { WatchedChanges } from './watchedChanges.ts';
import { tell } from '../tell.ts';

/** Saves that come within this time of one another are one change, ms; so is what a tool writes. */
const savesMs = 30;
const writesMs = 150;

interface ContinuousRunParts {
  readonly engine: EngineClient;
  readonly discovery: Discovery;
  readonly tree: TestTree;
  readonly controller: vscode.TestController;
  readonly log: vscode.LogOutputChannel;
  readonly run: (request: vscode.TestRunRequest, token: vscode.CancellationToken) => Promise<void>;
}

interface CurrentRun {
  readonly source: vscode.CancellationTokenSource;
  readonly files: ReadonlySet<string>;
  readonly ended: Promise<void>;
}

export class ContinuousRun {
  readonly #parts: ContinuousRunParts;
  readonly #watches = new Map<vscode.TestRunRequest, CurrentRun | undefined>();
  readonly #changes = new WatchedChanges();
  #listeners: vscode.Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Present while changes wait: how long they gather. */
  #gatherMs: number | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(parts: ContinuousRunParts) {
    this.#parts = parts;
  }

  /** Watches until the token is cancelled; runs nothing before a file changes. */
  async start(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    this.#watches.set(request, undefined);
    token.onCancellationRequested(() => this.#end(request));
    this.#listeners ??= this.#listen();
    await this.#parts.discovery.listed().catch(() => undefined);
    // The first answer takes as long as reading all imports: better now than at the first save.
    for (const { path: root } of workspaceRoots())
      await this.#affected(root, [], []).catch((error: unknown) => this.#parts.log.warn(errorMessage(error)));
  }

  dispose(): void {
    for (const request of this.#watches.keys()) this.#end(request);
  }

  #end(request: vscode.TestRunRequest): void {
    this.#watches.get(request)?.source.cancel();
    this.#watches.delete(request);
    if (this.#watches.size > 0) return;
    clearTimeout(this.#timer);
    this.#gatherMs = undefined;
    this.#listeners?.dispose();
    this.#listeners = undefined;
  }

  #listen(): vscode.Disposable {
    const files = vscode.workspace.createFileSystemWatcher('**/*');
    const written = (uri: vscode.Uri): void => {
      const place = locateGone(uri);
      if (place === undefined || /(?:^|\/)(?:node_modules|\.git)\//.test(place.file)) return;
      this.#changes.written(keyOf(place), Date.now());
      this.#soon(writesMs);
    };
    return vscode.Disposable.from(
      files,
      files.onDidChange(written),
      files.onDidCreate(written),
      files.onDidDelete(written),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        const place = locate(uri);
        if (place === undefined) return;
        this.#changes.saved(keyOf(place));
        this.#soon(savesMs);
      }),
    );
  }

  /** What a person saved does not wait for what tools write meanwhile. */
  #soon(gatherMs: number): void {
    if (this.#gatherMs !== undefined && gatherMs > this.#gatherMs) return;
    clearTimeout(this.#timer);
    this.#gatherMs = gatherMs;
    this.#timer = setTimeout(() => {
      this.#gatherMs = undefined;
      this.#working = this.#working
        .then(() => this.#follow())
        .catch((error: unknown) => this.#parts.log.error('Changes were not followed.', errorMessage(error)));
    }, gatherMs);
  }

  async #follow(): Promise<void> {
    const changes = this.#changes.take();
    if (changes === undefined || this.#watches.size === 0) return;
    const wanted = new Set<string>();
    for (const { path: root, folder } of workspaceRoots()) {
      const own = (keys: ReadonlySet<string>): string[] =>
        [...keys].filter((key) => key.startsWith(`${root}\0`)).map((key) => key.slice(root.length + 1));
      const [saved, written] = [own(changes.saved), own(changes.written)];
      if (saved.length + written.length === 0) continue;
      const found =
        setting('continuous', folder) === 'file'
          ? this.#testsIn(root, saved)
          : await this.#affectedOrOwn(root, saved, written);
      for (const id of found) wanted.add(`${root}\0${id}`);
    }
    if (wanted.size > 0) for (const request of this.#watches.keys()) this.#run(request, wanted);
  }

  /** Where the imports cannot be told, the saved file itself is all that is known. */
  async #affectedOrOwn(root: string, saved: string[], written: string[]): Promise<readonly string[]> {
    try {
      const { changed } = written.length === 0 ? { changed: [] } : await this.#affected(root, [], written);
      const judged = this.#changes.judge(changed.map((file) => keyOf({ root, file })));
      for (const key of judged.tell) this.#tellLoop(key.slice(root.length + 1));
      const run = [...saved, ...judged.run.map((key) => key.slice(root.length + 1))];
      return run.length === 0 ? [] : (await this.#affected(root, run, [])).ids;
    } catch (error) {
      this.#parts.log.warn('The tests that a change affects were not found.', errorMessage(error));
      return this.#testsIn(root, saved);
    }
  }

  async #affected(
    root: string,
    saved: string[],
    written: string[],
  ): Promise<{ readonly ids: readonly string[]; readonly changed: readonly string[] }> {
    return this.#parts.engine.request(requests.affectedTests, { root, saved, written });
  }

  #testsIn(root: string, files: readonly string[]): readonly string[] {
    return files.flatMap((file) => this.#parts.tree.filesAt(root, file).map(({ fileId }) => fileId));
  }

  /** Starts the tests that are both wanted and watched; what a superseded run had not done yet is done with them. */
  #run(request: vscode.TestRunRequest, wanted: ReadonlySet<string>): void {
    if (this.#watched(request, wanted).length === 0) return;
    const before = this.#watches.get(request);
    before?.source.cancel();
    const files = new Set([...wanted, ...(before?.files ?? [])]);
    const source = new vscode.CancellationTokenSource();
    const include = this.#watched(request, files);
    const part = new vscode.TestRunRequest(include, request.exclude, request.profile, true, true);
    this.#changes.runStarted();
    const ended = (before?.ended ?? Promise.resolve())
      .then(() => (source.token.isCancellationRequested ? undefined : this.#parts.run(part, source.token)))
      .finally(() => {
        this.#changes.runEnded(Date.now());
        if (this.#watches.get(request)?.source === source) this.#watches.set(request, undefined);
        source.dispose();
      });
    this.#watches.set(request, { source, files, ended });
  }

  /** Items of what the user chose that lie in one of the files (by root and id). */
  #watched(request: vscode.TestRunRequest, files: ReadonlySet<string>): vscode.TestItem[] {
    const { controller, tree } = this.#parts;
    const found: vscode.TestItem[] = [];
    const collect = (item: vscode.TestItem): void => {
      if (request.exclude?.includes(item)) return;
      const data = itemData(item);
      if (data?.kind === 'project' || data?.kind === 'folder') itemsOf(item.children).forEach(collect);
      else {
        const file = fileItemOf(item, tree);
        if (file !== undefined && files.has(`${file.root}\0${file.fileId}`)) found.push(item);
      }
    };
    (request.include ?? itemsOf(controller.items)).forEach(collect);
    return found;
  }

  #tellLoop(file: string): void {
    const text = `Tests write ${file}, which they depend on. The continuous run ignores these writes until you save the file.`;
    this.#parts.log.warn(text);
    void tell.information(`Testmend: ${text}`);
  }
}

function keyOf({ root, file }: { readonly root: string; readonly file: string }): string {
  return `${root}\0${file}`;
}
