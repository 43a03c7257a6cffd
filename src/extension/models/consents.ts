// What the user agreed to: to whom the code of a folder may be sent, asked once for each folder and each receiver.
import * as vscode from 'vscode';

/** Whether somebody outside may be asked: yes, no (the built-in fixers go on), or nothing is to be started at all. */
type Consent = 'given' | 'refused' | 'cancelled';

export interface Receiver {
  /** By which it is known again: another address, model or command line is another receiver. */
  readonly id: string;
  /** What happens if the user agrees, a sentence. */
  readonly question: string;
  readonly detail: string;
}

const prefix = 'testmend.agreed:';
const agree = 'Continue';
const refuse = 'Built-in Fixers Only';

export class Consents {
  readonly #kept: vscode.Memento;

  /** `kept`: of the workspace, so that no other one has a say. */
  constructor(kept: vscode.Memento) {
    this.#kept = kept;
  }

  /** Asks unless the user has agreed before; only an agreement is remembered. `root`: absolute path of the folder. */
  async ask(root: string, { id, question, detail }: Receiver): Promise<Consent> {
    const key = `${prefix}${root}\n${id}`;
    if (this.#kept.get(key) === true) return 'given';
    const choice = await vscode.window.showWarningMessage(question, { modal: true, detail }, agree, refuse);
    if (choice === refuse) return 'refused';
    if (choice !== agree) return 'cancelled';
    await this.#kept.update(key, true);
    return 'given';
  }

  /** Asks again from now on; returns how many agreements there were. */
  async forget(): Promise<number> {
    const keys = this.#kept.keys().filter((key) => key.startsWith(prefix));
    for (const key of keys) await this.#kept.update(key, undefined);
    return keys.length;
  }
}
