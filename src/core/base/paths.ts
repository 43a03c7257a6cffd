// Paths as the rest of the house uses them: absolute inside, relative with forward slashes on the wire.
import path from 'node:path';
import { realpathSync } from 'node:fs';

/** `file` relative to `root` with POSIX separators. */
export function toRelativePosix(root: string, file: string): string {
  return toPosix(path.relative(root, file));
}

export function toPosix(file: string): string {
  return path.sep === '/' ? file : file.split(path.sep).join('/');
}

/** True when `file` is `folder` or lies below it; both absolute. Does not touch the disk. */
export function isInside(folder: string, file: string): boolean {
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
