// Reads the names of files below folders, from a tree that was walked before where it has them.
import { filesBelow, walkTree, type FileTree } from '../workspace/walk.ts';

/** Every file below an absolute folder, relative to it, POSIX separators. */
export type FilesBelow = (folder: string) => Promise<readonly string[]>;

/** Reads from the tree, and walks what lies outside of it once. Throws the cancellation error. */
export function treeReader(tree: FileTree | undefined, signal?: AbortSignal): FilesBelow {
  const walked = new Map<string, readonly string[]>();
  return async (folder) => {
    const known = (tree && filesBelow(tree, folder)) ?? walked.get(folder);
    if (known) return known;
    const { files } = await walkTree(folder, signal);
    walked.set(folder, files);
    return files;
  };
}
