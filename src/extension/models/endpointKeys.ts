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
   * The key for an address: the stored one of its origin, else that of the environment where TESTMEND_MODEL_URL there names the same
   * origin. A folder's settings may name any address; a key only goes where its owner sent it.
   */
  async keyFor({ origin }: URL): Promise<string | undefined> {
    const stored = await this.#storage.secrets.get(secretOf(origin));
    if (stored !== undefined) return stored;
    const { TESTMEND_MODEL_KEY: key = '', TESTMEND_MODEL_URL: address = '' } = this.#environment;
    return key !== '' && readModelAddress(address)?.origin === origin ? key : undefined;
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
