// Commands that run a part of all tests: those that changes can touch, those of a layer; in every folder of the window.
import * as vscode from 'vscode';
import { requests } from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import { unlessTold } from '../engineEnded.ts';
import { workspaceRoots } from '../folders.ts';
import type { Testing } from './testing.ts';

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
  const reason = notes.find((note) => note.includes('git')) ?? 'No test is affected by the last changes.';
  const choice = await vscode.window.showInformationMessage(`Testmend: ${reason}`, 'Run All Tests');
  if (choice !== undefined) await vscode.commands.executeCommand('testing.runAll');
}

/** Asks for a layer (CONTRACTS F1) and runs its tests. */
export async function runLayer(engine: EngineClient, testing: Testing): Promise<void> {
  const picks = [
    { label: 'L1', description: 'Unit tests, and whatever is of no other layer' },
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
    else
      void vscode.window.showInformationMessage(
        `Testmend: no test file belongs to ${choice.label}. ${notes.join(' ')}`,
      );
  } catch (error) {
    unlessTold(error);
  }
}
