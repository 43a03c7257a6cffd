// Brings test files and tests from the engine into the tree: once, on demand, and when files change.
import { access } from 'node:fs/promises';
import * as vscode from 'vscode';
import { errorMessage } from '../../core/base/humanError.ts';
import { requests } from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { unlessTold } from '../engineEnded.ts';
import { locate, locateGone, toUri, workspaceRoots } from '../folders.ts';
import { looksLikeTest } from '../testFileName.ts';
import { itemData, type FileItem } from './itemData.ts';
import type { TestTree } from './tree.ts';

/** Files that one request asks for. */
const batchSize = 100;
/** How long changes are gathered before the engine is asked, ms. */
const editDelayMs = 200;
const listDelayMs = 500;
/** A file that is written by being replaced is away for a moment: only what stays away so long leaves the tree, ms. */
const goneDelayMs = 1_000;
/** Changes of these decide which files are tests. */
const configFile =
  /\/(?:(?:vite|vitest|jest|babel)[^/]*\.config\.[^/]+|vitest\.workspace\.[^/]+|\.mocharc[^/]*|conftest\.py)$/;

export class Discovery implements vscode.Disposable {
  readonly #engine: EngineClient;
  readonly #tree: TestTree;
  readonly #log: vscode.LogOutputChannel;
  readonly #subscriptions: vscode.Disposable[] = [];
  readonly #pending = new Map<FileItem, Promise<void>>();
  readonly #changed = new Map<string, FileItem>();
  readonly #missing = new Map<string, FileItem>();
  readonly #listed = new vscode.EventEmitter<void>();
  #listing: Promise<void> | undefined;
  #editTimer: NodeJS.Timeout | undefined;
  #listTimer: NodeJS.Timeout | undefined;
  #missingTimer: NodeJS.Timeout | undefined;

  /** The tree shows the test files as they were just listed. */
  readonly onListed = this.#listed.event;

  constructor(engine: EngineClient, tree: TestTree, log: vscode.LogOutputChannel) {
    this.#engine = engine;
    this.#tree = tree;
    this.#log = log;
  }

  /** Resolves when the test files are listed; the first call starts the engine and watches for changes from then on. */
  listed(): Promise<void> {
    if (this.#listing === undefined) {
      this.#listing = this.#list();
      if (this.#subscriptions.length === 0) this.#watch();
    }
    return this.#listing;
  }

  /** Lists anew; tests of files that were known are found again. */
  async refresh(): Promise<void> {
    const first = this.#listing === undefined;
    await this.listed().catch(() => undefined);
    if (first) return;
    this.#listing = this.#list();
    await this.#listing.then(() => this.discover(this.#tree.resolvedFiles())).catch(unlessTold);
  }

  /** Resolves when the tests of the files are in the tree. */
  async discover(files: readonly FileItem[]): Promise<void> {
    for (const [root, ids] of byRoot(files)) {
      for (let start = 0; start < ids.length; start += batchSize) {
        const wanted = ids.slice(start, start + batchSize);
        const { files: found } = await this.#engine.request(requests.discoverFiles, { root, ids: wanted });
        for (const file of found) await this.#tree.setFile(root, file);
        const alive = new Set(found.map((file) => file.id));
        this.#missed(
          files.filter(
            (file) => file.root === root && wanted.includes(file.fileId) && !alive.has(file.fileId),
          ),
        );
      }
    }
  }

  /** Like `discover`, for files that were not looked at yet; whoever asks meanwhile waits for the same answer. */
  async discoverOnce(files: readonly FileItem[]): Promise<void> {
    const open = files.filter((file) => !file.resolved);
    const fresh = open.filter((file) => !this.#pending.has(file));
    if (fresh.length > 0) {
      const found = this.discover(fresh).finally(() => {
        for (const file of fresh) this.#pending.delete(file);
      });
      for (const file of fresh) this.#pending.set(file, found);
    }
    await Promise.all(open.map((file) => this.#pending.get(file) ?? Promise.resolve()));
  }

  /** Shows the tests of a document that is a listed test file. */
  async discoverDocument(document: vscode.TextDocument): Promise<void> {
    if (this.#listing === undefined && !looksLikeTest(document.uri)) return;
    const place = locate(document.uri);
    if (place === undefined) return;
    try {
      await this.listed();
      await this.discoverOnce(this.#tree.filesAt(place.root, place.file));
    } catch (error) {
      this.#log.error(`The tests of ${place.file} were not found.`, errorMessage(error));
    }
  }

  dispose(): void {
    clearTimeout(this.#editTimer);
    clearTimeout(this.#listTimer);
    clearTimeout(this.#missingTimer);
    this.#listed.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #list(): Promise<void> {
    try {
      const { projects } =
        workspaceRoots().length === 0 ? { projects: [] } : await this.#engine.request(requests.listFiles, {});
      await this.#tree.setListing(projects);
      this.#listed.fire();
    } catch (error) {
      this.#listing = undefined;
      this.#log.error('The test files were not listed.', errorMessage(error));
      throw error;
    }
  }

  #watch(): void {
    const sources = vscode.workspace.createFileSystemWatcher('**/*.{js,jsx,ts,tsx,mjs,cjs,mts,cts,py}');
    const configs = vscode.workspace.createFileSystemWatcher(
      '**/{package.json,*.md,.mocharc*,pyproject.toml,pytest.toml,.pytest.toml,pytest.ini,.pytest.ini,tox.ini,setup.cfg}',
      false,
      false,
      false,
    );
    this.#subscriptions.push(
      sources,
      configs,
      sources.onDidChange((uri) => this.#fileChanged(uri)),
      sources.onDidCreate((uri) => {
        this.#fileChanged(uri);
        if (looksLikeTest(uri)) this.#listSoon(uri);
      }),
      sources.onDidDelete((uri) => this.#fileDeleted(uri)),
      configs.onDidCreate((uri) => isDescriptor(uri) && this.#listSoon(uri)),
      configs.onDidChange((uri) => !uri.path.endsWith('.md') && this.#listSoon(uri)),
      configs.onDidDelete((uri) => isDescriptor(uri) && this.#listSoon(uri)),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.contentChanges.length > 0) this.#fileChanged(event.document.uri);
      }),
    );
  }

  #fileChanged(uri: vscode.Uri): void {
    if (configFile.test(uri.path)) {
      this.#listSoon(uri);
      return;
    }
    const place = locate(uri);
    if (place === undefined) return;
    for (const file of this.#tree.filesAt(place.root, place.file)) {
      if (file.resolved) this.#changed.set(`${file.root}\0${file.fileId}`, file);
    }
    if (this.#changed.size === 0) return;
    this.#editTimer ??= setTimeout(() => {
      this.#editTimer = undefined;
      const files = [...this.#changed.values()];
      this.#changed.clear();
      this.discover(files).catch((error: unknown) =>
        this.#log.error('Changed test files were not read.', errorMessage(error)),
      );
    }, editDelayMs);
  }

  #fileDeleted(uri: vscode.Uri): void {
    const place = locateGone(uri);
    if (place === undefined) return;
    this.#missed(this.#tree.filesAt(place.root, place.file));
    if (/\.config\.[^/]+$/.test(uri.path)) this.#listSoon(uri);
  }

  #missed(files: readonly FileItem[]): void {
    if (files.length === 0) return;
    for (const file of files) this.#missing.set(`${file.root}\0${file.fileId}`, file);
    clearTimeout(this.#missingTimer);
    this.#missingTimer = setTimeout(() => void this.#lookForMissing(), goneDelayMs);
  }

  async #lookForMissing(): Promise<void> {
    const files = [...this.#missing.values()];
    this.#missing.clear();
    const back: FileItem[] = [];
    for (const file of files) {
      const path = toUri(file.root, file.file)?.fsPath ?? file.file;
      const isBack = await access(path).then(
        () => true,
        () => false,
      );
      if (!isBack) this.#tree.remove(file.root, file.fileId);
      else if (file.resolved) back.push(file);
    }
    await this.discover(back).catch(() => undefined);
  }

  #listSoon(uri: vscode.Uri): void {
    if (/\/(?:node_modules|site-packages|\.venv)\//.test(uri.path)) return;
    clearTimeout(this.#listTimer);
    this.#listTimer = setTimeout(() => {
      if (this.#listing === undefined) return;
      this.#listing = this.#list();
      this.#listing.catch(() => undefined);
    }, listDelayMs);
  }
}

/** Files that a test item stands for or lies in. */
export function fileItemOf(item: vscode.TestItem, tree: TestTree): FileItem | undefined {
  const data = itemData(item);
  if (data === undefined || !('fileId' in data)) return undefined;
  if (data.kind === 'file') return data;
  const file = tree.get(data.root, data.fileId);
  const fileData = file === undefined ? undefined : itemData(file);
  return fileData?.kind === 'file' ? fileData : undefined;
}

function isDescriptor(uri: vscode.Uri): boolean {
  return /\/(?:package\.json|\.mocharc[^/]*|pyproject\.toml|\.?pytest\.(?:ini|toml)|tox\.ini|setup\.cfg|[a-z]*skill\.md)$/i.test(
    uri.path,
  );
}

function byRoot(files: readonly FileItem[]): Map<string, string[]> {
  const roots = new Map<string, string[]>();
  for (const { root, fileId } of files) {
    const ids = roots.get(root);
    if (ids === undefined) roots.set(root, [fileId]);
    else ids.push(fileId);
  }
  return roots;
}
