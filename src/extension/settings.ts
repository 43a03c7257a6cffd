// The user's settings, read when they are needed and never cached.
import * as vscode from 'vscode';
import type { RootSettings } from '../server/messages.ts';
import { settingChoices, settingDefaults, type SettingKey, type Settings } from './contributions.ts';

/** Value of `testmend.<key>` for a resource; the default when the value has the wrong type. */
export function setting<Key extends SettingKey>(key: Key, scope?: vscode.ConfigurationScope): Settings[Key] {
  const value: unknown = vscode.workspace.getConfiguration('testmend', scope ?? null).get(key);
  return isValid(key, value) ? value : settingDefaults[key];
}

/** What the engine is told about one folder. */
export function rootSettings(root: string, folder: vscode.WorkspaceFolder): RootSettings {
  const read = <Key extends SettingKey>(key: Key): Settings[Key] => setting(key, folder);
  return {
    root,
    uri: folder.uri.toString(),
    frameworks: [...read('frameworks')],
    maxParallel: Math.max(0, Math.floor(read('maxParallel'))),
    timeoutSeconds: positive(read('timeout'), settingDefaults.timeout),
    skillTimeoutSeconds: positive(read('skillTimeout'), settingDefaults.skillTimeout),
    nodePath: read('nodePath'),
    assume: read('fix.assume'),
    strategy: read('fix.strategy'),
    maxIterations: Math.max(1, Math.floor(read('fix.maxIterations'))),
    targetPassRate: Math.min(100, Math.max(0, read('fix.targetPassRate'))),
  };
}

function positive(value: number, fallback: number): number {
  return value > 0 ? value : fallback;
}

function isValid<Key extends SettingKey>(key: Key, value: unknown): value is Settings[Key] {
  const fallback: unknown = settingDefaults[key];
  if (Array.isArray(fallback)) return Array.isArray(value) && value.every((item) => typeof item === 'string');
  const choices: readonly unknown[] | undefined = settingChoices[key];
  return typeof value === typeof fallback && (choices === undefined || choices.includes(value));
}
