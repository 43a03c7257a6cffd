// The files below the folders that the projects of one configuration look through.
import { filesBelow, walkTree, type FileTree } from '../workspace/walk.ts';

/** Relative to the folder that is asked for; one that the tree does not hold is walked once. */
export function projectFolders(
  tree: FileTree | undefined,
  signal: AbortSignal | undefined,
): (folder: string) => Promise<readonly string[]> {
  const walked = new Map<string, FileTree>();
  return async (folder) => {
    const known = tree && filesBelow(tree, folder);
    if (known) return known;
    const own = walked.get(folder) ?? (await walkTree(folder, signal));
    walked.set(folder, own);
    return own.files;
  };
}
