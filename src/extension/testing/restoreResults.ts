// Results of earlier windows, shown again: what is still true as it was, the rest as outdated.
import * as vscode from 'vscode';
import { fileIdOf } from '../../core/model/testId.ts';
import { requests, type WireLastResult } from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import type { Discovery } from './discovery.ts';
import { itemData, type FileItem } from './itemData.ts';
import { RunResults } from './results.ts';
import type { TestTree } from './tree.ts';

interface Restoring {
  readonly controller: vscode.TestController;
  readonly engine: EngineClient;
  readonly tree: TestTree;
  readonly discovery: Discovery;
  /** True as soon as newer results come than those of earlier windows. */
  readonly isLate: () => boolean;
}

/**
 * Gives the tests of a root the states they had. VS Code itself keeps the last runs, but calls all of their results outdated
 * and knows nothing of files whose tests are not listed yet; hence a run of our own, which VS Code does not keep. True when there
 * were any.
 */
export async function restoreResults(root: string, restoring: Restoring): Promise<boolean> {
  const { controller, engine, tree, discovery, isLate } = restoring;
  const { results } = await engine.request(requests.lastResults, { root });
  const files = new Map(results.map(({ result }) => [fileIdOf(result.id), fileAt(tree, root, result.id)]));
  const known = [...files.values()].filter((file) => file !== undefined);
  if (known.length === 0 || isLate()) return false;
  await discovery.discoverOnce(known);
  const shown = results.filter((last) => isShown(tree, root, last));
  if (shown.length === 0 || isLate()) return false;
  const include = known.map((file) => tree.get(root, file.fileId)).filter((item) => item !== undefined);
  const run = controller.createTestRun(
    new vscode.TestRunRequest(include),
    'Results from before this window',
    false,
  );
  const never = new vscode.CancellationTokenSource();
  const states = new RunResults(run, tree, root, async () => undefined, never.token);
  states.push(shown.map(({ result }) => ({ type: 'testEnded', result })));
  await states.settled();
  run.end();
  never.dispose();
  const outdated = shown.filter((last) => last.outdated).map(({ result }) => tree.get(root, result.id));
  const items = outdated.filter((item) => item !== undefined);
  if (items.length > 0) controller.invalidateTestResults(items);
  return true;
}

function fileAt(tree: TestTree, root: string, id: string): FileItem | undefined {
  const item = tree.get(root, fileIdOf(id));
  const data = item === undefined ? undefined : itemData(item);
  return data?.kind === 'file' ? data : undefined;
}

/** Still in its file, or one that only a run knows and that nothing since can have changed. */
function isShown(tree: TestTree, root: string, { result, outdated }: WireLastResult): boolean {
  if (tree.get(root, result.id) !== undefined) return true;
  return result.title !== '' && !outdated && tree.get(root, fileIdOf(result.id)) !== undefined;
}
