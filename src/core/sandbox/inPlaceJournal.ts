// The write-ahead journal of edits in the workspace itself: on disk before the first of them, so that a kill at any moment loses nothing.
import {
  copyFileSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { z } from 'zod';
import { HumanError, errorMessage } from '../base/humanError.ts';
import { isInside, realPathOr } from '../base/paths.ts';
import { giveBack, type Entry } from './giveBack.ts';
import { appendToLog, logFile, readLog } from './inPlaceLog.ts';
import { journalFolder } from './journalFolder.ts';
import {
  asideOf,
  draftOf,
  keepOriginal,
  lstat,
  placesOf,
  syncFolder,
  tryLink,
  writeDraft,
  writeDurably,
  type Places,
} from './keptOriginal.ts';
import { processOwnerSchema, type ProcessOwner } from './processOwnerSchema.ts';
import { hasCode, isMissing } from '../workspace/readText.ts';
import { keyOf, standingAt, swapFile } from './swapFile.ts';
import { inPlaceCorner, userStateFolder } from '../base/userFolders.ts';

/** Begins the names of the folders of these journals, among the journals of accepted edits. */
const inPlacePrefix = 'in-place-';
const sessionFile = 'session.json';

const sessionSchema = z.object({ root: z.string(), owner: processOwnerSchema });

/** A file that was left as it is, because somebody else wrote it while something of ours stood there, or nothing is left to give back. */
export interface KeptFile {
  /** Absolute. */
  readonly file: string;
  /** Where its text from before lies now; undefined when there was no such file, or it is lost. */
  readonly original: string | undefined;
  readonly because:
    | 'changed'
    /** Somebody else wrote it before anything of ours stood there. */
    | 'untouched'
    /** The text from before was taken away from where it was kept. */
    | 'lost'
    /** It was found, and nothing tells where it belongs: `file` is where it is now. */
    | 'unnamed';
}

export interface GivenBackFiles {
  /** Absolute. */
  readonly restored: readonly string[];
  readonly kept: readonly KeptFile[];
  /** Why originals could not be given back; they stay in the journal for the next start. */
  readonly failed: readonly string[];
}

/** Blocks throughout: it also works while the process exits. */
export class InPlaceJournal {
  readonly #folder: string;
  readonly #corner: string;
  readonly #entries = new Map<string, Entry>();
  readonly #folders: string[] = [];
  /** What was kept of files that are done. */
  readonly #settled = new Set<string>();
  readonly #unnamed: KeptFile[] = [];
  /** Could every line of the log be read? */
  #isWhole = true;
  #count = 0;

  private constructor(corner: string, folder: string) {
    this.#corner = corner;
    this.#folder = folder;
  }

  /** Begins a journal for a real root; throws a `read-only` HumanError where none can be written, before anything was touched. */
  static begin(root: string, owner: ProcessOwner): InPlaceJournal {
    const state = userStateFolder();
    const corner = inPlaceCorner(root);
    // A corner elsewhere is one among temporary files, which go at a restart.
    if (!isInside(state, corner) || isInside(root, realPathOr(state)))
      throw new HumanError(
        'broken-project',
        `The folder for journals, ${state}, lies inside the workspace.`,
        {
          file: state,
          remedy: 'Set XDG_STATE_HOME to a folder outside of it, or let fixes be tried in a copy.',
          choice: 'copy',
        },
      );
    const parent = journalFolder(corner);
    const folder = path.join(parent, inPlacePrefix + randomBytes(6).toString('hex'));
    return orUnwritable(folder, () => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeDurably(path.join(folder, sessionFile), JSON.stringify({ root, owner }), 0o600);
      writeDurably(path.join(folder, logFile), '', 0o600);
      for (const one of [folder, parent, corner]) syncFolder(one);
      return new InPlaceJournal(corner, folder);
    });
  }

  /** The journals that lie there, with the root they are for and who wrote them; both are unknown where a kill came first. */
  static found(corner: string): readonly { journal: InPlaceJournal; root?: string; owner?: ProcessOwner }[] {
    const parent = journalFolder(corner);
    const names = lstat(parent) ? readdirSync(parent) : [];
    return names
      .filter((name) => name.startsWith(inPlacePrefix))
      .map((name) => {
        const journal = new InPlaceJournal(corner, path.join(parent, name));
        journal.#replay();
        return { journal, ...journal.#session() };
      });
  }

  /**
   * Puts bytes where the user's file stands (undefined: takes it away), after its original is safe. Where somebody else wrote the file
   * meanwhile nothing is written, and what was kept of it is told.
   */
  write(file: string, bytes: Uint8Array | undefined): KeptFile | undefined {
    return orUnwritable(file, () => {
      const isNew = !this.#entries.has(file);
      const entry = this.#entries.get(file) ?? this.#keepOriginal(file);
      const { original } = entry;
      const places = placesOf(original);
      for (const [index, place] of places.entries()) {
        const next = bytes === undefined ? undefined : draftOf(place);
        let isLogged = false;
        try {
          const folders = missingFolders(path.dirname(file));
          if (place === original.beside) this.#makeFolders(folders);
          if (next !== undefined && bytes) writeDraft(next, bytes, original, false);
          const laid = next === undefined ? undefined : standingAt(next);
          appendToLog(this.#folder, [
            ...(isNew && index === 0 ? [{ op: 'original', original } as const] : []),
            { op: 'write', file, laid: keyOf(laid) },
          ]);
          isLogged = true;
          this.#entries.set(file, entry);
          entry.ours.add(keyOf(laid));
          this.#makeFolders(missingFolders(path.dirname(file)));
          const swapped = swapFile({ file, expected: entry.laid, next, aside: asideOf(place) });
          syncFolder(path.dirname(file));
          if (swapped === 'stranded') this.#strand(asideOf(place));
          if (swapped !== 'done') return isNew ? this.#untouched(file) : this.leave(file);
          entry.laid = laid;
          return undefined;
        } catch (error) {
          if (isNew && !isLogged && index === 0 && original.kept !== null)
            rmSync(original.kept, { force: true });
          if (!hasCode(error, 'EXDEV') || index === places.length - 1) throw error;
        } finally {
          if (next !== undefined) rmSync(next, { force: true });
        }
      }
      return undefined;
    });
  }

  /** Gives one original back; tells what was kept because somebody else wrote the file. Throws where the disk refuses. */
  restore(file: string): KeptFile | undefined {
    const entry = this.#entries.get(file);
    if (entry === undefined) return undefined;
    const { is, stranded } = giveBack(entry);
    for (const one of stranded) this.#strand(one);
    if (is === 'original' || (entry.ours.size === 0 && this.#isWhole)) {
      this.#forget(file);
      return undefined;
    }
    return this.#leaveAs(is, file, entry);
  }

  /** Leaves a file as somebody else wrote it; tells where its original is now. */
  leave(file: string): KeptFile | undefined {
    const entry = this.#entries.get(file);
    return entry && this.#leaveAs('changed', file, entry);
  }

  /** Gives everything back and ends the journal; what the disk refuses stays in it. */
  end(): GivenBackFiles {
    const restored: string[] = [];
    const kept: KeptFile[] = [];
    const failed: string[] = [];
    for (const file of [...this.#entries.keys()].reverse()) {
      try {
        const left = this.restore(file);
        if (left) kept.push(left);
        else restored.push(file);
      } catch (error) {
        failed.push(`${file}: ${errorMessage(error)}`);
      }
    }
    this.#close();
    return { restored, kept: [...kept, ...this.#unnamed], failed };
  }

  /** The same while the process exits: what somebody else wrote meanwhile is left to the next start, which can tell it. */
  endNow(): void {
    for (const [file, entry] of [...this.#entries].reverse()) {
      try {
        const { is, stranded } = giveBack(entry);
        if (is === 'original' && stranded.length === 0) this.#forget(file);
      } catch {
        // The next start tries again.
      }
    }
    if (this.#entries.size === 0) this.#close();
  }

  /** Folders that are ours go where they are empty, and the journal goes when nothing is left in it. Never throws. */
  #close(): void {
    for (const folder of [...this.#folders].reverse()) {
      try {
        rmdirSync(folder);
      } catch {
        // Somebody put something into it, or took it away.
      }
    }
    if (this.#entries.size > 0) return;
    try {
      for (const name of readdirSync(this.#folder)) this.#rescue(path.join(this.#folder, name));
      rmSync(this.#folder, { recursive: true, force: true });
    } catch {
      // The next start tries again.
    }
  }

  /** A file that no line of the log names may be the only one that is left of somebody's text. */
  #rescue(file: string): void {
    const name = path.basename(file);
    if (name === sessionFile || name === logFile || /^\d+\.draft$/.test(name)) return;
    if (this.#settled.has(file) || statSync(file).nlink > 1) return;
    this.#strand(file);
  }

  #strand(file: string): void {
    const place = this.#placeFor(file);
    this.#move(file, place);
    this.#unnamed.push({ file: place, original: undefined, because: 'unnamed' });
  }

  #keepOriginal(file: string): Entry {
    const original = keepOriginal(file, this.#placesFor(file));
    const bytes = original.kept === null ? undefined : readFileSync(original.kept);
    return { original, ours: new Set(), laid: original.standing ?? undefined, bytes };
  }

  #makeFolders(folders: readonly string[]): void {
    if (folders.length === 0) return;
    appendToLog(
      this.#folder,
      folders.map((folder) => ({ op: 'folder', folder })),
    );
    this.#folders.push(...folders);
    for (const folder of folders) mkdirSync(folder);
  }

  /** Nothing of ours came there: what was kept is what somebody has just replaced. */
  #untouched(file: string): KeptFile {
    this.#forget(file);
    return { file, original: undefined, because: 'untouched' };
  }

  #leaveAs(because: 'changed' | 'lost', file: string, entry: Entry): KeptFile {
    const original = this.#keep(entry);
    this.#forget(file);
    return { file, original, because };
  }

  /** Once the disk knows that this file is done, what was kept of it is not needed any more. */
  #forget(file: string): void {
    const kept = this.#entries.get(file)?.original.kept ?? undefined;
    try {
      appendToLog(this.#folder, [{ op: 'restored', file }]);
    } catch (error) {
      // Where the journal was removed there is nothing left that would have to be told.
      if (!isMissing(error)) throw error;
    }
    this.#entries.delete(file);
    if (kept === undefined) return;
    this.#settled.add(kept);
    rmSync(kept, { force: true });
  }

  /** Puts a file that something of ours made out of the way; gives its new place. */
  setAside(file: string): string | undefined {
    if (lstat(file) === undefined) return undefined;
    const place = this.#placeFor(file);
    this.#move(file, place, asideOf(this.#placesFor(file).beside));
    return place;
  }

  #move(file: string, place: string, aside = `${file}.aside`): void {
    try {
      renameSync(file, place);
    } catch {
      const found = standingAt(file);
      writeDurably(place, readFileSync(file), 0o600);
      swapFile({ file, expected: found, next: undefined, aside });
    }
  }

  /** Gives what was kept a place where people find it; the journal still has it as well. */
  #keep({ original: { file, kept }, bytes }: Entry): string | undefined {
    if (kept === null) return undefined;
    const isThere = lstat(kept) !== undefined;
    if (!isThere && bytes === undefined) return undefined;
    const place = this.#placeFor(file);
    if (!isThere && bytes) writeDurably(place, bytes, 0o600);
    else if (!tryLink(kept, place)) copyFileSync(kept, place);
    return place;
  }

  #placeFor(file: string): string {
    const folder = path.join(this.#corner, 'kept');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return path.join(folder, `${randomBytes(4).toString('hex')}-${path.basename(file)}`);
  }

  #placesFor(file: string): Places {
    const id = path.basename(this.#folder).slice(inPlacePrefix.length);
    const name = `${++this.#count}`;
    return {
      own: path.join(this.#folder, name),
      beside: path.join(path.dirname(file), `.testmend-${id}-${name}`),
    };
  }

  #replay(): void {
    const { lines, isWhole } = readLog(this.#folder);
    this.#isWhole = isWhole;
    for (const line of lines) {
      if (line.op === 'original')
        this.#entries.set(line.original.file, { original: line.original, ours: new Set() });
      else if (line.op === 'write') this.#entries.get(line.file)?.ours.add(line.laid);
      else if (line.op === 'folder') this.#folders.push(line.folder);
      else {
        this.#settled.add(this.#entries.get(line.file)?.original.kept ?? '');
        this.#entries.delete(line.file);
      }
    }
  }

  #session(): z.infer<typeof sessionSchema> | undefined {
    try {
      return sessionSchema.parse(JSON.parse(readFileSync(path.join(this.#folder, sessionFile), 'utf8')));
    } catch {
      return undefined;
    }
  }
}

/** The folders above that are not there yet, outermost first. */
function missingFolders(folder: string): readonly string[] {
  return lstat(folder) ? [] : [...missingFolders(path.dirname(folder)), folder];
}

function orUnwritable<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof HumanError) throw error;
    throw new HumanError(
      'read-only',
      `${file} cannot be written: ${errorMessage(error)}`,
      { file, remedy: 'Make it writable and room for it, or let fixes be tried in a copy.', choice: 'copy' },
      { cause: error },
    );
  }
}
