// Finds a program of the user's on their PATH, as a shell would, but never in the folder we were started from.
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** Absolute path of the first of `names` that can be started in a folder of PATH, or in one of `more`; undefined without one. */
export function programOnPath(names: readonly string[], more: readonly string[] = []): string | undefined {
  // A relative entry would look in whatever folder we were started from.
  const folders = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder));
  for (const folder of [...folders, ...more]) {
    const program = names.map((name) => path.join(folder, name)).find(isExecutable);
    if (program !== undefined) return program;
  }
  return undefined;
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
