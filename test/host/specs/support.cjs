'use strict';
// What the specs share: waiting, files of the workspace, processes below the extension host.
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');

/** Asks until the answer is neither undefined, null nor false, and returns it; ends with what it waited for. */
async function until(what, ask, timeoutMs = 150_000) {
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

/** Processes below this one; needs /proc. */
function processesBelow() {
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
  return below(process.pid);
}

const commandsBelow = () => processesBelow().map(({ command }) => command);
const engineProcesses = () => processesBelow().filter(({ command }) => /dist[\\/]server\.js/.test(command));
const engines = () => engineProcesses().map(({ command }) => command);

/** Asks the page what its user sees, or has it click; see eyes.ts. */
async function ask(what, argument = '') {
  const folder = process.env.TESTMEND_HOST_EYES;
  const file = path.join(folder, String(process.hrtime.bigint()));
  fs.writeFileSync(`${file}.new`, JSON.stringify({ what, argument }));
  fs.renameSync(`${file}.new`, `${file}.question`);
  await until(`the page tells: ${what}`, () => fs.existsSync(`${file}.answer`));
  const answer = JSON.parse(fs.readFileSync(`${file}.answer`, 'utf8') || 'null');
  if (answer?.error !== undefined) throw new Error(answer.error);
  return answer;
}

/** Messages of Testmend that nobody has closed. While tests run, VS Code shows them only in its list. */
async function messages() {
  await vscode.commands.executeCommand('notifications.showList');
  return (await ask('messages')).filter(({ text }) => /Testmend/.test(text));
}

/** Shows the Testing view; it is there as soon as there is a controller. */
async function openTestingView() {
  await until('the Testing view lists something', async () => {
    await vscode.commands.executeCommand('workbench.view.extension.test');
    return (await ask('tree')).length > 0;
  });
  await ask('expand', 'Vitest');
}
/** A row of the Testing view: "✔ adds one". */
const rowOf = async (title) =>
  (await ask('tree')).find((row) => row.slice(2).replace(' (outdated)', '') === title);

/** Content of every file of the user, by name. */
function filesOf(folder = root()) {
  const names = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(
    files
      .filter((file) => !/[\\/](?:node_modules|\.git)[\\/]/.test(file))
      .sort()
      .map((file) => [path.relative(folder, file), fs.readFileSync(file, 'utf8')]),
  );
}

/** Quick fixes at a text of a file. */
async function quickFixes(document, text) {
  const start = document.positionAt(document.getText().indexOf(text));
  // The editor itself cancels the question when it asks anew: whoever waits for fixes asks again.
  const actions = await vscode.commands
    .executeCommand(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(start, start),
      vscode.CodeActionKind.QuickFix.value,
    )
    .then(undefined, (error) => {
      if (error.message === 'Canceled') return [];
      throw error;
    });
  return actions.filter((action) => action.command?.command.startsWith('testmend.'));
}

const activeDiff = () => {
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  return input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'testmend-fix'
    ? input
    : undefined;
};

/** The rows of "MCP: List Servers". */
async function mcpServers() {
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  void vscode.commands.executeCommand('workbench.mcp.listServer');
  const rows = await until('the servers are listed', async () => {
    const shown = await ask('picks');
    return shown.length > 0 && shown;
  });
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  return rows;
}

module.exports = {
  mcpServers,
  until,
  root,
  uriOf,
  open,
  ask,
  messages,
  openTestingView,
  rowOf,
  filesOf,
  commandsBelow,
  engineProcesses,
  engines,
  quickFixes,
  activeDiff,
};
