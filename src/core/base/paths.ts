// Paths as the rest of the house uses them: absolute inside, relative with forward slashes on the wire.
import path from 'node:path';
import { realpathSync } from 'node:fs';

/** `file` relative to `root` with POSIX separators. */
export function toRelativePosix(root: string, file: string): string {
  return toPosix(partBelow(root, file) ?? path.relative(root, file));
}

/** What follows the folder in a path that is plainly below it; spares path.relative, which costs more than reading the folder. */
function partBelow(folder: string, file: string): string | undefined {
  const isPlain =
    file.length > folder.length + 1 &&
    file.startsWith(folder) &&
    file[folder.length] === path.sep &&
    !unnormalized.test(file);
  return isPlain ? file.slice(folder.length + 1) : undefined;
}

/** Anything that path.normalize would change. */
const unnormalized = path.sep === '/' ? /\/\.{0,2}(?:\/|$)/ : /[\\/]\.{0,2}(?:[\\/]|$)|\//;

export function toPosix(file: string): string {
  return path.sep === '/' ? file : file.split(path.sep).join('/');
}

/** True when `file` is `folder` or lies below it; both absolute. Does not touch the disk. */
export function isInside(folder: string, file: string): boolean {
  if (partBelow(folder, file) !== undefined) return true;
  const relative = path.relative(folder, file);
  return (
    relative === '' ||
    (!relative.startsWith('..' + path.sep) && relative !== '..' && !path.isAbsolute(relative))
  );
}

/** The path in its real folder. A file that is itself a link keeps its name: frameworks know it by that. */
export function realPlaceOf(file: string): string {
  return path.join(realPathOr(path.dirname(file)), path.basename(file));
}

/** The path with symlinks resolved, or the path itself when it does not exist. */
export function realPathOr(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    return path.resolve(file);
  }
}

/** Is this file of the root (relative to it) really one of another place, to which a link leads? */
export function leadsOutside(root: string, file: string): boolean {
  return !isInside(realPathOr(root), realPathOr(path.resolve(root, file)));
}
