// Finds the files of ours that run inside the user's processes, from the sources as well as from the bundles.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInside } from '../base/paths.ts';

/** Is this absolute path one of our files in the user's processes? What stands in a stack there says nothing to them. */
export function isInjected(file: string): boolean {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const folders = ['reporters', '../reporters', '../frameworks', '../diagnosis', '../strength'];
  return /\.(?:cjs|mjs|py)$/.test(file) && folders.some((folder) => isInside(path.join(here, folder), file));
}

/**
 * Absolute path of a file that is copied, never bundled: `dist/reporters/<sourceFolder>/<name>` when this code runs from a bundle (in dist or
 * dist/chunks), else its place under src/core. `sourceFolder` is that place, as in `frameworks/vitest`.
 */
export function injectedFile(sourceFolder: string, name: string): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const candidates = [
    path.join(here, 'reporters', sourceFolder, name),
    path.join(here, '..', 'reporters', sourceFolder, name),
    path.join(here, '..', sourceFolder, name),
  ];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (found === undefined)
    throw new Error(`${name} is missing beside ${here}: the installation is incomplete`);
  return found;
}
