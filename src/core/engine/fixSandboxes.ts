// Where the fixes of one root are tried: in one warm copy for all requests, or in the workspace itself.
import { HumanError, throwIfCancelled } from '../base/humanError.ts';
import type { Logger } from '../base/logger.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { busyInPlace } from '../sandbox/workspaceUse.ts';
import type { RootEngine } from './rootEngine.ts';

export class FixSandboxes {
  readonly #engine: RootEngine;
  readonly #logger: Logger;
  readonly #tell: (text: string) => void;
  #copy: Promise<Sandbox> | undefined;
  #worksInPlace = false;

  /** `tell`: what the user has to know at once, one sentence at a time. */
  constructor(engine: RootEngine, logger: Logger, tell: (text: string) => void) {
    this.#engine = engine;
    this.#logger = logger;
    this.#tell = tell;
  }

  get areInPlace(): boolean {
    return this.#engine.settings.sandbox === 'inPlace';
  }

  /** Throws a `busy` HumanError while fixes are tried in the workspace itself: a run would meet files that are not the user's. */
  checkNotInPlace(): void {
    if (this.#worksInPlace) throw busyInPlace(this.#engine.root);
  }

  /** Works in the workspace itself, which is as it was when this resolves. Journals lie where every host looks for them. */
  inPlace<T>(signal: AbortSignal, work: (sandbox: Sandbox) => Promise<T>): Promise<T> {
    const { root } = this.#engine;
    return this.#engine.whileNothingRuns(async () => {
      throwIfCancelled(signal);
      const { openInPlaceSandbox } = await import('../sandbox/inPlaceSandbox.ts');
      const sandbox = await openInPlaceSandbox({
        root,
        signal,
        onNote: (note) => this.#tell(note),
      });
      this.#worksInPlace = true;
      try {
        return await work(sandbox);
      } finally {
        await sandbox.dispose();
        this.#worksInPlace = false;
      }
    });
  }

  /** One copy for all requests: it outlives the one that opened it, so whoever is cancelled merely stops waiting for it. */
  shared(signal: AbortSignal): Promise<Sandbox> {
    return Promise.race([this.#openCopy(), aborted(signal)]);
  }

  /** Takes the copy away. */
  async dispose(): Promise<void> {
    const sandbox = await this.#copy?.catch(() => undefined);
    this.#copy = undefined;
    await sandbox?.dispose();
  }

  #openCopy(): Promise<Sandbox> {
    this.#copy ??= import('../sandbox/copySandbox.ts')
      .then(({ openCopySandbox }) =>
        openCopySandbox({
          root: this.#engine.root,
          onNote: (note) => this.#logger.log('info', note),
        }),
      )
      .catch((error: unknown) => {
        this.#copy = undefined;
        throw error;
      });
    return this.#copy;
  }
}

/** Rejects with the cancellation error once the signal is aborted. */
export function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void =>
      reject(new HumanError('cancelled', 'Cancelled.', { remedy: 'Try again when you are ready.' }));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
