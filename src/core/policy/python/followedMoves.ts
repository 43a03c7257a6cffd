// What following moved and renamed names makes of a Python test file, told from the history: the only changes of names that can be proven.
import { readSourceChanges } from '../../diagnosis/sourceChanges.ts';
import { followAsync } from '../../fixes/python/followAsync.ts';
import { followFixtures } from '../../fixes/python/followFixtures.ts';
import { followMoves } from '../../fixes/python/followMoves.ts';
import { followApiRenames } from '../../fixes/python/followApiRenames.ts';
import { openPythonHistory, type PythonHistory } from '../../fixes/python/pythonHistory.ts';
import { createWorkspaceSources } from '../../fixes/renameDoubts/workspaceSources.ts';
import { applyChanges, type TextChange } from '../../model/edit.ts';
import { createImportGraph } from '../../modules/importGraph.ts';
import type { FileChange } from '../fileFacts.ts';
import { readSourceIn } from '../readSourceIn.ts';
import { checkPython, type Followed } from './checkPython.ts';

interface MovesRequest {
  /** Absolute root of what the changes are for, with its git history. */
  readonly root: string;
  readonly isTestFile: (file: string) => boolean;
  readonly signal?: AbortSignal;
}

/**
 * By file: its texts with nothing but names followed that have one clear new home or new name; moves alone, members and arguments
 * alone, fixtures alone, awaits alone, and all of them. Files that need no such thing are not in it.
 */
export async function followedMoves(
  changes: readonly FileChange[],
  { root, isTestFile, signal }: MovesRequest,
): Promise<ReadonlyMap<string, readonly Followed[]>> {
  const readSource = readSourceIn(root);
  const unclear = changes.flatMap((change) => {
    const { file, before, after } = change;
    if (!file.endsWith('.py') || before === undefined || after === undefined) return [];
    const { unjudged } = checkPython(change, readSource);
    return unjudged === undefined ? [] : [{ file, before, after }];
  });
  if (unclear.length === 0) return new Map();
  const git = signal === undefined ? {} : { signal };
  const graph = createImportGraph({ root, ...git });
  const seen = {
    changes: await readSourceChanges({ root, isTestFile, graph, ...git }),
    readText: (file: string) => Promise.resolve(readSource(file)),
    isTestFile,
  };
  const sources = createWorkspaceSources({ ...seen, root, signal: signal ?? new AbortController().signal });
  const history = await openPythonHistory({ ...seen, sources });
  const followed = new Map<string, readonly Followed[]>();
  if (history === undefined) return followed;
  for (const { file, before, after } of unclear) {
    const texts = await textsOf(file, { before, after }, history);
    if (texts.length > 0) followed.set(file, texts);
  }
  return followed;
}

async function textsOf(
  file: string,
  { before, after }: { readonly before: string; readonly after: string },
  history: PythonHistory,
): Promise<readonly Followed[]> {
  const missed = membersChanged(before, after);
  const moves = await followMoves(file, before, history);
  const start: Followed = { text: before, doubts: [] };
  const moved = [start, ...(moves.changes.length === 0 ? [] : [withDoubts(start, moves)])];
  const bases = new Map<string, Followed>();
  for (const one of moved)
    for (const next of [one, withDoubts(one, await followFixtures(file, one.text, history))])
      for (const base of [next, withDoubts(next, await followAsync(file, next.text, history))])
        if (!bases.has(base.text)) bases.set(base.text, base);
  const found = new Map<string, Followed>();
  const add = (one: Followed): void => {
    if (one.text !== before && !found.has(one.text)) found.set(one.text, one);
  };
  for (const base of bases.values()) {
    add(base);
    for (const doubtful of [false, true]) {
      const offers = await followApiRenames(file, base.text, history, { doubtful, missed });
      const doubts = offers.renames.flatMap(({ doubt, line }) =>
        doubt === undefined ? [] : [{ rule: 'unclear-rename', line, text: doubt }],
      );
      add({ text: applyChanges(offers.changes, base.text), doubts: [...base.doubts, ...doubts] });
    }
  }
  return [...found.values()];
}

/** Members on the lines that are not what they were. */
function membersChanged(
  before: string,
  after: string,
): readonly { readonly line: number; readonly name: string }[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  if (old.length !== now.length) return [];
  return old.flatMap((text, index) =>
    text === now[index]
      ? []
      : [...text.matchAll(/\.\s*(\w+)/g)].map(([, name = '']) => ({ line: index + 1, name })),
  );
}

/** The text with further changes, and what speaks against applying them by themselves. */
function withDoubts(
  { text, doubts }: Followed,
  followed: { readonly changes: readonly TextChange[]; readonly doubts: readonly string[] },
): Followed {
  if (followed.changes.length === 0) return { text, doubts };
  const line = text.slice(0, followed.changes[0]?.start).split('\n').length;
  const more = followed.doubts.map((doubt) => ({ rule: 'unclear-rename', line, text: doubt }));
  return { text: applyChanges(followed.changes, text), doubts: [...doubts, ...more] };
}
