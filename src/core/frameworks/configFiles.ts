// Reads the files that configure a framework, and finds those that they name.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** The text without its byte order mark; undefined when it cannot be read, or waits for a writer as a pipe does. */
export function textOfFile(file: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return undefined;
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return undefined;
  }
}

/** What stands in the folder; nothing where it cannot be read. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Follows links; false where nothing is. */
export function isFile(file: string): boolean {
  return existsSync(file) && statSync(file).isFile();
}

/**
 * Finds the file that a relative specifier means: as it is written, the TypeScript that it is compiled from, with one of these endings,
 * or the index of a folder.
 */
export function relativeResolver(
  endings: readonly string[],
): (from: string, specifier: string) => string | undefined {
  return (from, specifier) => {
    const target = path.resolve(path.dirname(from), specifier);
    const written = target.replace(/\.([cm]?)js$/, '.$1ts');
    const stems = [target, path.join(target, 'index')];
    return [target, written, ...stems.flatMap((stem) => endings.map((ending) => stem + ending))].find(isFile);
  };
}
