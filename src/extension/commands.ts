// What every command does.
import * as vscode from 'vscode';
import { commandIds } from './contributions.ts';
import type { EngineClient } from './engineClient.ts';
import { unlessTold } from './engineEnded.ts';
import type { FixDialogue } from './fixes/fixDialogue.ts';
import { locate, workspaceRoots, type Root } from './folders.ts';
import type { Models } from './models/models.ts';
import { repeatTests, runAffected, runFile, runLayer, updateSnapshots } from './testing/chosenRuns.ts';
import { newSkillTest, runSkillTests, smokeTestSkill } from './testing/skillCommands.ts';
import { newTest } from './testing/newTest.ts';
import { recordScenario } from './recordScenario.ts';
import type { Testing } from './testing/testing.ts';
import { fileItemOf } from './testing/discovery.ts';
import { isTestItem, itemData } from './testing/itemData.ts';
import type { CycleScope } from './webview/cycleJournal.ts';
import type { CycleSession } from './webview/cycleSession.ts';
import type { RecordedCycles } from './webview/recordedCycles.ts';
import { tell } from './tell.ts';

export type Commands = Readonly<
  Record<(typeof commandIds)[keyof typeof commandIds], (...args: unknown[]) => unknown>
>;

interface Rooms {
  readonly engine: EngineClient;
  readonly testing: Testing;
  readonly dialogue: FixDialogue;
  readonly session: CycleSession;
  readonly models: Models;
  readonly recorded: RecordedCycles;
  readonly log: vscode.LogOutputChannel;
}

export function makeCommands(rooms: Rooms): Commands {
  const { engine, testing, dialogue, session, models, recorded, log } = rooms;
  const fix = async (argument: unknown): Promise<void> => {
    const scope = await scopeOf(argument, testing);
    if (scope !== undefined) await session.start(scope);
  };
  return {
    [commandIds.fixFailingTests]: fix,
    [commandIds.fixTest]: fix,
    [commandIds.stop]: () => session.stop(),
    [commandIds.showCycle]: () => session.show(),
    [commandIds.openRecording]: (argument) => recorded.open(argument),
    [commandIds.showLog]: () => log.show(),
    [commandIds.runAffected]: () => runAffected(engine, testing),
    [commandIds.runLayer]: () => runLayer(engine, testing),
    [commandIds.repeatTests]: (argument) => repeatTests(testing, argument),
    [commandIds.updateSnapshots]: (argument) => updateSnapshots(testing, argument),
    [commandIds.runSkillTests]: () => runSkillTests(engine, testing),
    [commandIds.smokeTestSkill]: () => smokeTestSkill(engine),
    [commandIds.newSkillTest]: () => newSkillTest(engine, testing),
    [commandIds.newTest]: (argument) => newTest(engine, argument),
    [commandIds.recordScenario]: () => recordScenario(engine),
    [commandIds.refreshTests]: () => testing.discovery.refresh(),
    [commandIds.restartEngine]: () => engine.restart().catch(unlessTold),
    [commandIds.setModelKey]: () => models.setKey(),
    [commandIds.forgetModels]: () => models.forget(),
    [commandIds.applyFix]: () => dialogue.applyShown(),
    [commandIds.discardFix]: () => dialogue.discardShown(),
    [commandIds.tryFix]: (argument) => dialogue.tryFix(argument),
    [commandIds.isBug]: (argument) => dialogue.isBug(argument),
    [commandIds.runFile]: (argument) => runFile(testing, argument),
  };
}

/** The item of the context menu limits the cycle to its file; else the user picks among several folders. */
async function scopeOf(argument: unknown, testing: Testing): Promise<CycleScope | undefined> {
  const item = isTestItem(argument) ? argument : undefined;
  const data = item === undefined ? undefined : itemData(item);
  if (item !== undefined && data !== undefined) {
    const file = fileItemOf(item, testing.tree);
    return file === undefined ? { root: data.root } : { root: data.root, files: [file.file] };
  }
  const root = await pickRoot();
  return root === undefined ? undefined : { root: root.path };
}

async function pickRoot(): Promise<Root | undefined> {
  const roots = workspaceRoots();
  if (roots.length === 0) void tell.information('Testmend: open a folder with tests first.');
  if (roots.length < 2) return roots[0];
  const active = vscode.window.activeTextEditor;
  const here = active === undefined ? undefined : locate(active.document.uri)?.root;
  const picks = roots
    .map((root) => ({ label: root.folder.name, description: root.path, root }))
    .sort((a, b) => Number(b.root.path === here) - Number(a.root.path === here));
  const choice = await vscode.window.showQuickPick(picks, { title: 'Fix failing tests in' });
  return choice?.root;
}
