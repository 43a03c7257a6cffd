// Shows a test that the panel names: at its item's line, else at the line the cycle told.
import * as vscode from 'vscode';
import type { CycleEvent } from '../../core/model/cycle.ts';
import { toUri } from '../folders.ts';
import type { TestTree } from '../testing/tree.ts';
import { testPlace } from './shownPlaces.ts';

export async function revealTest(
  root: string,
  id: string,
  tree: TestTree,
  events: readonly CycleEvent[],
): Promise<void> {
  const item = tree.get(root, id);
  const told = testPlace(id, events);
  const uri = item?.uri ?? (told === undefined ? undefined : toUri(root, told.file));
  if (uri === undefined) return;
  const line = Math.max(0, (told?.line ?? 1) - 1);
  const selection = item?.range ?? new vscode.Range(line, 0, line, 0);
  await vscode.window.showTextDocument(uri, {
    viewColumn: vscode.ViewColumn.One,
    selection: new vscode.Range(selection.start, selection.start),
  });
}
