// Messages of VS Code, which makes links, also to commands, of `[label](target)`: what files, titles and failures say makes none.
import * as vscode from 'vscode';
import { withoutLinks } from './withoutLinks.ts';

/** Each resolves to the button that was pressed. */
export const tell = {
  information: (text: string, ...buttons: string[]): Thenable<string | undefined> =>
    vscode.window.showInformationMessage(withoutLinks(text), ...buttons),
  warning: (text: string, ...buttons: string[]): Thenable<string | undefined> =>
    vscode.window.showWarningMessage(withoutLinks(text), ...buttons),
  error: (text: string, ...buttons: string[]): Thenable<string | undefined> =>
    vscode.window.showErrorMessage(withoutLinks(text), ...buttons),
};
