// Everything behind the controller and the commands: the line to the engine, the Testing view, fixes and the panel.
import * as vscode from 'vscode';
import { realPathOr } from '../core/base/paths.ts';
import { AgentTools } from './agents/agentTools.ts';
import { servedFolders } from './agents/serverDefinition.ts';
import { makeCommands, type Commands } from './commands.ts';
import { recordingViewType } from './contributions.ts';
import { EngineClient } from './engineClient.ts';
import { unlessTold } from './engineEnded.ts';
import { FixDialogue } from './fixes/fixDialogue.ts';
import { ProposedDocuments } from './fixes/proposedDocuments.ts';
import { createLog } from './log.ts';
import { Models } from './models/models.ts';
import { watchChosenPython } from './pythonExtension.ts';
import { rootSettings } from './settings.ts';
import { isScenarioFile } from './testFileName.ts';
import { Testing } from './testing/testing.ts';
import { CycleSession } from './webview/cycleSession.ts';
import { RecordedCycles } from './webview/recordedCycles.ts';

export interface House {
  readonly testing: Testing;
  readonly commands: Commands;
  readonly agentTools: AgentTools;
  withSettings(server: vscode.McpStdioServerDefinition): vscode.McpStdioServerDefinition;
  restorePanel(type: string, panel: vscode.WebviewPanel, memento: unknown): Promise<void>;
}

/** Builds it and keeps it in step with settings, folders and trust; the engine still starts only when asked something. */
export function openHouse(context: vscode.ExtensionContext, controller: vscode.TestController): House {
  const log = createLog();
  const engine = new EngineClient(context, log);
  // Before anything starts the engine: it answers what the engine asks.
  const models = new Models(context, engine);
  const testing = new Testing(controller, engine, log);
  const documents = new ProposedDocuments();
  const session = new CycleSession({
    extensionUri: context.extensionUri,
    storage: context.globalStorageUri.fsPath,
    engine,
    testing,
    documents,
    outside: models.choice,
    log,
  });
  const recorded = new RecordedCycles(context.extensionUri);
  const dialogue = new FixDialogue(engine, testing, documents, log);
  const configure = async (listAnew: boolean): Promise<void> => {
    await engine.configure();
    if (listAnew && engine.isStarted) await testing.discovery.refresh();
  };
  const tellEngine = (listAnew: boolean): void =>
    void configure(listAnew).catch((error: unknown) => log.error(String(error)));
  const startForScenario = (document: vscode.TextDocument): void => {
    if (isScenarioFile(document.uri)) void engine.start().catch(unlessTold);
  };
  for (const document of vscode.workspace.textDocuments) startForScenario(document);
  context.subscriptions.push(
    vscode.workspace.onDidOpenTextDocument(startForScenario),
    log,
    engine,
    testing,
    documents,
    session,
    recorded,
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
    commands: makeCommands({ engine, testing, dialogue, session, models, recorded, log }),
    agentTools: new AgentTools(engine),
    withSettings: (server) => {
      const roots = servedFolders().map((folder) => rootSettings(realPathOr(folder.uri.fsPath), folder));
      server.args = [...server.args.slice(0, 1), JSON.stringify(roots)];
      return server;
    },
    restorePanel: (type, panel, memento) =>
      (type === recordingViewType ? recorded : session).restore(panel, memento),
  };
}
