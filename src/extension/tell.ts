// Messages of VS Code, which makes links, also to commands, of `[label](target)`: what files, titles and failures say makes none.
import * as vscode from 'vscode';
import { plainMessage } from './plainMessage.ts';

/** Each resolves to the button that was pressed. */
export const tell = {
  information: (text: string, ...buttons: string[]): Thenable<string | undefined> =>
    vscode.window.showInformationMessage(plainMessage(text), ...buttons),
  warning: (text: string, ...buttons: string[]): Thenable<string | undefined> =>
    vscode.window.showWarningMessage(plainMessage(text), ...buttons),
  error: (text: string, ...buttons: string[]): Thenable<string | undefined> =>
    vscode.window.showErrorMessage(plainMessage(text), ...buttons),
};

/** A message that stands while the work goes on, and cancels it. */
export function tellWhile<Result>(
  text: string,
  work: (token: vscode.CancellationToken) => Thenable<Result>,
): Thenable<Result> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: plainMessage(text), cancellable: true },
    (_progress, token) => work(token),
  );
}
