// The MCP server as the chat of VS Code finds it: offered for trusted folders, started by VS Code with its own Node when an agent needs it.
import path from 'node:path';
import * as vscode from 'vscode';

type Definition = vscode.McpStdioServerDefinition;

/**
 * Loaded at every start of a window, so it names the folders alone and starts nothing. `withSettings` gives a definition the settings of
 * its folders, once VS Code starts the server.
 */
export class ServerDefinition implements vscode.McpServerDefinitionProvider<Definition>, vscode.Disposable {
  readonly #extension: vscode.Extension<unknown>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listeners: vscode.Disposable;

  readonly onDidChangeMcpServerDefinitions = this.#changed.event;
  readonly resolveMcpServerDefinition: (definition: Definition) => Promise<Definition>;

  constructor(
    extension: vscode.Extension<unknown>,
    withSettings: (definition: Definition) => Promise<Definition>,
  ) {
    this.#extension = extension;
    this.resolveMcpServerDefinition = withSettings;
    const changed = (): void => this.#changed.fire();
    this.#listeners = vscode.Disposable.from(
      this.#changed,
      vscode.workspace.onDidGrantWorkspaceTrust(changed),
      vscode.workspace.onDidChangeWorkspaceFolders(changed),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('testmend')) changed();
      }),
    );
  }

  /** One for all folders; none where nothing may run. */
  provideMcpServerDefinitions(): Definition[] {
    const folders = servedFolders();
    const [first] = folders;
    if (first === undefined || !vscode.workspace.isTrusted) return [];
    const { extensionPath, packageJSON } = this.#extension;
    const { version }: { readonly version: string } = packageJSON;
    const definition = new vscode.McpStdioServerDefinition(
      'Testmend',
      process.execPath,
      [path.join(extensionPath, 'dist', 'mcp.js'), ...folders.map(({ uri }) => uri.fsPath)],
      {
        // What a process was started with can be read by all others of the user, tests and agents among them.
        TESTMEND_MODEL_KEY: null,
        // The Node of the desktop is Electron.
        ...('electron' in process.versions && { ELECTRON_RUN_AS_NODE: '1' }),
      },
      version,
    );
    definition.cwd = first.uri;
    return [definition];
  }

  dispose(): void {
    this.#listeners.dispose();
  }
}

/** The folders on disk whose settings allow it. */
export function servedFolders(): readonly vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter((folder) => {
    const settings = vscode.workspace.getConfiguration('testmend', folder);
    const read = (key: string): boolean => settings.get(key) !== false;
    return folder.uri.scheme === 'file' && read('enable') && read('mcpServer');
  });
}
