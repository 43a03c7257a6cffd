// Builds the house: the Testing view, the commands, and a line to an engine that starts when it is needed.
import * as vscode from 'vscode';
import { registerCommands } from './commands.ts';
import { EngineClient } from './engineClient.ts';
import { createLog } from './log.ts';
import { Testing } from './testing/controller.ts';

/** Creates the controller and registers what can be asked for; starts no process and reads no file. */
export function activate(context: vscode.ExtensionContext): void {
  const log = createLog();
  const engine = new EngineClient(context, log);
  const testing = new Testing(engine, log);
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
    registerCommands(context, engine, testing, log),
    vscode.workspace.onDidGrantWorkspaceTrust(() => tellEngine(false)),
    vscode.workspace.onDidChangeWorkspaceFolders(() => tellEngine(true)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (!change.affectsConfiguration('testmend')) return;
      tellEngine(['testmend.enable', 'testmend.frameworks'].some((key) => change.affectsConfiguration(key)));
    }),
  );
}
