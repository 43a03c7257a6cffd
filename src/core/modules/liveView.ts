// The disk for a graph that stays: listings and settings files are remembered, and looked at again by their times.
import { readdirSync, readFileSync, realpathSync, statSync, type Dirent, type Stats } from 'node:fs';
import path from 'node:path';
import type { FileView } from './fileView.ts';

/** What happened to folders and remembered files since the last look. All paths are absolute. */
interface ViewChanges {
  /** Names that came or went in folders that were listed. */
  readonly entries: readonly string[];
  /** Files that the resolver read (tsconfig, package.json) and that are not what they were. */
  readonly texts: readonly string[];
}

type Kind = 'file' | 'folder' | 'link';

interface Listing {
  readonly entries: ReadonlyMap<string, Kind>;
  /** Of the folder; 0 when there is none. */
  readonly mtimeMs: number;
  /** Read so soon after its last change that another one would not show in its time. */
  readonly isFresh: boolean;
}

/** A time of a file system may be so coarse, ms. */
const tick = 20;

export class LiveView implements FileView {
  readonly #listings = new Map<string, Listing>();
  readonly #texts = new Map<string, { readonly stamp: string; readonly text: string | undefined }>();
  readonly #realPaths = new Map<string, string>();

  readonly isFile = (file: string): boolean => {
    const kind = this.#list(path.dirname(file)).entries.get(path.basename(file));
    return kind === 'file' || (kind === 'link' && (statOf(file)?.isFile() ?? false));
  };

  /** For settings, which are few: kept in memory, and `refresh` tells when one is not what it was. */
  readonly read = (file: string): string | undefined => {
    const known = this.#texts.get(file);
    if (known) return known.text;
    const stamp = stampOf(file);
    const text = stamp === '' ? undefined : readOr(file);
    this.#texts.set(file, { stamp, text });
    return text;
  };

  readonly realPath = (file: string): string => {
    let real = this.#realPaths.get(file);
    if (real === undefined) {
      try {
        real = realpathSync.native(file);
      } catch {
        real = file;
      }
      this.#realPaths.set(file, real);
    }
    return real;
  };

  /** Names of the files (and links) in a folder; none when it does not exist. */
  filesIn(folder: string): readonly string[] {
    return [...this.#list(folder).entries].flatMap(([name, kind]) => (kind === 'folder' ? [] : [name]));
  }

  /** Looks at every remembered folder and text again: some microseconds each. */
  refresh(): ViewChanges {
    const entries: string[] = [];
    // Looking again adds to the listings.
    const known = [...this.#listings];
    for (const [folder, listing] of known) {
      // A folder that is not there comes with a change of the one above it.
      if (listing.mtimeMs === 0) continue;
      const mtimeMs = statOf(folder)?.mtimeMs ?? 0;
      if (mtimeMs === listing.mtimeMs && !listing.isFresh) continue;
      this.#listings.delete(folder);
      const now = this.#list(folder).entries;
      for (const name of new Set([...listing.entries.keys(), ...now.keys()]))
        if (listing.entries.get(name) !== now.get(name)) entries.push(path.join(folder, name));
    }
    const texts: string[] = [];
    for (const [file, { stamp }] of this.#texts) {
      if (stampOf(file) === stamp) continue;
      this.#texts.delete(file);
      texts.push(file);
    }
    if (entries.length > 0) {
      this.#realPaths.clear();
      for (const entry of entries) this.#forgetAt(entry);
    }
    return { entries, texts };
  }

  /** A folder that came, or one that went, makes what was known of it and below it old. */
  #forgetAt(entry: string): void {
    if (!this.#listings.has(entry)) return;
    const below = entry + path.sep;
    for (const folder of this.#listings.keys())
      if (folder === entry || folder.startsWith(below)) this.#listings.delete(folder);
  }

  #list(folder: string): Listing {
    const known = this.#listings.get(folder);
    if (known) return known;
    const entries = new Map<string, Kind>();
    let mtimeMs = 0;
    // A folder that its parent does not list needs no look at the disk: most probes are of this kind.
    const parent = path.dirname(folder);
    if (parent === folder || this.#list(parent).entries.has(path.basename(folder))) {
      mtimeMs = statOf(folder)?.mtimeMs ?? 0;
      for (const entry of entriesOf(folder))
        entries.set(entry.name, entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'link');
    }
    const listing = { entries, mtimeMs, isFresh: mtimeMs > Date.now() - tick };
    this.#listings.set(folder, listing);
    return listing;
  }
}

/** Changes with the content as far as the file system tells; empty when there is no such file. */
export function stampOf(file: string): string {
  const stats = statOf(file);
  if (stats === undefined || !stats.isFile()) return '';
  const isFresh = Math.max(stats.mtimeMs, stats.ctimeMs) > Date.now() - tick;
  // A file that changed just now may change again within the same tick: such a stamp equals no later one.
  return `${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}${isFresh ? ' fresh' : ''}`;
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

export function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
