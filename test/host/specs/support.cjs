'use strict';
// What the specs share: waiting, files of the workspace, processes below the extension host.
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

/** Asks until the answer is neither undefined, null nor false, and returns it; ends with what it waited for. */
async function until(what, ask, timeoutMs = 50_000) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`waited in vain until ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const root = () => vscode.workspace.workspaceFolders[0].uri.fsPath;
const uriOf = (file) => vscode.Uri.file(path.join(root(), file));

/** Opens a workspace file in an editor that has the focus. */
async function open(file) {
  const document = await vscode.workspace.openTextDocument(uriOf(file));
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

/** Command lines of the processes below this one; needs /proc. */
function commandsBelow() {
  const children = new Map();
  for (const name of fs.readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8');
      const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
      const command = fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      children.set(parent, [...(children.get(parent) ?? []), { pid: Number(name), command }]);
    } catch {
      // It ended meanwhile.
    }
  }
  const below = (pid) => (children.get(pid) ?? []).flatMap((child) => [child, ...below(child.pid)]);
  return below(process.pid).map(({ command }) => command);
}

const engines = () => commandsBelow().filter((command) => /dist[\\/]server\.js/.test(command));

/** Quick fixes at a text of a file. */
async function quickFixes(document, text) {
  const start = document.positionAt(document.getText().indexOf(text));
  const actions = await vscode.commands.executeCommand(
    'vscode.executeCodeActionProvider',
    document.uri,
    new vscode.Range(start, start),
    vscode.CodeActionKind.QuickFix.value,
  );
  return actions.filter((action) => action.command?.command.startsWith('testmend.'));
}

const activeDiff = () => {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'testmend-fix'
    ? input
    : undefined;
};

module.exports = { until, root, uriOf, open, commandsBelow, engines, quickFixes, activeDiff };
