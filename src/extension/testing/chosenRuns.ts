// Commands that run a part of all tests: those that changes can touch, those of a layer; in every folder of the window.
import * as vscode from 'vscode';
import type { FrameworkId } from '../../core/model/testNode.ts';
import { requests } from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { unlessTold } from '../engineEnded.ts';
import { locate, workspaceRoots } from '../folders.ts';
import { fileItemOf } from './discovery.ts';
import { isTestItem, itemData, itemsOf } from './itemData.ts';
import type { Testing } from './testing.ts';
import { tell } from '../tell.ts';

/** Without affected tests it asks whether all are to run (CONTRACTS T6 has the full suite then; here somebody can say). */
export async function runAffected(engine: EngineClient, testing: Testing): Promise<void> {
  try {
    await testing.discovery.listed();
    const items: vscode.TestItem[] = [];
    const notes: string[] = [];
    for (const { path: root, folder } of workspaceRoots()) {
      const answer = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: 'Testmend: looking for affected tests' },
        () => engine.request(requests.affectedTests, { root }),
      );
      const found = answer.ids.map((id) => testing.tree.get(root, id)).filter((item) => item !== undefined);
      items.push(...found);
      const files = answer.changed.length === 1 ? 'a changed file' : `${answer.changed.length} changed files`;
      notes.push(`${folder.name}: ${found.length} test files are affected by ${files}.`, ...answer.notes);
    }
    if (items.length > 0) await testing.runItems(items, { notes });
    else await offerAll(notes);
  } catch (error) {
    unlessTold(error);
  }
}

async function offerAll(notes: readonly string[]): Promise<void> {
  const reason = notes.find((note) => note.includes('git')) ?? 'No test is affected by the latest changes.';
  const choice = await tell.information(`Testmend: ${reason}`, 'Run All Tests');
  if (choice !== undefined) await vscode.commands.executeCommand('testing.runAll');
}

/** Asks for a layer (CONTRACTS F1) and runs its tests. */
export async function runLayer(engine: EngineClient, testing: Testing): Promise<void> {
  const picks = [
    { label: 'L1', description: 'Unit tests, and all tests of no other layer' },
    { label: 'L2', description: 'Integration tests' },
    { label: 'L3', description: 'End-to-end tests' },
  ] as const;
  const choice = await vscode.window.showQuickPick(picks, { title: 'Run the tests of a layer' });
  if (choice === undefined) return;
  try {
    await testing.discovery.listed();
    const items: vscode.TestItem[] = [];
    const notes: string[] = [];
    for (const { path: root, folder } of workspaceRoots()) {
      const { ids, note } = await engine.request(requests.layerTests, { root, layer: choice.label });
      items.push(...ids.map((id) => testing.tree.get(root, id)).filter((item) => item !== undefined));
      notes.push(`${folder.name}: ${note}`);
    }
    if (items.length > 0) await testing.runItems(items, { notes });
    else void tell.information(`Testmend: no test file belongs to ${choice.label}. ${notes.join(' ')}`);
  } catch (error) {
    unlessTold(error);
  }
}

/** Asks how often, runs what was picked (else the tests of the active file), and tells who both passed and failed. */
export async function repeatTests(testing: Testing, argument: unknown): Promise<void> {
  const items = await pickedItems(testing, argument);
  if (items.length === 0) return;
  const answer = await vscode.window.showInputBox({
    title: 'Repeat tests',
    prompt:
      'How many times? A test that fails once counts as failed; if it also passed, it is reported as flaky.',
    value: '10',
    validateInput: (text) =>
      /^\d+$/.test(text) && Number(text) >= 2 && Number(text) <= 1_000
        ? undefined
        : 'A number from 2 to 1000.',
  });
  if (answer !== undefined) await testing.runItems(items, { repeat: Number(answer) });
}

/** Frameworks that store snapshots and rewrite them themselves. */
const withSnapshots: ReadonlySet<FrameworkId> = new Set(['vitest', 'jest', 'ava']);

/** Runs what was picked with the framework's own update of snapshots; what it writes is to be seen in the changes of the repository. */
export async function updateSnapshots(testing: Testing, argument: unknown): Promise<void> {
  const items = await pickedItems(testing, argument);
  const fitting = items.filter((item) => {
    const framework = fileItemOf(item, testing.tree)?.framework;
    return framework !== undefined && withSnapshots.has(framework);
  });
  if (fitting.length > 0) await testing.runItems(fitting, { updateSnapshots: true });
  else if (items.length > 0)
    void tell.information('Testmend: only tests of vitest, jest and AVA have snapshots.');
}

/** Runs the tests of the file with that uri, which a lens above a scenario carries. */
export async function runFile(testing: Testing, argument: unknown): Promise<void> {
  await testing.runItems(await pickedItems(testing, argument));
}

/** The item whose menu it was, opened down to files; the tests of the file with that uri, else of the active file. */
async function pickedItems(testing: Testing, argument: unknown): Promise<vscode.TestItem[]> {
  await testing.discovery.listed().catch(() => undefined);
  if (isTestItem(argument)) return filesOrBelow(argument);
  const active =
    typeof argument === 'string' ? vscode.Uri.parse(argument) : vscode.window.activeTextEditor?.document.uri;
  const place = active === undefined ? undefined : locate(active);
  const found = place === undefined ? [] : testing.tree.filesAt(place.root, place.file);
  const items = found
    .map(({ root, fileId }) => testing.tree.get(root, fileId))
    .filter((item) => item !== undefined);
  if (items.length === 0)
    void tell.information('Testmend: open a test file first, or use the menu of a test.');
  return items;
}

function filesOrBelow(item: vscode.TestItem): vscode.TestItem[] {
  const kind = itemData(item)?.kind;
  return kind === 'project' || kind === 'folder' ? itemsOf(item.children).flatMap(filesOrBelow) : [item];
}
