// Files as a resolver sees them: the disk, or the disk with some files gone and others back (an earlier revision).
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** Synchronous, because TypeScript's module resolution is. All paths are absolute. */
export interface FileView {
  readonly isFile: (file: string) => boolean;
  /** The text, or undefined when there is no such file. */
  readonly read: (file: string) => string | undefined;
  /** Symlinks resolved; the path itself when it does not exist. */
  readonly realPath: (file: string) => string;
  /** Names of the files (and links) in a folder; none when it does not exist. */
  readonly filesIn: (folder: string) => readonly string[];
}

/** The disk as it is at first look: folder listings are remembered, so one view serves one analysis. */
export function diskView(): FileView {
  const listings = new Map<string, ReadonlyMap<string, 'file' | 'folder' | 'link'>>();
  const realPaths = new Map<string, string>();
  const list = (folder: string): ReadonlyMap<string, 'file' | 'folder' | 'link'> => {
    const known = listings.get(folder);
    if (known) return known;
    const entries = new Map<string, 'file' | 'folder' | 'link'>();
    // A folder that its parent does not list needs no look at the disk: most probes are of this kind.
    const parent = path.dirname(folder);
    if (parent === folder || list(parent).has(path.basename(folder))) {
      for (const entry of readFolder(folder))
        entries.set(entry.name, entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'link');
    }
    listings.set(folder, entries);
    return entries;
  };
  return {
    isFile(file) {
      const kind = list(path.dirname(file)).get(path.basename(file));
      return kind === 'file' || (kind === 'link' && isFileOnDisk(file));
    },
    read: readFileOr,
    filesIn: (folder) => [...list(folder)].flatMap(([name, kind]) => (kind === 'folder' ? [] : [name])),
    realPath(file) {
      let real = realPaths.get(file);
      if (real === undefined) {
        try {
          real = realpathSync.native(file);
        } catch {
          real = file;
        }
        realPaths.set(file, real);
      }
      return real;
    },
  };
}

/** `view` without the `gone` files and with the texts of `back`. */
export function overlayView(
  view: FileView,
  overlay: { readonly gone: ReadonlySet<string>; readonly back: ReadonlyMap<string, string> },
): FileView {
  return {
    isFile: (file) => overlay.back.has(file) || (!overlay.gone.has(file) && view.isFile(file)),
    read: (file) => overlay.back.get(file) ?? (overlay.gone.has(file) ? undefined : view.read(file)),
    realPath: (file) => (overlay.back.has(file) ? file : view.realPath(file)),
    filesIn(folder) {
      const here = view.filesIn(folder).filter((name) => !overlay.gone.has(path.join(folder, name)));
      const back = [...overlay.back.keys()].filter((file) => path.dirname(file) === folder);
      return [...new Set([...here, ...back.map((file) => path.basename(file))])];
    },
  };
}

function readFolder(folder: string): ReturnType<typeof readDirents> {
  try {
    return readDirents(folder);
  } catch {
    return [];
  }
}

const readDirents = (folder: string) => readdirSync(folder, { withFileTypes: true });

function isFileOnDisk(file: string): boolean {
  try {
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function readFileOr(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
