// The Python that the user chose in the Python extension, where that is installed and running.
import path from 'node:path';
import * as vscode from 'vscode';

/** What is used of its exported environments API. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** Absolute path of the chosen program or environment; empty when nothing is chosen. Never starts the extension. */
export function chosenPython(resource: vscode.Uri): string {
  try {
    const chosen = pythonApi()?.environments.getActiveEnvironmentPath(resource).path ?? '';
    // Without a choice it says just `python`.
    return path.isAbsolute(chosen) ? chosen : '';
  } catch {
    return '';
  }
}

/** Calls `changed` when another Python is chosen, or when the extension that knows it has started. */
export function watchChosenPython(changed: () => void): vscode.Disposable {
  let choice: vscode.Disposable | undefined;
  const follow = (): void => {
    const api = choice === undefined ? pythonApi() : undefined;
    if (api === undefined) return;
    choice = api.environments.onDidChangeActiveEnvironmentPath(changed);
    changed();
  };
  follow();
  // There is no event for the start of an extension; opening a Python file is what starts this one.
  const opened = vscode.workspace.onDidOpenTextDocument(({ languageId }) => {
    if (languageId === 'python' && choice === undefined) setTimeout(follow, startMs);
  });
  return vscode.Disposable.from(opened, { dispose: () => choice?.dispose() });
}

/** It is ready about so long after a Python file was opened, ms. */
const startMs = 5_000;

function pythonApi(): PythonApi | undefined {
  const extension = vscode.extensions.getExtension<unknown>('ms-python.python');
  const api: unknown = extension?.isActive === true ? extension.exports : undefined;
  return isPythonApi(api) ? api : undefined;
}

function isPythonApi(api: unknown): api is PythonApi {
  if (typeof api !== 'object' || api === null || !('environments' in api)) return false;
  const { environments } = api;
  return (
    typeof environments === 'object' &&
    environments !== null &&
    'getActiveEnvironmentPath' in environments &&
    typeof environments.getActiveEnvironmentPath === 'function' &&
    'onDidChangeActiveEnvironmentPath' in environments &&
    typeof environments.onDidChangeActiveEnvironmentPath === 'function'
  );
}
