// What a language tells about a file: which other files it depends on, and which new files could change that.
import path from 'node:path';
import type { ScannedSpecifiers } from './importScan.ts';

/** All files are relative to the root, POSIX separators. A name that ends with a slash is a package: the files of a folder. */
export interface Links {
  /** What the file needs: a change of it can change what the file does. */
  readonly needs: readonly string[];
  /** Keys (see `keysOf`) of files that would change `needs` by coming or going. */
  readonly listens: readonly string[];
  /** Only a run knows what else the file loads: from files whose paths begin so. */
  readonly open: readonly string[];
  /** It starts programs of which its text does not tell for certain: they may run any file of the workspace. */
  readonly startsAny?: boolean;
}

export interface Language {
  handles(file: string): boolean;
  /** Takes nothing but the text and its place, so that a file that did not change is not read again. Linear in its length. */
  scan(text: string, file: string): ScannedSpecifiers;
  link(file: string, scanned: ScannedSpecifiers): Links;
}

/** Under which keys a file that comes or goes is listened for: its name, and its folder's where it stands for the folder. */
export function keysOf(file: string): readonly string[] {
  const folder = path.posix.dirname(file);
  const stem = stemOf(file);
  const keys = [stem];
  if (stem === 'index' || stem === '__init__' || stem === 'mod') keys.push(stemOf(folder));
  if (file.endsWith('.go')) keys.push(goKey(folder));
  return keys;
}

/** Name without folder and without anything from the first dot on. */
export function stemOf(file: string): string {
  const name = path.posix.basename(file);
  const dot = name.indexOf('.', 1);
  return dot < 0 ? name : name.slice(0, dot);
}

export function goKey(folder: string): string {
  return `go:${folder === '' ? '.' : folder}`;
}
