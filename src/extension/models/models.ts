// Models and agents in the editor: built once, with the commands that give and take back keys and consents.
import * as vscode from 'vscode';
import { mayTakeKey } from '../../core/base/modelAddress.ts';
import type { EngineClient } from '../engineClient.ts';
import { workspaceRoots } from '../folders.ts';
import { Consents } from './consents.ts';
import { EditorModels } from './editorModels.ts';
import { EndpointKeys } from './endpointKeys.ts';
import { addressOf, OutsideChoice } from './outsideChoice.ts';
import { tell } from '../tell.ts';

export class Models {
  readonly choice: OutsideChoice;
  readonly #keys: EndpointKeys;
  readonly #consents: Consents;

  constructor(context: vscode.ExtensionContext, engine: EngineClient) {
    this.#keys = new EndpointKeys(context, process.env);
    this.#consents = new Consents(context.workspaceState);
    this.choice = new OutsideChoice({
      keys: this.#keys,
      consents: this.#consents,
      models: new EditorModels(engine),
      kept: context.workspaceState,
    });
  }

  /** Asks for the key of the endpoint that the settings name, and keeps it for the origin of that address. */
  async setKey(): Promise<void> {
    const url = await pickAddress();
    if (url === undefined) return;
    if (!mayTakeKey(url)) {
      void tell.error(
        `Testmend: the key would be sent to ${url.origin} without encryption. Use an https address in testmend.fix.model.url.`,
      );
      return;
    }
    const key = await vscode.window.showInputBox({
      title: `Key of the model endpoint at ${url.origin}`,
      prompt: `VS Code stores it; it is sent to ${url.origin} only.`,
      password: true,
      ignoreFocusOut: true,
    });
    if (key === undefined || key.trim() === '') return;
    await this.#keys.set(url, key.trim());
    void tell.information(`Testmend: the key for ${url.origin} is stored.`);
  }

  /** Deletes the keys of all endpoints, and asks again before anything of this workspace is sent. */
  async forget(): Promise<void> {
    const origins = await this.#keys.forget();
    const agreed = await this.#consents.forget();
    await this.choice.forget();
    const keys = origins.length === 0 ? 'no key was stored' : `deleted the keys for ${origins.join(', ')}`;
    const consents = agreed === 0 ? '' : '; Testmend asks again before it sends code of this workspace';
    void tell.information(`Testmend: ${keys}${consents}.`);
  }
}

/** The address in the settings; of several folders with several addresses the one that the user picks. */
async function pickAddress(): Promise<URL | undefined> {
  const addresses = workspaceRoots().flatMap(({ folder }) => addressOf(folder.uri) ?? []);
  const byOrigin = new Map(addresses.map((url) => [url.origin, url]));
  if (byOrigin.size === 0) {
    const open = 'Open Settings';
    const text = 'Testmend: set the address of the endpoint first, in testmend.fix.model.url.';
    const choice = await tell.error(text, open);
    if (choice === open)
      await vscode.commands.executeCommand('workbench.action.openSettings', 'testmend.fix.model.url');
    return undefined;
  }
  const [first] = byOrigin.keys();
  const origin =
    byOrigin.size === 1
      ? first
      : await vscode.window.showQuickPick([...byOrigin.keys()], { title: 'Which endpoint is the key for?' });
  return origin === undefined ? undefined : byOrigin.get(origin);
}
