// Finds the files of ours that run inside the user's processes, from the sources as well as from the bundles.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Absolute path of a file that is copied, never bundled: `dist/reporters/<name>` when this code runs from a bundle (in dist or
 * dist/chunks), else its place under src/core. `sourceFolder` is that place, as in `frameworks/vitest`.
 */
export function injectedFile(sourceFolder: string, name: string): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const candidates = [
    path.join(here, 'reporters', name),
    path.join(here, '..', 'reporters', name),
    path.join(here, '..', sourceFolder, name),
  ];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined)
    throw new Error(`${name} is missing beside ${here}: the installation is incomplete`);
  return found;
}
