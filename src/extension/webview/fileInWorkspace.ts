// Finds in the workspace what a recording names: its paths come from anywhere, so nothing outside of the workspace is even looked at.
import { statSync } from 'node:fs';
import path from 'node:path';
import { isInside, realPathOr } from '../../core/base/paths.ts';

/**
 * Absolute path of the file, in the folder of the recording where that is in the workspace, else in the first root that has it;
 * undefined when there is none. `roots` are real paths, and so is the answer: no link leads out of them.
 */
export function fileInWorkspace(
  roots: readonly string[],
  recordedRoot: string,
  file: string,
): string | undefined {
  const isHere = path.isAbsolute(recordedRoot) && roots.some((root) => isInside(root, recordedRoot));
  for (const base of isHere ? [recordedRoot] : roots) {
    const named = path.resolve(base, file);
    if (!roots.some((root) => isInside(root, named))) continue;
    const real = realPathOr(named);
    if (roots.some((root) => isInside(root, real)) && isFile(real)) return real;
  }
  return undefined;
}

function isFile(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    // No name of a file, as one with a NUL.
    return false;
  }
}
