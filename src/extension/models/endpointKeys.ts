// Keys of model endpoints: kept by VS Code's SecretStorage, each for the origin that it was given for and no other.
import type * as vscode from 'vscode';
import { readModelAddress } from '../../core/base/modelAddress.ts';

/** Origins with a stored key, for the command that forgets them. */
const originsKey = 'testmend.modelKeys';
const secretOf = (origin: string): string => `testmend.modelKey:${origin}`;

/** The part of an ExtensionContext that is needed. */
interface Storage {
  readonly secrets: Pick<vscode.SecretStorage, 'get' | 'store' | 'delete'>;
  readonly globalState: {
    get(key: string): unknown;
    update(key: string, value: unknown): Thenable<void>;
  };
}
type Environment = Readonly<Record<string, string | undefined>>;

export class EndpointKeys {
  readonly #storage: Storage;
  readonly #environment: Environment;

  constructor(storage: Storage, environment: Environment) {
    this.#storage = storage;
    this.#environment = environment;
  }

  /**
   * The key that is kept for the origin of an address. A folder's settings may name any address; a key only goes where its owner
   * sent it.
   */
  async keyFor({ origin }: URL): Promise<string | undefined> {
    return this.#storage.secrets.get(secretOf(origin));
  }

  /**
   * Does the environment hold a key for this address? It is not used: every program that was started there can read it, tests and agents
   * among them.
   */
  standsInEnvironment({ origin }: URL): boolean {
    const { TESTMEND_MODEL_KEY: key = '', TESTMEND_MODEL_URL: address = '' } = this.#environment;
    return key !== '' && readModelAddress(address)?.origin === origin;
  }

  async set({ origin }: URL, key: string): Promise<void> {
    // First the note, so that no key is left that the command to forget them does not know.
    await this.#storage.globalState.update(originsKey, [...new Set([...this.#origins(), origin])]);
    await this.#storage.secrets.store(secretOf(origin), key);
  }

  /** Deletes all stored keys and returns the origins they were for. */
  async forget(): Promise<readonly string[]> {
    const origins = this.#origins();
    for (const origin of origins) await this.#storage.secrets.delete(secretOf(origin));
    await this.#storage.globalState.update(originsKey, undefined);
    return origins;
  }

  #origins(): readonly string[] {
    const kept: unknown = this.#storage.globalState.get(originsKey);
    return Array.isArray(kept) ? kept.filter((origin) => typeof origin === 'string') : [];
  }
}
