// The user's settings, read when they are needed and never cached.
import * as vscode from 'vscode';
import type { RootSettings } from '../server/messages.ts';
import type { SettingKey, Settings } from './contributions.ts';
import { chosenPython } from './pythonExtension.ts';
import { settingValue } from './settingValue.ts';

/** Value of `testmend.<key>` for a resource; see settingValue for values that are not allowed. */
export function setting<Key extends SettingKey>(key: Key, scope?: vscode.ConfigurationScope): Settings[Key] {
  return settingValue(key, vscode.workspace.getConfiguration('testmend', scope ?? null).get(key));
}

/** What the engine is told about one folder. */
export function rootSettings(root: string, folder: vscode.WorkspaceFolder): RootSettings {
  const read = <Key extends SettingKey>(key: Key): Settings[Key] => setting(key, folder);
  return {
    root,
    uri: folder.uri.toString(),
    frameworks: [...read('frameworks')],
    maxParallel: read('maxParallel'),
    timeoutSeconds: read('timeout'),
    skillTimeoutSeconds: read('skillTimeout'),
    nodePath: read('nodePath'),
    pythonPath: read('pythonPath') || chosenPython(folder.uri),
    historyRuns: read('historyRuns'),
    layers: read('layers'),
    assume: read('fix.assume'),
    strategy: read('fix.strategy'),
    sandbox: read('fix.sandbox'),
    maxIterations: read('fix.maxIterations'),
    targetPassRate: read('fix.targetPassRate'),
    nursery: [...read('fix.nursery')],
    coverage: [...read('coverage')],
  };
}
