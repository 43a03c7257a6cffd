// Workspace folders and the real paths the engine knows them by.
import * as vscode from 'vscode';
import { isInside, realPathOr, toRelativePosix } from '../core/base/paths.ts';
import { setting } from './settings.ts';

export interface Root {
  /** Absolute real path. */
  readonly path: string;
  readonly folder: vscode.WorkspaceFolder;
}

/** The folders on disk in which Testmend is enabled, by real path. */
export function workspaceRoots(): readonly Root[] {
  return (vscode.workspace.workspaceFolders ?? [])
    .filter((folder) => folder.uri.scheme === 'file' && setting('enable', folder))
    .map((folder) => ({ path: realPathOr(folder.uri.fsPath), folder }));
}

export function rootAt(path: string): Root | undefined {
  return workspaceRoots().find((root) => root.path === path);
}

/** Uri of a file that the engine names: relative to the root, or absolute; undefined for what is no file (`node:internal`). */
export function toUri(root: string, file: string): vscode.Uri | undefined {
  if (/^(?:\/|[a-zA-Z]:[\\/])/.test(file)) return vscode.Uri.file(file);
  if (/^[a-z][\w+.-]*:/i.test(file)) return undefined;
  const folder = rootAt(root)?.folder.uri ?? vscode.Uri.file(root);
  return file === '' ? folder : vscode.Uri.joinPath(folder, ...file.split('/'));
}

/** The innermost root that holds the document, with its path below it as the engine names it. */
export function locate(uri: vscode.Uri): { readonly root: string; readonly file: string } | undefined {
  if (uri.scheme !== 'file') return undefined;
  const file = realPathOr(uri.fsPath);
  return workspaceRoots()
    .filter((root) => isInside(root.path, file))
    .sort((a, b) => b.path.length - a.path.length)
    .map((root) => ({ root: root.path, file: toRelativePosix(root.path, file) }))[0];
}

/** Like `locate`, for a file that may be gone: only its folder's link is resolved, not its own. */
export function locateGone(uri: vscode.Uri): { readonly root: string; readonly file: string } | undefined {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined || uri.scheme !== 'file') return undefined;
  return { root: realPathOr(folder.uri.fsPath), file: toRelativePosix(folder.uri.fsPath, uri.fsPath) };
}

export function toRange(range: {
  readonly start: { readonly line: number; readonly column: number };
  readonly end: { readonly line: number; readonly column: number };
}): vscode.Range {
  return new vscode.Range(
    Math.max(0, range.start.line - 1),
    Math.max(0, range.start.column - 1),
    Math.max(0, range.end.line - 1),
    Math.max(0, range.end.column - 1),
  );
}

export function toPosition(place: { readonly line: number; readonly column: number }): vscode.Position {
  return new vscode.Position(Math.max(0, place.line - 1), Math.max(0, place.column - 1));
}
