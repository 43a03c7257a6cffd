// Which files that a patch adds or moves to a new name would be listed as tests: nobody lists them yet.
import path from 'node:path';
import { realPathOr, toRelativePosix } from '../base/paths.ts';
import type { PatchedFile } from '../workspace/unifiedDiff.ts';
import { walkTree } from '../workspace/walk.ts';
import type { VerificationRequest } from './openVerification.ts';

/** The rule of the request, for these files as well. Lists as if they were there; nothing is written. */
export async function withNewTestFiles(
  files: readonly PatchedFile[],
  request: Pick<VerificationRequest, 'workspace' | 'projects' | 'frameworks' | 'isTestFile' | 'signal'>,
): Promise<(file: string) => boolean> {
  const { projects, frameworks, isTestFile, signal } = request;
  const { root } = request.workspace;
  const isNew = ({ file, from, before, after }: PatchedFile): boolean =>
    after !== undefined && (before === undefined || from !== undefined) && !isTestFile(file);
  const added = files.filter((one) => isNew(one) && !isBelowLink(root, one.file)).map(({ file }) => file);
  if (added.length === 0) return isTestFile;
  const tree = await walkTree(root, signal);
  const withAdded = { ...tree, files: [...new Set([...tree.files, ...added])].sort() };
  const tests = new Set<string>();
  for (const project of projects) {
    const listed = await frameworks(project.framework).listTestFiles(project, signal, { tree: withAdded });
    for (const { file } of listed) tests.add(toRelativePosix(root, file));
  }
  const isAdded = new Set(added.filter((file) => tests.has(file)));
  return (file) => isAdded.has(file) || isTestFile(file);
}

/** Whoever writes there may write anywhere. */
function isBelowLink(root: string, file: string): boolean {
  const parts = path.posix.dirname(file).split('/');
  return parts.some((_part, index) => {
    const folder = path.join(root, ...parts.slice(0, index + 1));
    return realPathOr(folder) !== folder;
  });
}
