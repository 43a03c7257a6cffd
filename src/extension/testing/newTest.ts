// The command for a first test: opens its text as a new file that is not saved yet, and tells whether it runs.
import * as vscode from 'vscode';
import { requests } from '../../server/messages.ts';
import { commandIds } from '../contributions.ts';
import type { EngineClient } from '../engineClient.ts';
import { explained } from '../explained.ts';
import { locate, toUri, workspaceRoots } from '../folders.ts';
import { tell, tellWhile } from '../tell.ts';

interface Source {
  readonly root: string;
  /** Relative to the root. */
  readonly file: string;
}

/** For the file of the menu, the one in the editor, or, without a source there, one to begin with. */
export async function newTest(engine: EngineClient, argument: unknown): Promise<void> {
  await explained(async () => {
    const source = sourceOf(argument) ?? (await sourceToBeginWith(engine));
    if (source === undefined) {
      void tell.information('Testmend: open the source file that the test is for first.');
      return;
    }
    const { file, text, framework, notes } = await engine.request(requests.newTest, source);
    const document = await openUnsaved(source.root, file, text);
    if (document === undefined) return;
    const about = `${file} (${framework})`;
    if (vscode.workspace.isTrusted) await tryIt(engine, source, document, about, notes);
    else {
      const why = 'was not tried: Testmend runs nothing in an untrusted workspace.';
      void tell.information(['Testmend:', about, why, ...notes].join(' '));
    }
  });
}

/** After a look for tests that found none. */
export async function offerNewTest(): Promise<void> {
  const button = 'New Test...';
  const choice = await tell.information('Testmend: there are no tests here yet.', button);
  if (choice === button) await vscode.commands.executeCommand(commandIds.newTest);
}

function sourceOf(argument: unknown): Source | undefined {
  const asked = argument instanceof vscode.Uri;
  const uri = asked ? argument : vscode.window.activeTextEditor?.document.uri;
  const isSource = uri !== undefined && (asked || /\.(?:[cm]?[jt]sx?|py|go)$/.test(uri.path));
  return isSource ? locate(uri) : undefined;
}

async function sourceToBeginWith(engine: EngineClient): Promise<Source | undefined> {
  for (const { path: root } of workspaceRoots()) {
    const { file } = await engine.request(requests.sourceToBeginWith, { root });
    if (file !== undefined) return { root, file };
  }
  return undefined;
}

/** Undefined when it could not be opened. What somebody wrote into it already stays. */
async function openUnsaved(
  root: string,
  file: string,
  text: string,
): Promise<vscode.TextDocument | undefined> {
  const uri = toUri(root, file)?.with({ scheme: 'untitled' });
  if (uri === undefined) return undefined;
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.getText() === '') {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), text);
    if (!(await vscode.workspace.applyEdit(edit))) return undefined;
  }
  await vscode.window.showTextDocument(document, { preview: false });
  return document;
}

async function tryIt(
  engine: EngineClient,
  source: Source,
  document: vscode.TextDocument,
  about: string,
  notes: readonly string[],
): Promise<void> {
  const { version } = document;
  const asked = { ...source, text: document.getText() };
  const tried = await tellWhile('Testmend: trying the new test in a copy', (token) =>
    engine.request(requests.tryNewTest, asked, token).catch((error: unknown) => {
      if (token.isCancellationRequested) return undefined;
      throw error;
    }),
  );
  if (tried === undefined) return;
  if (document.version !== version) {
    void tell.information(
      `Testmend: ${about} changed while it was being tried. Run the command again to see its outcome.`,
    );
    return;
  }
  const { runs, passed, toDo, reason } = tried;
  if (!runs) {
    void tell.warning([`Testmend: ${about} does not run: ${reason ?? 'no test ran.'}`, ...notes].join(' '));
    return;
  }
  const save = 'Save';
  const choice = await tell.information(
    [`Testmend: ${about} runs: ${passed} passed, ${toDo} to do. Save it to keep it.`, ...notes].join(' '),
    save,
  );
  if (choice !== save) return;
  // Unlike the document's own save it leaves the file open.
  const saved = await vscode.workspace.save(document.uri);
  if (saved !== undefined) await vscode.window.showTextDocument(saved, { preview: false });
}
