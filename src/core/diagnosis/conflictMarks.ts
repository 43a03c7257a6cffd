// Files that a merge, a rebase or a cherry-pick left with the marks of a conflict.
import { gitIn } from '../workspace/git.ts';
import { hasCode } from '../workspace/readText.ts';

/** The first line (from 1) with the mark of a conflict; undefined without all three marks, in their order. */
export function conflictLine(text: string): number | undefined {
  const match = /^<{7} .*\r?\n(?:[^]*?\n)??={7}\r?\n(?:[^]*?\n)??>{7} /m.exec(text);
  return match === null ? undefined : text.slice(0, match.index).split('\n').length;
}

/** Files below the absolute root that git holds in several versions until somebody chooses; relative to it. None without git. */
export async function unmergedFiles(root: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const listed = await gitIn(root, signal)(['ls-files', '--unmerged', '-z'], { mayFail: true }).catch(
    (error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw error;
    },
  );
  if (listed?.exitCode !== 0) return new Set();
  // `<mode> <hash> <stage>`, a tab, and the name.
  return new Set(listed.stdout.split('\0').flatMap((entry) => /\t(.+)$/s.exec(entry)?.[1] ?? []));
}
