// The command that records a scenario: asks for the address, and opens what was written.
import * as vscode from 'vscode';
import { requests } from '../server/messages.ts';
import type { EngineClient } from './engineClient.ts';
import { explained } from './explained.ts';
import { locate, toUri, workspaceRoots } from './folders.ts';
import { tell, tellWhile } from './tell.ts';

export async function recordScenario(engine: EngineClient): Promise<void> {
  await explained(async () => {
    const active = vscode.window.activeTextEditor?.document.uri;
    const root = (active && locate(active)?.root) ?? workspaceRoots()[0];
    if (root === undefined) {
      void tell.information('Testmend: open a folder first; the scenario is written into it.');
      return;
    }
    const folder = typeof root === 'string' ? root : root.path;
    const url = await vscode.window.showInputBox({
      title: 'Record a Scenario',
      prompt: 'Address of the first page. Empty: the baseUrl of scenario.config.yaml.',
      placeHolder: 'http://localhost:3000',
    });
    if (url === undefined) return;
    const asked = { root: folder, ...(url.trim() !== '' && { url: url.trim() }) };
    const { file, steps, notes } = await tellWhile(
      'Testmend: recording. Close the browser, press its Stop button, or cancel here to end it.',
      (token) => engine.request(requests.recordScenario, asked, token),
    );
    const uri = toUri(folder, file);
    if (uri === undefined) return;
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
    const said = [`Testmend: ${steps === 1 ? '1 step was' : `${steps} steps were`} recorded.`, ...notes];
    void tell.information(said.join(' '));
  });
}
