// Files of a root as LSP uris, and back.
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isInside, realPathOr, toRelativePosix } from '../core/base/paths.ts';

/** `folderUri`: how the editor names the root. `file` may be absolute when it lies outside. */
export function fileUri(root: string, folderUri: string | undefined, file: string): string {
  if (folderUri === undefined || path.isAbsolute(file)) return pathToFileURL(path.resolve(root, file)).href;
  const below = file.split('/').map((part) => encodeURIComponent(part));
  return [folderUri.replace(/\/$/, ''), ...below].join('/');
}

/** Absolute real path of a file uri; undefined for anything that is no file on disk. */
export function pathOf(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? realPathOr(fileURLToPath(uri)) : undefined;
  } catch {
    return undefined;
  }
}

/** The innermost of the roots that holds the file, and its path below it. */
export function rootOf(
  roots: Iterable<string>,
  absolute: string,
): { readonly root: string; readonly file: string } | undefined {
  return [...roots]
    .filter((root) => isInside(root, absolute))
    .sort((a, b) => b.length - a.length)
    .map((root) => ({ root, file: toRelativePosix(root, absolute) }))[0];
}
