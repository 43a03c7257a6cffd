// A copy of the repository in which fixes are tried, kept warm and in step with the original, which it never writes to.
import { lstat, mkdir, readdir, readFile, readlink, realpath, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import { isInside } from '../base/paths.ts';
import type { FileEdit } from '../model/edit.ts';
import { copiedAs, haveSameBytes, isSame, type Copied } from './copiedFile.ts';
import { openRepository, type Repository } from '../workspace/git.ts';
import { editedTexts } from '../workspace/mergeEdits.ts';
import { inOwnCopy } from './ownCopy.ts';
import { placeIn, realPlaceIn } from './placeIn.ts';
import { readText } from '../workspace/readText.ts';
import type { FileContents, OwnCopy, Sandbox, Undo, Watched, Written, WrittenFiles } from './sandbox.ts';
import {
  copyEntry,
  forEachLimited,
  listAll,
  listIgnoredFiles,
  listNested,
  linkTarget,
  listSandboxFiles,
  makeFolders,
  neverCopied,
  removeOthers,
  sameStamp,
  stampOf,
  touchedDuring,
  type Stamp,
  type TreePair,
} from './sandboxFiles.ts';
import { claimSandboxFolder, type ClaimedFolder } from './sandboxFolder.ts';
import { sandboxFolder } from './sandboxPlace.ts';
import { makePrivateGit } from './sandboxGit.ts';
import { findNodeModules, foldersAround, linkNodeModules, linkStamp } from './sandboxLinks.ts';
import { stateName } from './stateName.ts';
import { refuseInPlace } from './workspaceUse.ts';

export interface CopySandboxOptions {
  /** Absolute workspace root. */
  readonly root: string;
  /** Parent folder; default `sandboxFolder()`. */
  readonly folder?: string;
  /** Copy what git ignores too (dist, generated code, .env), up to 200 MB. */
  readonly includeIgnored?: boolean;
  readonly signal?: AbortSignal;
  /** Told, in one sentence each, what the user should know about the copy. */
  readonly onNote?: (note: string) => void;
}

/** Copies the repository of `root`; throws a HumanError when there is no place for the copy. */
export async function openCopySandbox(options: CopySandboxOptions): Promise<CopySandbox> {
  const root = await realpath(options.root);
  const { signal, onNote } = options;
  const repository = await openRepository(root, {
    ...(signal ? { signal } : {}),
    ...(onNote ? { onNote } : {}),
  });
  const top = repository?.root ?? root;
  const home = await claimSandboxFolder(options.folder ?? sandboxFolder(), top);
  const sandbox = new CopySandbox(root, top, home, repository, options);
  try {
    await sandbox.sync();
  } catch (error) {
    await sandbox.dispose();
    throw error;
  }
  return sandbox;
}

/** Removes its folder at `dispose()` and when the process exits; after a kill the next start does. */
export class CopySandbox implements Sandbox {
  readonly originalRoot: string;
  readonly root: string;
  readonly inPlace = false;
  readonly #trees: TreePair;
  readonly #home: ClaimedFolder;
  readonly #repository: Repository | undefined;
  readonly #signal: AbortSignal | undefined;
  #includeIgnored: boolean;
  /** Of the copied files those that git ignores, relative to the top. */
  #ignored: ReadonlySet<string> = new Set();
  /** Copied files by path relative to the top, with the original's stamp. */
  readonly #copied = new Map<string, Copied>();
  /** Links made by absolute folder, with the stamp of what they lead to. */
  readonly #linked = new Map<string, string>();
  /** Bytes of edited files by path relative to the top; undefined when the edit deleted the file. */
  readonly #edited = new Map<string, Uint8Array | undefined>();
  #head: string | undefined;
  /** How often the original had changed. */
  #changes = 0;
  isOpen = false;
  /** Relative to the top; runs touched them when nothing else was at work here. */
  readonly #touchedByTests = new Set<string>();
  readonly #onExit: () => void;

  /** Use `openCopySandbox`. */
  constructor(
    root: string,
    top: string,
    home: ClaimedFolder,
    repository: Repository | undefined,
    options: CopySandboxOptions,
  ) {
    const copy = path.join(home.folder, path.basename(top) || 'root');
    this.originalRoot = root;
    this.root = path.join(copy, path.relative(top, root));
    this.#trees = { original: top, copy };
    this.#home = home;
    this.#repository = repository;
    this.#includeIgnored = options.includeIgnored ?? false;
    this.#signal = options.signal;
    this.#onExit = () => home.releaseNow();
    process.once('exit', this.#onExit);
  }

  get compiledFolder(): string {
    return path.join(this.#home.folder, 'compiled');
  }

  stateName(isAlone: (file: string) => boolean): string {
    const edited = [...this.#edited].map(([file, bytes]) => [this.#toRelative(file), bytes] as const);
    return stateName(this.#changes, edited, isAlone);
  }

  toSandbox(file: string): string {
    const { original, copy } = this.#trees;
    return isInside(original, file) ? path.join(copy, path.relative(original, file)) : file;
  }

  toOriginal(file: string): string {
    const { original, copy } = this.#trees;
    return isInside(copy, file) ? path.join(original, path.relative(copy, file)) : file;
  }

  told(text: string): string {
    const { original, copy } = this.#trees;
    if (!text.includes(copy)) return text;
    return text
      .replaceAll(`file://${this.root}/`, '')
      .replaceAll(this.root + path.sep, '')
      .replaceAll(copy, original);
  }

  /** By size and time. Throws a `busy` HumanError while fixes are tried in the original itself: its files are not the user's then. */
  async sync(): Promise<{ readonly changed: number }> {
    await refuseInPlace(this.originalRoot);
    const { original, copy } = this.#trees;
    // The first time it is the commit that the repository was opened at, just now.
    const opened = this.#head === undefined ? this.#repository?.head : undefined;
    const [listed, head] = await Promise.all([this.#listOriginal(), opened ?? this.#repository?.readHead()]);
    const stamps = await this.#stampsOf(listed);
    const gone = [...this.#copied.keys()].filter((file) => !stamps.has(file));
    await forEachLimited(gone, (file) => this.#forget(file));
    const stale = [...stamps].filter(([file, stamp]) => !isSame(this.#copied.get(file), stamp));
    await mkdir(this.root, { recursive: true });
    await makeFolders(stale.map(([file]) => path.join(copy, file)));
    await forEachLimited(stale, async ([file, stamp]) => {
      throwIfCancelled(this.#signal);
      const place = path.join(copy, file);
      await copyEntry(path.join(original, file), place, stamp, this.#trees);
      this.#edited.delete(file);
      this.#copied.set(file, await copiedAs(place, stamp));
    });
    await this.#linkModules(stamps.keys());
    if (this.#repository && (this.#head !== head || head === undefined)) {
      await makePrivateGit(copy, this.#repository, this.#signal, head);
      this.#head = head;
    }
    // Whoever has begun meanwhile may have been copied: what has changed since is copied again the next time.
    await refuseInPlace(this.originalRoot);
    if (gone.length + stale.length > 0) this.#changes++;
    return { changed: gone.length + stale.length };
  }

  async copyIgnored(): Promise<{ readonly changed: number }> {
    this.#includeIgnored = true;
    return this.sync();
  }

  async readText(file: string): Promise<string | undefined> {
    return readText(this.#resolve(file));
  }

  async applyEdits(edits: readonly FileEdit[]): Promise<Undo> {
    return this.write(await editedTexts(edits, (file) => this.readText(file)));
  }

  async write(contents: FileContents): Promise<Undo> {
    const restores: (() => Promise<void>)[] = [];
    const undo = async (): Promise<void> => {
      for (let restore = restores.pop(); restore; restore = restores.pop()) await restore();
    };
    try {
      for (const [file, content] of contents) restores.push(await this.#writeOne(file, content));
    } catch (error) {
      await undo();
      throw error;
    }
    return { files: [...contents.keys()], undo };
  }

  /**
   * Copied files whose content in the copy is no longer what was put there, relative to the root: something that ran in the
   * sandbox wrote them. They are put right again, each after `look` has seen it. Those that something touched are compared by their
   * content; `byContent`: all of them.
   */
  async restoreStrays(
    look?: (file: string) => Promise<void>,
    byContent = this.isOpen,
  ): Promise<readonly string[]> {
    const strays: string[] = [];
    await forEachLimited(this.#files(), async (file) => {
      if (await this.#isAsExpected(file, byContent)) return;
      await look?.(this.#toRelative(file));
      await this.#restore(file);
      strays.push(this.#toRelative(file));
    });
    return strays.sort();
  }

  isIgnored(file: string): boolean {
    return this.#ignored.has(path.relative(this.#trees.copy, path.join(this.root, file)));
  }

  async writtenBy(work: () => Promise<void>): Promise<WrittenFiles> {
    const { copy } = this.#trees;
    const before = new Set(await listAll(copy));
    const changed = new Map<string, string>();
    const added: string[] = [];
    try {
      await work();
    } finally {
      await this.restoreStrays(async (file) => {
        const text = await this.readText(file).catch(() => undefined);
        if (text !== undefined) changed.set(file, text);
      });
      const extra = (await listAll(copy)).filter((file) => !before.has(file));
      added.push(...extra.map((file) => this.#toRelative(path.relative(copy, file))));
      await this.removeExtra(added);
    }
    return { changed, added };
  }

  async inOwnCopy(isJailed: boolean, work: (copy: OwnCopy) => Promise<void>): Promise<Written> {
    await this.restoreStrays(undefined, true);
    const before = isJailed ? undefined : new Set(await listAll(this.#trees.copy));
    this.isOpen ||= !isJailed;
    const [parent, root] = [path.dirname(this.#home.folder), this.#rootBelowTop];
    const [repository, signal] = [this.#repository, this.#signal];
    const files = this.#files();
    try {
      return await inOwnCopy({ parent, trees: this.#trees, root, files, repository, isJailed, signal }, work);
    } finally {
      if (before !== undefined) await this.#distrust(before);
      await this.restoreStrays(undefined, true);
    }
  }

  /** Something may have written anywhere in the copy: what is no file of the original goes, but for those that were there before. */
  async #distrust(before: ReadonlySet<string>): Promise<void> {
    const { copy } = this.#trees;
    for (const file of await listAll(copy)) if (!before.has(file)) await rm(file, { force: true });
    for (const entry of await readdir(copy, { recursive: true, withFileTypes: true }))
      if (entry.isDirectory() && neverCopied.test(entry.name))
        await rm(path.join(entry.parentPath, entry.name), { recursive: true, force: true });
    await rm(path.join(path.dirname(copy), 'node_modules'), { recursive: true, force: true });
    this.#linked.clear();
    await this.#linkModules(this.#copied.keys());
    if (this.#repository) await makePrivateGit(copy, this.#repository, this.#signal);
  }

  async watched<T>(work: () => Promise<T>): Promise<Watched<T>> {
    const { copy } = this.#trees;
    const places = this.#files().map((file) => path.join(copy, file));
    const { result, touched } = await touchedDuring(places, work);
    const putBack: string[] = [];
    for (const file of touched.map((place) => path.relative(copy, place))) {
      if (!this.isOpen) this.#touchedByTests.add(file);
      else if (this.#touchedByTests.has(file) || this.#ignored.has(file)) continue;
      else if (await this.#isAsExpected(file, true)) putBack.push(this.#toRelative(file));
    }
    return { result, putBack };
  }

  async removeExtra(files: readonly string[]): Promise<void> {
    for (const file of files) {
      const place = this.#resolve(file);
      // The link itself goes, never what it leads to; a folder above it that leads out was made by the same run.
      const folder = await realpath(path.dirname(place)).catch(() => undefined);
      if (folder === undefined || !isInside(this.#trees.copy, folder)) continue;
      const target = path.join(folder, path.basename(place));
      const key = path.relative(this.#trees.copy, target);
      if (!this.#copied.has(key) && !this.#edited.has(key)) await rm(target, { force: true });
    }
  }

  withOriginals<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  /** What ran here left nothing behind either; only caches in node_modules stay. */
  async reset(): Promise<void> {
    const edited = [...this.#edited.keys()];
    this.#edited.clear();
    await forEachLimited(edited, (file) => this.#restore(file));
    await this.restoreStrays();
    const { copy } = this.#trees;
    await removeOthers(copy, (file) => this.#copied.has(path.relative(copy, file)));
    await this.sync();
  }

  async dispose(): Promise<void> {
    process.removeListener('exit', this.#onExit);
    await this.#home.release();
  }

  async #listOriginal(): Promise<readonly string[]> {
    const { original } = this.#trees;
    const [files, ignored] = await Promise.all([
      listSandboxFiles(original, this.#repository, this.#signal),
      this.#includeIgnored ? listIgnoredFiles(original, this.#repository, this.#signal) : [],
    ]);
    const known = new Set(files);
    const others = ignored.filter((file) => !known.has(file));
    this.#ignored = new Set(others.map((file) => path.relative(original, file)));
    return [...files, ...others];
  }

  async #stampsOf(files: readonly string[]): Promise<Map<string, Stamp>> {
    const stamps = new Map<string, Stamp>();
    const nested: string[] = [];
    await forEachLimited(files, async (file) => {
      const stamp = await stampOf(file);
      if (stamp === 'folder') nested.push(file);
      else if (stamp) stamps.set(path.relative(this.#trees.original, file), stamp);
    });
    for (const folder of nested) {
      for (const [file, stamp] of await this.#stampsOf(await listNested(folder, this.#signal))) {
        stamps.set(file, stamp);
      }
    }
    return stamps;
  }

  async #linkModules(files: Iterable<string>): Promise<void> {
    const { original } = this.#trees;
    const folders = foldersAround(files, this.#rootBelowTop, original);
    for (const linked of await findNodeModules(folders, this.#trees)) {
      const stamp = await linkStamp(linked);
      if (this.#linked.get(linked.from) === stamp) continue;
      await linkNodeModules(linked, this.#trees, !isInside(original, linked.from));
      this.#linked.set(linked.from, stamp);
    }
  }

  async #forget(file: string): Promise<void> {
    this.#copied.delete(file);
    this.#edited.delete(file);
    await rm(path.join(this.#trees.copy, file), { recursive: true, force: true });
  }

  async #writeOne(file: string, content: string | Uint8Array | undefined): Promise<() => Promise<void>> {
    const target = await this.#realTarget(file);
    const key = path.relative(this.#trees.copy, target);
    const wasEdited = this.#edited.has(key);
    const former = this.#edited.get(key);
    const stats = await lstat(target).catch(() => undefined);
    const before = stats && (await readFile(target));
    const after = typeof content === 'string' ? Buffer.from(content) : content;
    if (after === undefined) await rm(target, { force: true });
    else {
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, after);
    }
    this.#edited.set(key, after);
    return async () => {
      if (before === undefined) await rm(target, { force: true });
      else {
        await mkdir(path.dirname(target), { recursive: true });
        await writeFile(target, before, { mode: stats?.mode });
        if (stats) await utimes(target, stats.atimeMs / 1000, stats.mtimeMs / 1000);
      }
      if (wasEdited) this.#edited.set(key, former);
      else this.#edited.delete(key);
    };
  }

  /** Copied ones, and those that edits added. */
  #files(): string[] {
    return [...new Set([...this.#copied.keys(), ...this.#edited.keys()])];
  }

  async #isAsExpected(file: string, byContent: boolean): Promise<boolean> {
    const place = path.join(this.#trees.copy, file);
    if (this.#edited.has(file)) {
      const expected = this.#edited.get(file);
      const actual = await readFile(place).catch(() => undefined);
      return expected === undefined ? actual === undefined : actual !== undefined && actual.equals(expected);
    }
    const expected = this.#copied.get(file);
    const stamp = await stampOf(place);
    if (!expected || !stamp || stamp === 'folder' || stamp.kind !== expected.kind) return false;
    const isUntouched = stamp.touched === expected.copy;
    if (isUntouched && !byContent) return true;
    const original = path.join(this.#trees.original, file);
    const now = await stampOf(original);
    // The user works on; what they wrote is taken in by the next `sync`.
    if (isUntouched && (typeof now !== 'object' || !sameStamp(now, expected))) return true;
    const isRight =
      stamp.kind === 'link'
        ? (await readlink(place)) === (await linkTarget(original, this.#trees).catch(() => undefined))
        : await haveSameBytes(place, original);
    if (isRight) this.#copied.set(file, { ...expected, copy: stamp.touched });
    return isRight;
  }

  async #restore(file: string): Promise<void> {
    const place = path.join(this.#trees.copy, file);
    const edit = this.#edited.get(file);
    await rm(place, { recursive: true, force: true });
    if (edit !== undefined) {
      await mkdir(path.dirname(place), { recursive: true });
      await writeFile(place, edit);
    }
    if (this.#edited.has(file)) return;
    const original = path.join(this.#trees.original, file);
    const stamp = await stampOf(original);
    if (stamp === undefined || stamp === 'folder' || !this.#copied.has(file)) return;
    await mkdir(path.dirname(place), { recursive: true });
    await copyEntry(original, place, stamp, this.#trees);
    this.#copied.set(file, await copiedAs(place, stamp));
  }

  #resolve(file: string): string {
    return placeIn(this.#trees.copy, this.root, file);
  }

  /** Where a write really lands. */
  #realTarget(file: string): Promise<string> {
    return realPlaceIn(this.#trees.copy, this.root, file);
  }

  get #rootBelowTop(): string {
    return path.relative(this.#trees.original, this.originalRoot);
  }

  #toRelative(file: string): string {
    return path.relative(this.root, path.join(this.#trees.copy, file)).split(path.sep).join('/');
  }
}
