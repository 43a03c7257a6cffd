// What VS Code loads at startup: a controller and names of commands; the house behind them opens when it is first needed.
import * as vscode from 'vscode';
import { ServerDefinition } from './agents/serverDefinition.ts';
import {
  agentToolNames,
  commandIds,
  controllerId,
  panelViewType,
  recordingViewType,
  serverProviderId,
} from './contributions.ts';
import type { House } from './house.ts';
import { isScenarioFile, looksLikeTest } from './testFileName.ts';
import { createProfiles } from './testing/profiles.ts';

/** Starts no process and reads no file. */
export function activate(context: vscode.ExtensionContext): void {
  const controller = vscode.tests.createTestController(controllerId, 'Testmend');
  let opening: Promise<House> | undefined;
  const house = (): Promise<House> =>
    (opening ??= import('./house.ts').then(({ openHouse }) => openHouse(context, controller)));

  controller.resolveHandler = async (item) => (await house()).testing.resolve(item);
  controller.refreshHandler = async () => (await house()).testing.discovery.refresh();
  const openForTest = (document: vscode.TextDocument): void => {
    if (opening === undefined && (looksLikeTest(document.uri) || isScenarioFile(document.uri))) void house();
  };
  const server = new ServerDefinition(context.extension, async (definition) =>
    (await house()).withSettings(definition),
  );
  context.subscriptions.push(
    controller,
    server,
    ...agentToolNames.map((name) =>
      vscode.lm.registerTool<object>(`testmend_${name}`, {
        prepareInvocation: async ({ input }, token) => (await house()).agentTools.prepare(name, input, token),
        invoke: async ({ input }, token) => (await house()).agentTools.use(name, input, token),
      }),
    ),
    vscode.lm.registerMcpServerDefinitionProvider(serverProviderId, server),
    ...createProfiles(controller, async () => (await house()).testing),
    ...Object.values(commandIds).map((id) =>
      vscode.commands.registerCommand(id, async (...args: unknown[]) =>
        (await house()).commands[id](...args),
      ),
    ),
    ...[panelViewType, recordingViewType].map((type) =>
      vscode.window.registerWebviewPanelSerializer(type, {
        deserializeWebviewPanel: async (panel, state) => (await house()).restorePanel(type, panel, state),
      }),
    ),
    vscode.workspace.onDidOpenTextDocument(openForTest),
  );
  // Test files that were open when the window was: after activation, so that it stays short.
  setImmediate(() => {
    for (const editor of vscode.window.visibleTextEditors) openForTest(editor.document);
  });
}
