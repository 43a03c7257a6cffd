// Everything behind the controller and the commands: the line to the engine, the Testing view, fixes and the panel.
import * as vscode from 'vscode';
import { makeCommands, type Commands } from './commands.ts';
import { EngineClient } from './engineClient.ts';
import { FixDialogue } from './fixes/fixDialogue.ts';
import { ProposedDocuments } from './fixes/proposedDocuments.ts';
import { createLog } from './log.ts';
import { watchChosenPython } from './pythonExtension.ts';
import { Testing } from './testing/testing.ts';
import { CycleSession } from './webview/cycleSession.ts';

export interface House {
  readonly testing: Testing;
  readonly commands: Commands;
  restorePanel(panel: vscode.WebviewPanel, memento: unknown): Promise<void>;
}

/** Builds it and keeps it in step with settings, folders and trust; the engine still starts only when asked something. */
export function openHouse(context: vscode.ExtensionContext, controller: vscode.TestController): House {
  const log = createLog();
  const engine = new EngineClient(context, log);
  const testing = new Testing(controller, engine, log);
  const documents = new ProposedDocuments();
  const session = new CycleSession({
    extensionUri: context.extensionUri,
    storage: context.globalStorageUri.fsPath,
    engine,
    testing,
    documents,
    log,
  });
  const dialogue = new FixDialogue(engine, testing, documents, log);
  const configure = async (listAnew: boolean): Promise<void> => {
    await engine.configure();
    if (listAnew && engine.isStarted) await testing.discovery.refresh();
  };
  const tellEngine = (listAnew: boolean): void =>
    void configure(listAnew).catch((error: unknown) => log.error(String(error)));
  context.subscriptions.push(
    log,
    engine,
    testing,
    documents,
    session,
    vscode.workspace.onDidGrantWorkspaceTrust(() => tellEngine(false)),
    watchChosenPython(() => tellEngine(true)),
    vscode.workspace.onDidChangeWorkspaceFolders(() => tellEngine(true)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration('testmend')) return;
      const listing = ['testmend.enable', 'testmend.frameworks', 'testmend.pythonPath'];
      tellEngine(listing.some((key) => change.affectsConfiguration(key)));
    }),
  );
  return {
    testing,
    commands: makeCommands({ engine, testing, dialogue, session, log }),
    restorePanel: (panel, memento) => session.restore(panel, memento),
  };
}
