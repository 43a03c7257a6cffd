// What following moved and renamed names makes of a Python test file, told from the history: the only change of its imports that can be proven.
import { readSourceChanges } from '../../diagnosis/sourceChanges.ts';
import { followMoves } from '../../fixes/python/followMoves.ts';
import { openPythonHistory } from '../../fixes/python/pythonHistory.ts';
import { applyChanges } from '../../model/edit.ts';
import { createImportGraph } from '../../workspace/importGraph.ts';
import type { FileChange } from '../fileFacts.ts';
import { readSourceIn } from '../readSourceIn.ts';
import { checkPython } from './checkPython.ts';

export interface MovesRequest {
  /** Absolute root of what the changes are for, with its git history. */
  readonly root: string;
  readonly isTestFile: (file: string) => boolean;
  readonly signal?: AbortSignal;
}

/** By file: its text with nothing but the names followed that have one clear new home. Files that need no such thing are not in it. */
export async function followedMoves(
  changes: readonly FileChange[],
  { root, isTestFile, signal }: MovesRequest,
): Promise<ReadonlyMap<string, string>> {
  const readSource = readSourceIn(root);
  const unclear = changes.flatMap((change) => {
    const { file, before, after } = change;
    if (!file.endsWith('.py') || before === undefined || after === undefined) return [];
    const { unjudged } = checkPython(change, readSource);
    return unjudged === undefined ? [] : [{ file, before }];
  });
  if (unclear.length === 0) return new Map();
  const git = signal === undefined ? {} : { signal };
  const graph = createImportGraph({ root, ...git });
  const history = await openPythonHistory({
    changes: await readSourceChanges({ root, isTestFile, graph, ...git }),
    readText: (file) => Promise.resolve(readSource(file)),
    isTestFile,
  });
  const followed = new Map<string, string>();
  if (history === undefined) return followed;
  for (const { file, before } of unclear) {
    const { changes: moves } = await followMoves(file, before, history);
    if (moves.length > 0) followed.set(file, applyChanges(moves, before));
  }
  return followed;
}
