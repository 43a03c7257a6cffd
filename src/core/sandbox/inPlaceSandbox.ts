// Fixes tried in the workspace itself: every file is given back as it was, unless somebody else wrote it meanwhile.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { HumanError, errorMessage } from '../base/humanError.ts';
import { hashText } from '../base/hash.ts';
import { toRelativePosix } from '../base/paths.ts';
import type { FileEdit } from '../model/edit.ts';
import { openRepository, type Repository } from '../workspace/git.ts';
import { InPlaceJournal, type KeptFile } from './inPlaceJournal.ts';
import {
  giveAllBack,
  givenBackNotes,
  keptSentence,
  refuseFailed,
  whileRecovering,
} from './inPlaceRecovery.ts';
import { bytesOf } from './keptOriginal.ts';
import { editedTexts } from '../workspace/mergeEdits.ts';
import type { OwnedLock } from './ownedLock.ts';
import { thisProcess } from './processOwner.ts';
import { placeIn, realPlaceIn } from './placeIn.ts';
import { readText } from '../workspace/readText.ts';
import type { FileContents, Sandbox, Undo, Watched, Written } from './sandbox.ts';
import { keyOf, standingAt } from './swapFile.ts';
import { stateName } from './stateName.ts';
import { forEachLimited, listSandboxFiles, sameStamp, stampOf, type Stamp } from './sandboxFiles.ts';
import { lockInPlace } from './workspaceUse.ts';

interface InPlaceOptions {
  /** Absolute workspace root. */
  readonly root: string;
  readonly signal?: AbortSignal;
  /** Told, in one sentence each, what the user should know. */
  readonly onNote?: (note: string) => void;
}

/**
 * Throws a `busy` HumanError while somebody works in this repository itself, or reads it (runs, cycles in copies), and a `read-only`
 * one where no journal can be written; nothing was touched then.
 */
export async function openInPlaceSandbox(options: InPlaceOptions): Promise<InPlaceSandbox> {
  const { signal, onNote = () => undefined } = options;
  const root = await realpath(options.root);
  const lock = await lockInPlace(root);
  try {
    const givenBack = await whileRecovering(root, () => giveAllBack(root));
    for (const note of givenBackNotes(givenBack, root)) onNote(note);
    refuseFailed(givenBack);
    const repository = await openRepository(root, { ...(signal ? { signal } : {}), onNote });
    const journal = InPlaceJournal.begin(root, await thisProcess());
    return new InPlaceSandbox({ root, lock, journal, repository, onNote, signal });
  } catch (error) {
    await lock.release();
    throw error;
  }
}

interface Opened {
  readonly root: string;
  readonly lock: OwnedLock;
  readonly journal: InPlaceJournal;
  readonly repository: Repository | undefined;
  readonly onNote: (note: string) => void;
  readonly signal: AbortSignal | undefined;
}

export class InPlaceSandbox implements Sandbox {
  readonly originalRoot: string;
  readonly root: string;
  readonly inPlace = true;
  readonly #opened: Opened;
  /** What of ours lies in the workspace now, by absolute real path. */
  readonly #laid = new Map<string, Buffer | undefined>();
  /** How the other files were last, by absolute path. */
  #known = new Map<string, Known>();
  /** The first file that somebody else wrote while something of ours stood there, absolute. */
  #taken: string | undefined;
  /** Why a file could not be given back: nothing is tried any more then. */
  #failure: HumanError | undefined;
  /** How often files had changed. */
  #changes = 0;
  readonly compiledFolder: string;
  readonly #onExit: () => void;

  /** Use `openInPlaceSandbox`. */
  constructor(opened: Opened) {
    this.originalRoot = opened.root;
    this.root = opened.root;
    this.#opened = opened;
    this.compiledFolder = path.join(os.tmpdir(), `testmend-compiled-${randomBytes(6).toString('hex')}`);
    this.#onExit = () => {
      opened.journal.endNow();
      rmSync(this.compiledFolder, { recursive: true, force: true });
    };
    process.once('exit', this.#onExit);
  }

  stateName(isAlone: (file: string) => boolean): string {
    const laid = [...this.#laid].map(([file, bytes]) => [toRelativePosix(this.root, file), bytes] as const);
    return stateName(this.#changes, laid, isAlone);
  }

  toSandbox(file: string): string {
    return file;
  }

  toOriginal(file: string): string {
    return file;
  }

  told(text: string): string {
    return text.replaceAll(`file://${this.root}/`, '').replaceAll(this.root + path.sep, '');
  }

  async sync(): Promise<{ readonly changed: number }> {
    this.#throwIfTaken();
    const { repository, signal } = this.#opened;
    const known = new Map<string, Known>();
    let changed = 0;
    await forEachLimited(
      await listSandboxFiles(repository?.root ?? this.root, repository, signal),
      async (file) => {
        const before = this.#known.get(file);
        const now = await look(file, before);
        if (now === undefined) return;
        known.set(file, now);
        if (!isSame(before, now)) changed++;
      },
    );
    for (const file of this.#known.keys()) if (!known.has(file)) changed++;
    this.#known = known;
    if (changed > 0) this.#changes++;
    return { changed };
  }

  async copyIgnored(): Promise<{ readonly changed: number }> {
    return { changed: 0 };
  }

  async readText(file: string): Promise<string | undefined> {
    return readText(this.#resolve(file));
  }

  async applyEdits(edits: readonly FileEdit[]): Promise<Undo> {
    return this.write(await editedTexts(edits, (file) => this.readText(file)));
  }

  async write(contents: FileContents): Promise<Undo> {
    this.#throwIfTaken();
    const targets: [string, Buffer | undefined][] = [];
    for (const [file, content] of contents)
      targets.push([await this.#realTarget(file), content === undefined ? undefined : Buffer.from(content)]);
    const undos: (() => void)[] = [];
    const undoAll = (): void => {
      for (let undo = undos.pop(); undo; undo = undos.pop()) undo();
    };
    try {
      for (const [file, bytes] of targets) undos.push(this.#lay(file, bytes));
    } catch (error) {
      undoAll();
      throw error;
    }
    return { files: [...contents.keys()], undo: async () => undoAll() };
  }

  /**
   * They stay as they are, and are told again each time: who wrote them is not known here, and what was proven with a source that
   * somebody changed meanwhile is proven of nothing. Throws a `stale` HumanError where that was one of the files in which a
   * fix is just tried.
   */
  async restoreStrays(): Promise<readonly string[]> {
    for (const file of this.#laid.keys()) this.#isStillOurs(file);
    this.#throwIfTaken();
    const strays: string[] = [];
    await forEachLimited([...this.#known], async ([file, before]) => {
      if (this.#laid.has(file)) return;
      const now = await look(file, before);
      if (isSame(before, now)) return;
      strays.push(toRelativePosix(this.root, file));
    });
    return strays.sort();
  }

  isIgnored(): boolean {
    return false;
  }

  readonly isOpen = false;

  async watched<T>(work: () => Promise<T>): Promise<Watched<T>> {
    return { result: await work(), putBack: [] };
  }

  async inOwnCopy(): Promise<Written> {
    return this.writtenBy();
  }

  /** What another program writes is known by no journal: after a kill it could not be told from what the user wrote. */
  async writtenBy(): Promise<never> {
    throw new HumanError(
      'bad-input',
      'What another program writes (an agent, an update of snapshots) could not be taken back for certain in the workspace itself.',
      { remedy: 'Let fixes be tried in a copy for these tests.', choice: 'copy' },
    );
  }

  async removeExtra(files: readonly string[]): Promise<void> {
    for (const file of files) {
      const place = this.#opened.journal.setAside(this.#resolve(file));
      if (place !== undefined)
        this.#opened.onNote(
          `${file} was written while a fix was tried; it is out of the way now, in ${place}.`,
        );
    }
  }

  async withOriginals<T>(work: () => Promise<T>): Promise<T> {
    const laid = [...this.#laid].reverse();
    await this.reset();
    this.#throwIfTaken();
    const before = new Map(laid.map(([file]) => [file, keyOf(standingAt(file))]));
    try {
      return await work();
    } finally {
      for (const [file, bytes] of laid.reverse()) {
        if (keyOf(standingAt(file)) === before.get(file)) this.#lay(file, bytes);
        else this.#taken ??= file;
      }
    }
  }

  async reset(): Promise<void> {
    for (const file of [...this.#laid.keys()].reverse()) if (this.#isStillOurs(file)) this.#giveBack(file);
  }

  async dispose(): Promise<void> {
    const { journal, lock, onNote } = this.#opened;
    process.removeListener('exit', this.#onExit);
    this.#laid.clear();
    try {
      const { kept, failed } = journal.end();
      for (const file of kept) this.#tell(file);
      for (const failure of failed)
        onNote(`A file could not be given back; the next start tries again. ${failure}`);
    } finally {
      await rm(this.compiledFolder, { recursive: true, force: true });
      await lock.release();
    }
  }

  /** Puts bytes in the place of a file, unless somebody else wrote it while something of ours stood there. */
  #lay(file: string, bytes: Buffer | undefined): () => void {
    const wasLaid = this.#laid.has(file);
    const former = this.#laid.get(file);
    if (wasLaid && !this.#isStillOurs(file)) this.#throwIfTaken();
    try {
      this.#put(file, bytes);
    } catch (error) {
      if (!wasLaid && !this.#taken) this.#giveBack(file);
      throw error;
    }
    return () => {
      if (!this.#laid.has(file) || !this.#isStillOurs(file)) return;
      if (wasLaid) this.#put(file, former);
      else this.#giveBack(file);
    };
  }

  /** Throws a `stale` HumanError, and writes nothing, where somebody else was faster. */
  #put(file: string, bytes: Buffer | undefined): void {
    const kept = this.#opened.journal.write(file, bytes);
    if (kept === undefined) {
      this.#laid.set(file, bytes);
      return;
    }
    this.#laid.delete(file);
    this.#take(kept);
    this.#throwIfTaken();
  }

  #giveBack(file: string): void {
    let kept: KeptFile | undefined;
    try {
      kept = this.#opened.journal.restore(file);
    } catch (error) {
      const name = toRelativePosix(this.root, file);
      this.#failure ??= new HumanError(
        'read-only',
        `${name} cannot be given its text from before: ${errorMessage(error)}`,
        { file: name, remedy: 'Make it writable, and start again: that gives it back.' },
        { cause: error },
      );
      throw this.#failure;
    }
    this.#laid.delete(file);
    if (kept) this.#take(kept);
  }

  /** Does the file still hold what we put there last? Where it does not, it is left alone from now on. */
  #isStillOurs(file: string): boolean {
    const expected = this.#laid.get(file);
    let found: Buffer | undefined;
    try {
      found = bytesOf(file);
    } catch {
      return this.#leave(file);
    }
    const isOurs = expected === undefined ? found === undefined : found?.equals(expected) === true;
    return isOurs || this.#leave(file);
  }

  #leave(file: string): false {
    this.#laid.delete(file);
    const kept = this.#opened.journal.leave(file);
    if (kept) this.#take(kept);
    return false;
  }

  #take(kept: KeptFile): void {
    this.#taken ??= kept.file;
    this.#tell(kept);
  }

  #tell(kept: KeptFile): void {
    this.#opened.onNote(keptSentence(kept, this.root));
  }

  #throwIfTaken(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#taken === undefined) return;
    const name = toRelativePosix(this.root, this.#taken);
    throw new HumanError('stale', `${name} was changed while a fix was tried in it.`, {
      file: name,
      remedy: 'It is left as it is now; start again when nobody edits the tests.',
    });
  }

  #resolve(file: string): string {
    return placeIn(this.#top, this.root, file);
  }

  /** Where a write really lands. */
  #realTarget(file: string): Promise<string> {
    return realPlaceIn(this.#top, this.root, file);
  }

  get #top(): string {
    return this.#opened.repository?.root ?? this.root;
  }
}

/** What tells that a file changed; the content only where runs write the same once more. */
interface Known {
  readonly stamp: Stamp;
  readonly hash?: string;
}

async function look(file: string, before: Known | undefined): Promise<Known | undefined> {
  const stamp = await stampOf(file);
  if (stamp === undefined || stamp === 'folder') return undefined;
  if (before && sameStamp(before.stamp, stamp)) return before;
  // vitest writes stored snapshots anew, with the same content, in runs that fail.
  if (stamp.kind !== 'file' || !(file.endsWith('.snap') || before)) return { stamp };
  return { stamp, hash: hashText(bytesOf(file) ?? '') };
}

const isSame = (before: Known | undefined, now: Known | undefined): boolean =>
  before !== undefined &&
  now !== undefined &&
  (sameStamp(before.stamp, now.stamp) || (before.hash !== undefined && before.hash === now.hash));
