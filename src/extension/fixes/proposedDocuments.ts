// The right-hand side of a fix's diff: a read-only document with the text as it would be.
import * as vscode from 'vscode';
import { proposedScheme } from '../contributions.ts';
import type { FileEdit } from '../../core/model/edit.ts';
import { shownLine } from '../../core/model/visibleText.ts';
import { toUri } from '../folders.ts';
import { editedText, type ShownTexts } from './applyEdits.ts';
import { firstDifference } from './firstDifference.ts';

export class ProposedDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(proposedScheme, this);
  readonly onDidChange = this.#changed.event;

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  /**
   * Opens a diff of what the edits change; returns what it was shown for. `key` names the proposal and comes back from
   * `keyOfActiveDiff`.
   */
  async showDiff(root: string, key: string, title: string, edits: readonly FileEdit[]): Promise<ShownTexts> {
    const shown = new Map<string, string>();
    const sides: { readonly left: vscode.Uri; readonly right: vscode.Uri; readonly change: vscode.Range }[] =
      [];
    for (const edit of edits) {
      const left = toUri(root, edit.file);
      if (left === undefined) continue;
      const right = left.with({ scheme: proposedScheme, query: key });
      const { after, shownFor } = await editedText(root, edit);
      this.#texts.set(right.toString(), after);
      shown.set(edit.file, shownFor);
      this.#changed.fire(right);
      const before = (await vscode.workspace.openTextDocument(left)).getText();
      sides.push({ left, right, change: firstChange(before, after) });
    }
    const [first] = sides;
    if (first === undefined) return shown;
    if (sides.length === 1)
      // The change is in sight at any width, however far to the right it stands.
      await vscode.commands.executeCommand('vscode.diff', first.left, first.right, shownLine(title), {
        preview: true,
        selection: first.change,
      });
    else
      await vscode.commands.executeCommand(
        'vscode.changes',
        title,
        sides.map(({ left, right }) => [left, left, right]),
      );
    return shown;
  }

  /** Closes the diffs of a proposal and forgets their text. */
  async closeDiff(key: string): Promise<void> {
    const isOurs = (uri: vscode.Uri): boolean => uri.scheme === proposedScheme && uri.query === key;
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter((tab) => tab.input instanceof vscode.TabInputTextDiff && isOurs(tab.input.modified));
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
    for (const uri of this.#texts.keys()) if (isOurs(vscode.Uri.parse(uri))) this.#texts.delete(uri);
  }

  /** The proposal whose diff is in front. */
  keyOfActiveDiff(): string | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff && input.modified.scheme === proposedScheme
      ? input.modified.query
      : undefined;
  }

  dispose(): void {
    this.#registration.dispose();
    this.#changed.dispose();
    this.#texts.clear();
  }
}

/** Where the texts begin to differ, as far as the line goes, in the second. */
function firstChange(before: string, after: string): vscode.Range {
  const { line, start, end } = firstDifference(before, after);
  return new vscode.Range(line, start, line, end);
}
